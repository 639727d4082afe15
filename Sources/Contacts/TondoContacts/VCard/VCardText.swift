/// The bytes of a vCard file: any version, any number of cards. Borrows them.
package struct VCardText {
    /// The whole file. They belong to the caller, and have to stay valid for as long as this text is used.
    package let bytes: UnsafeRawBufferPointer
    let layout: VCardLayout
    /// Those that scanners and parsers of this text keep to.
    package let limits: BookLimits
    /// These bytes were scanned and may be dropped from memory; they can be read again.
    let release: (Range<Int>) -> Void

    /// The number of bytes that are released at once. Even, for UTF-16.
    static let piece = 1 << 20

    /// Refuses a text without a card near its beginning, whatever the file's name. `release`: gets scanned bytes of a
    /// mapped file that may be dropped from memory.
    package init(
        _ bytes: UnsafeRawBufferPointer, limits: BookLimits = .standard,
        release: @escaping (Range<Int>) -> Void = { _ in }
    ) throws(ContactsError) {
        guard bytes.count > 0 else { throw .empty }
        try limits.check(.file, found: bytes.count)
        guard let layout = VCardLayout(bytes) else { throw .notABook }
        self.bytes = bytes
        self.layout = layout
        self.limits = limits
        self.release = release
    }

    /// `head`: the first bytes of a file; 4096 are enough.
    package static func isVCard(_ head: UnsafeRawBufferPointer) -> Bool { VCardLayout(head) != nil }

    /// Finds the cards one by one.
    package var cards: VCardScanner { VCardScanner(text: self) }

    /// Whether a card has no other lines than each card may have, as programs write it for a contact without data.
    package func isBlank(_ span: VCardSpan) -> Bool {
        var start = span.bytes.lowerBound
        let ends = span.lineEnds.isSign ? span.lineEnds : .either
        while start < span.bytes.upperBound {
            let end = ends.find(in: bytes, start..<span.bytes.upperBound) ?? span.bytes.upperBound
            let line = bytes[start..<end]
            let name = UnsafeRawBufferPointer(rebasing: line.prefix { $0 != 0x3A && $0 != 0x3B })
            let names: [StaticString] = ["begin", "version", "prodid", "uid", "rev", "end"]
            guard line.isEmpty || names.contains(where: { ASCII.equals(name, $0) }) else { return false }
            start = ends.isSign ? ends.next(after: end, in: bytes) : end + 1
        }
        return span.isClosed
    }

    /// Counts the cards that say anything without parsing them, and finds those that are groups.
    package func scan() -> VCardScan {
        var scan = VCardScan()
        for card in cards where !isBlank(card) {
            scan.cards += 1
            if scan.cards > limits.cards { continue }
            if card.isGroup { scan.groups.append(card) } else { scan.people += 1 }
        }
        return scan
    }
}

/// The contents of a book before it is read.
package struct VCardScan: Sendable {
    /// Cards that are not groups, including broken ones.
    package var people = 0
    /// Cards of groups (RFC 6350 6.1.4); parse them first, because they name the members of groups.
    package var groups: [VCardSpan] = []
    /// All cards, including those beyond the limit, which are in neither of the others.
    package var cards = 0
}

/// The position of one card in its file.
package struct VCardSpan: Hashable, Sendable {
    /// From `BEGIN:VCARD` to behind the line of `END:VCARD`.
    package let bytes: Range<Int>
    /// Counted from 1.
    package let line: Int
    /// It has its `END:VCARD`.
    package let isClosed: Bool
    /// Its KIND is `group` (RFC 6350 6.1.4), or the older X-ADDRESSBOOKSERVER-KIND is.
    package let isGroup: Bool
    /// A nested card is unterminated: all lines count as its own.
    package var lacksInnerEnd = false
    /// It is no card: lines outside of cards that look like parts of one.
    package private(set) var isStray = false
    var lineEnds = LineEnds.lineFeed

    static func stray(_ bytes: Range<Int>, line: Int) -> VCardSpan {
        var span = VCardSpan(bytes: bytes, line: line, isClosed: false, isGroup: false)
        span.isStray = true
        return span
    }
}

/// The characters of a file.
struct VCardLayout {
    /// Bytes of one ASCII character: 2 in UTF-16.
    let width: Int
    let isBigEndian: Bool
    /// What ends lines in place of a line feed, in a text of one line. Nil for other texts.
    let sign: LineEnds?

    /// Nil if none of the first lines begins a card.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(4096))
        let isBigEndian = Self.isUTF16(head, high: 0)
        width = isBigEndian || Self.isUTF16(head, high: 1) ? 2 : 1
        self.isBigEndian = isBigEndian
        sign = width == 1 ? Self.sign(in: head) : nil
        guard sign != nil || (width == 1 ? Self.hasCard(head) : narrowed(head, body: Self.hasCard)) else { return nil }
    }

    /// What stands behind the first BEGIN, where no line ends otherwise.
    static func sign(in head: UnsafeRawBufferPointer) -> LineEnds? {
        let start = Invisible.skip(head)
        guard ASCII.has("begin:vcard", in: UnsafeRawBufferPointer(rebasing: head[start...])) else { return nil }
        let end = head[(start + 11)...].firstIndex { $0 != UInt8(ascii: " ") }
        return end.flatMap { LineEnds.sign(in: head, at: $0) }
    }

    /// Passes on one byte per character; 0xFF stands for those beyond ASCII.
    func narrowed<R>(_ bytes: UnsafeRawBufferPointer, body: (UnsafeRawBufferPointer) -> R) -> R {
        UTF16Text.narrowed(bytes, isBigEndian: isBigEndian).withUnsafeBytes(body)
    }

    /// Whether a line begins a card. Copies nothing and ends at the first card, since every small file of a folder is
    /// examined.
    private static func hasCard(_ text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while start < text.count {
            let end = LineEnds.either.find(in: text, start..<text.count) ?? text.count
            if VCardMark(UnsafeRawBufferPointer(rebasing: text[start..<end])) == .begin { return true }
            start = end + 1
        }
        return false
    }

    /// Detected by its mark, or because the first characters are ASCII with zeros between. `high`: the position of a
    /// character's high byte.
    static func isUTF16(_ head: UnsafeRawBufferPointer, high: Int) -> Bool {
        guard head.count >= 8 else { return false }
        if head[high] == 0xFE, head[1 - high] == 0xFF { return true }
        return (0..<4).allSatisfy { head[2 * $0 + high] == 0 && (1..<0x80).contains(head[2 * $0 + 1 - high]) }
    }
}
