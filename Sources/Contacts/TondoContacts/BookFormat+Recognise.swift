package import TondoText

/// The detected format of a file.
package enum Recognition: Equatable, Sendable {
    case book(BookFormat)
    /// Not a book; a description of what it seems to be.
    case other(String)
}

extension BookFormat {
    /// Decided by the content, never by a name. `file`: all of its bytes; the shape of JSON depends on keys that may
    /// come last.
    ///
    /// ```swift
    /// switch BookFormat.recognise(bytes) {
    /// case .book(let format): print(format.word)
    /// case .other(let kind): print("no book, but \(kind)")
    /// }
    /// ```
    package static func recognise(_ file: [UInt8]) -> Recognition { recognise(FileBytes(file)) }

    /// Reads all of a JSON or XML file, and the beginning of any other.
    package static func recognise(_ file: FileBytes) -> Recognition {
        guard !file.isEmpty else { return .other("an empty file") }
        if let kind = binary(file) { return .other(kind) }
        if file.count <= longestBlank, FileEdit.isNothing(file.withUnsafeBytes { Array($0) }) {
            return .other("a file of blank lines")
        }
        let head = SourceText(file.prefix(headSize))
        switch head.bytes.withUnsafeBytes({ $0.first { !ASCII.isBlank($0) } }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return json(file)
        case UInt8(ascii: "<"): return xml(file)
        default: break
        }
        if isLDIF(head) { return .book(.ldif) }
        if file.withUnsafeBytes({ VCardText.isVCard($0) }) { return .book(.vCard) }
        // The vaguest format comes last: any text may have commas.
        if CSVTable(head) != nil { return .book(.csv) }
        if head.bytes.withUnsafeBytes({ $0.contains(0) }) { return .other("data of an unknown kind") }
        if let kind = text(head) { return .other(kind + notRead) }
        return .other(CSVTable.description(ofOther: head) ?? "text without contacts")
    }

    /// Whether the file is a vCard, without reading the rest of a large file. `head`: its first bytes; 4096 are enough.
    package static func isVCard(_ head: UnsafeRawBufferPointer) -> Bool {
        let first = head.first { !ASCII.isBlank($0) }
        return first.map { !"{[".utf8.contains($0) } == true && VCardText.isVCard(head)
    }

    /// The longest file that is looked through for anything but white space before it is read.
    private static let longestBlank = 4096

    /// Enough for a header of hundreds of columns, or the remarks before the first record.
    private static let headSize = 65_536

    private static func json(_ file: FileBytes) -> Recognition {
        guard let tape = try? JSONTape(SourceText(file)), let root = tape.root else { return .other("too much JSON") }
        if let shape = JSONShape(root) { return .book(.json(shape)) }
        if tape.failure != nil { return .other("broken JSON") }
        let first = root.isArray ? root.elements.first { _ in true } : root
        let words = [first, first?.elements.first { _ in true }, first?["@type"]].compactMap { $0?.string }
        if words.contains("vcard") || root["vcardArray"] != nil { return .other("a jCard" + notRead) }
        if root["contacts"]?["list"] != nil { return .other("an export of Telegram" + notRead) }
        if root["friends_v2"] != nil { return .other("a list of friends of Facebook" + notRead) }
        if root["connections"] != nil { return .other("contacts of Google's People API" + notRead) }
        return .other(words.contains("Card") ? "a JSContact" + notRead : "JSON that is not an address book")
    }

    /// Books of programs that are plain text, by the beginning of a line.
    private static func text(_ head: SourceText) -> String? {
        let kinds = [
            "alias ": "aliases of Mutt", "# abook": "an address book of abook", "MECARD:": "a MECARD of a QR code",
            ";;; file-format:": "an address book of BBDB", ";;; file-version:": "an address book of BBDB",
        ]
        for line in head.string(0..<min(head.bytes.count, 4096)).split(whereSeparator: \.isNewline) {
            if let kind = kinds.first(where: { line.hasPrefix($0.key) }) { return kind.value }
        }
        return nil
    }

    private static let notRead = ", which Tondo does not read: a vCard has the same data"

    private static func xml(_ file: FileBytes) -> Recognition {
        // A server's warnings may stand before the cards.
        if file.withUnsafeBytes({ VCardText.isVCard($0) }) { return .book(.vCard) }
        guard let outline = try? XMLOutline(SourceText(file)) else { return .other("XML with declarations of its own") }
        if FriendGroupList(outline) != nil { return .book(.propertyList) }
        let kinds = [
            "plist": "a property list that is not an address book", "vcards": "an xCard" + notRead,
            "phonebooks": "a phone book of a FRITZ!Box" + notRead,
        ]
        let kind = outline.elements.indices.first.flatMap { first in kinds.first { outline.isNamed(first, $0.key) } }
        return .other(kind?.value ?? "XML that is not an address book")
    }

    /// One of the first records has a distinguished name, or the text is only the version (RFC 2849). A first record
    /// that begins with its class counts, too: its name may come after a long photo.
    private static func isLDIF(_ head: SourceText) -> Bool {
        let head = head.withLineFeeds()
        var records = LDIFRecords(head)
        var isFirst = true
        for _ in 0..<32 {
            guard let record = records.next() else { break }
            let names = record.lines.map { head.string($0.name).lowercased() }
            if names.first == "begin" { return false }
            if names.contains("dn") { return record.defect == nil || names.first == "dn" }
            if isFirst, names.first == "objectclass" { return true }
            isFirst = false
        }
        let first = head.string(0..<head.bytes.count).split(whereSeparator: \.isNewline).first?.lowercased() ?? ""
        return isFirst && first.hasPrefix("version:") && Int(String(first.dropFirst(8)).trimmed) != nil
    }

    private static func binary(_ file: FileBytes) -> String? {
        let kinds: [(start: [UInt8], kind: String)] = [
            ([0xFF, 0xD8, 0xFF], "a JPEG image"), ([0x89, 0x50, 0x4E, 0x47], "a PNG image"),
            (Array("GIF8".utf8), "a GIF image"),
            (Array("bplist".utf8), "a binary property list, as a card of Apple's address book is (.abcdp)" + notRead),
            (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"), ([0x1F, 0x8B], "a gzip archive"),
            (Array("SQLite format 3".utf8), "an SQLite database"), (Array("%PDF".utf8), "a PDF document"),
        ]
        // RIFF holds sounds and films, too.
        if file.starts(with: Array("RIFF".utf8)), file.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "a WebP image"
        }
        return kinds.first { file.starts(with: $0.start) }?.kind
    }
}
