/// The bytes of a vCard file: any version, any number of cards. Borrows them.
package struct VCardText {
    package let bytes: UnsafeRawBufferPointer
    let layout: VCardLayout
    package let limits: BookLimits
    /// These bytes were looked at and may leave the memory; they can be looked at again.
    let release: (Range<Int>) -> Void

    /// So many bytes are given back at once. Even, for UTF-16.
    static let piece = 1 << 20

    /// Refuses what has no card near its beginning, whatever the file is called. `release`: is given bytes of a mapped
    /// file that were looked at and need not stay in memory.
    package init(
        _ bytes: UnsafeRawBufferPointer, limits: BookLimits = .standard,
        release: @escaping (Range<Int>) -> Void = { _ in }
    ) throws(ContactsError) {
        guard bytes.count > 0 else { throw .empty }
        try limits.check(.file, bytes.count)
        guard let layout = VCardLayout(bytes) else { throw .notABook }
        (self.bytes, self.layout, self.limits, self.release) = (bytes, layout, limits, release)
    }

    /// `head`: the first bytes of a file; 4096 are enough.
    package static func isVCard(_ head: UnsafeRawBufferPointer) -> Bool { VCardLayout(head) != nil }

    /// Finds the cards one by one.
    package var cards: VCardScanner { VCardScanner(self) }

    /// Counts the cards without reading what they say, and finds those that are groups.
    package func survey() -> VCardSurvey {
        var survey = VCardSurvey()
        for card in cards {
            survey.cards += 1
            if survey.cards > limits.cards { continue }
            if card.isGroup { survey.groups.append(card) } else { survey.people += 1 }
        }
        return survey
    }
}

/// What a book holds, before anything of it is read.
package struct VCardSurvey: Sendable {
    /// Cards that are no groups, the broken ones included.
    package var people = 0
    /// Cards of groups (RFC 6350 6.1.4); read them first to know everybody's groups.
    package var groups: [VCardSpan] = []
    /// All cards, also those beyond the limit, which are neither people nor groups.
    package var cards = 0
}

/// Where one card lies in its file.
package struct VCardSpan: Hashable, Sendable {
    /// From `BEGIN:VCARD` to behind the line of `END:VCARD`.
    package let bytes: Range<Int>
    /// Counted from 1.
    package let line: Int
    /// It has its `END:VCARD`.
    package let isClosed: Bool
    package let isGroup: Bool
    /// A card inside of it has no end: all lines are taken for its own.
    package var lacksInnerEnd = false
}

/// How a file's lines are made.
struct VCardLayout {
    /// Bytes of one ASCII character: 2 in UTF-16.
    let width: Int
    let isBigEndian: Bool
    /// What ends a line: a line feed, or the carriage return of old Macs.
    let newline: UInt8

    /// Nil when no line among the first begins a card.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(4096))
        let isBigEndian = Self.isUTF16(head, high: 0)
        width = isBigEndian || Self.isUTF16(head, high: 1) ? 2 : 1
        self.isBigEndian = isBigEndian
        let text = width == 2 ? UTF16Text.narrowed(head, isBigEndian: isBigEndian) : Array(head)
        newline = text.contains(0x0A) ? 0x0A : 0x0D
        let begins = text.split(separator: newline).contains { line in
            line.withUnsafeBytes { VCardMark($0) == .begin }
        }
        guard begins else { return nil }
    }

    /// By its mark, or because the first characters are ASCII with zeros between. `high`: where the high byte of a
    /// character is.
    static func isUTF16(_ head: UnsafeRawBufferPointer, high: Int) -> Bool {
        guard head.count >= 8 else { return false }
        if head[high] == 0xFE, head[1 - high] == 0xFF { return true }
        return (0..<4).allSatisfy { head[2 * $0 + high] == 0 && (1..<0x80).contains(head[2 * $0 + 1 - high]) }
    }
}
