/// The little that a mirror has to know about a card.
enum VCardText {
    /// Whether the bytes are a card at all, and not the page of a proxy. A byte-order mark and blanks may precede it.
    static func isCard(_ bytes: [UInt8]) -> Bool {
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
        let word = Array("BEGIN:VCARD".utf8)
        guard bytes.count - start >= word.count else { return false }
        return zip(bytes[start...], word).allSatisfy { $0 & 0xDF == $1 & 0xDF }
    }

    /// The value of UID (RFC 6350 section 6.7.6), for the name of the card's file; nil if it is folded or missing.
    static func uid(_ bytes: [UInt8]) -> String? {
        guard var text = value(of: "uid", in: bytes) else { return nil }
        if text.lowercased().hasPrefix("urn:uuid:") { text.removeFirst(9) }
        return text.isEmpty ? nil : text
    }

    /// The first value of a property with a short line; nil if it is folded or missing. `name`: in lower case.
    static func value(of name: String, in bytes: [UInt8]) -> String? {
        let end = bytes.count
        var start = 0
        while start < end {
            let line = bytes[start...].prefix { $0 != 0x0A }
            start = line.endIndex + 1
            let isFolded = start < end && (bytes[start] == 0x20 || bytes[start] == 0x09)
            if line.count <= 300, !isFolded, let value = value(of: name, line: line) { return value }
        }
        return nil
    }

    /// The value of `UID:…`, `item1.uid;TYPE=x:…`.
    private static func value(of name: String, line: ArraySlice<UInt8>) -> String? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let head = line[..<colon].prefix { $0 != UInt8(ascii: ";") }
        let plain = head.split(separator: UInt8(ascii: ".")).last ?? head
        // A hyphen has this bit already.
        guard plain.count == name.utf8.count, plain.elementsEqual(name.utf8, by: { $0 | 0x20 == $1 }) else {
            return nil
        }
        var text = String(decoding: line[(colon + 1)...], as: UTF8.self)
        while text.last == "\r" || text.last == " " { text.removeLast() }
        return text.isEmpty ? nil : text
    }
}
