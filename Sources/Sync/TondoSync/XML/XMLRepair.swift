/// Makes XML that Expat reads out of what servers send, while it arrives; the memory is that of one piece. Everything that can be
/// read is read: one card with a character that XML does not permit must not cost the other cards of its answer.
///
/// The document begins at its `multistatus`: blanks, byte-order marks, warnings of PHP and HTML in front of it are skipped. Characters
/// that XML 1.0 section 2.2 forbids are dropped, raw or as references. Bytes that are no UTF-8 count as Windows-1252, whatever is
/// declared; but a document that declares another encoding and is none in UTF-8 is refused. References that are unknown, and `&`, `<` and `]]>` in text, count as the text that they are. No entity is ever defined, so none can grow.
struct XMLRepair {
    /// The longest text that precedes the document.
    private static let longestHead = 1 << 16
    private static let root = Array("multistatus".utf8)

    private var isInside = false
    private var isCharacterData = false
    /// The beginning of the next piece: a reference, a mark or a character that a piece cut in two.
    private var carry: [UInt8] = []
    private var references = XMLReferences()
    /// The encoding in the XML declaration, in lower case.
    private var encoding = ""
    private var hasForeignBytes = false

    /// `output` gets text in UTF-8.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, isEnd: Bool, output: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if carry.isEmpty { return try pass(bytes, isEnd: isEnd, output: output) }
        let joined = carry + bytes
        carry = []
        try joined.withUnsafeBytes { try pass($0, isEnd: isEnd, output: output) }
    }

    private mutating func pass(
        _ bytes: UnsafeRawBufferPointer, isEnd: Bool, output: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var bytes = bytes
        if !isInside {
            guard let start = Self.start(of: bytes) ?? (isEnd || bytes.count > Self.longestHead ? 0 : nil) else {
                carry = Array(bytes)
                return
            }
            isInside = true
            encoding = Self.encoding(UnsafeRawBufferPointer(rebasing: bytes[..<start]))
            bytes = UnsafeRawBufferPointer(rebasing: bytes[start...])
        }
        // Most pieces of a photo need nothing.
        guard let first = Self.firstSpecial(in: bytes) else {
            if !bytes.isEmpty { try output(bytes) }
            return
        }
        let repaired = repair(bytes, from: first, isEnd: isEnd)
        if hasForeignBytes, !Self.isRead(encoding) { throw XMLError.encoding(encoding) }
        if !repaired.isEmpty { try repaired.withUnsafeBytes { try output($0) } }
    }

    // MARK: Head

    /// The place of the root element; nil: not seen yet. A document type is left to Expat, whose reader refuses it.
    private static func start(of bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 0
        while position < min(bytes.count, longestHead) {
            guard bytes[position] == UInt8(ascii: "<") else {
                position += 1
                continue
            }
            if isDocumentType(bytes, start: position) { return firstMark(bytes) }
            if isRoot(bytes, start: position) { return position }
            position += 1
        }
        return nil
    }

    private static func firstMark(_ bytes: UnsafeRawBufferPointer) -> Int {
        bytes.firstIndex(of: UInt8(ascii: "<")) ?? 0
    }

    private static func isDocumentType(_ bytes: UnsafeRawBufferPointer, start: Int) -> Bool {
        let word = Array("<!DOCTYPE".utf8)
        guard bytes.count - start >= word.count else { return false }
        return word.indices.allSatisfy { word[$0] == bytes[start + $0] & ($0 < 2 ? 0xFF : 0xDF) }
    }

    /// Whether `<d:multistatus ` or `<multistatus ` begins here, whatever the prefix.
    private static func isRoot(_ bytes: UnsafeRawBufferPointer, start: Int) -> Bool {
        var name = start + 1
        let end = min(bytes.count, start + 128)
        // The first byte that is no part of a name decides: a later colon is one of an attribute (xmlns="DAV:").
        let mark = bytes[name..<end].firstIndex { !isNameByte($0) }
        if let mark, bytes[mark] == UInt8(ascii: ":") { name = mark + 1 }
        guard name + root.count < bytes.count else { return false }
        return root.indices.allSatisfy { root[$0] == bytes[name + $0] } && !isNameByte(bytes[name + root.count])
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...: true
        default: false
        }
    }

    /// Those that bytes beyond UTF-8 are read in, and those that servers declare for UTF-8.
    private static func isRead(_ encoding: String) -> Bool {
        encoding.hasPrefix("utf")
            || ["", "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252", "cp1252", "unicode"].contains(encoding)
    }

    /// The last `encoding="..."` in front of the document.
    private static func encoding(_ head: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: head, as: UTF8.self)
        guard let declaration = text.firstRange(of: "<?xml"),
            let mark = text[declaration.upperBound...].firstRange(of: "encoding")
        else { return "" }
        let value = text[mark.upperBound...].drop { " =\t".contains($0) }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return "" }
        return value.dropFirst().prefix { $0 != quote }.prefix(64).lowercased()
    }

    // MARK: Text

    /// Bytes that may need a repair: control characters, DEL, everything beyond ASCII, `&`, `<` and `]`.
    private static let special: [Bool] = (0...255).map { byte in
        switch byte {
        case 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x26, 0x3C, 0x5D, 0x7F...0xFF: true
        default: false
        }
    }

    private static func firstSpecial(in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        special.withUnsafeBufferPointer { special in
            var position = start
            while position < bytes.count {
                if special[Int(bytes[position])] { return position }
                position += 1
            }
            return nil
        }
    }

    private mutating func repair(_ bytes: UnsafeRawBufferPointer, from first: Int, isEnd: Bool) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 64)
        var (copied, position) = (0, first)
        while position < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
            let step = step(at: rest, isEnd)
            if step == .incomplete {
                carry = Array(rest)
                break
            }
            if case .replaced(let text, let count) = step {
                output += bytes[copied..<position]
                output += text
                copied = position + count
            }
            position = Self.firstSpecial(in: bytes, from: position + step.count) ?? bytes.count
        }
        return output + bytes[copied..<(bytes.count - carry.count)]
    }

    /// What becomes of the text at a special byte.
    enum Step: Equatable {
        case kept(Int)
        case replaced([UInt8], Int)
        /// The next piece decides.
        case incomplete

        var count: Int {
            switch self {
            case .kept(let count), .replaced(_, let count): count
            case .incomplete: 0
            }
        }
    }

    private mutating func step(at rest: UnsafeRawBufferPointer, _ isEnd: Bool) -> Step {
        switch rest[0] {
        case UInt8(ascii: "&"): isCharacterData ? .kept(1) : references.step(at: rest, isEnd)
        case UInt8(ascii: "<"): isCharacterData ? .kept(1) : mark(at: rest, isEnd)
        case UInt8(ascii: "]"): end(at: rest, isEnd)
        case 0x80...: character(at: rest, isEnd)
        default: .replaced([], 1)
        }
    }

    private mutating func character(at rest: UnsafeRawBufferPointer, _ isEnd: Bool) -> Step {
        let step = XMLCharacters.step(at: rest, isEnd)
        if case .replaced(_, 1) = step { hasForeignBytes = true }
        return step
    }

    private static let characterData = Array("<![CDATA[".utf8)

    private mutating func mark(at rest: UnsafeRawBufferPointer, _ isEnd: Bool) -> Step {
        if rest.count == 1 { return isEnd ? .kept(1) : .incomplete }
        switch rest[1] {
        case UInt8(ascii: "!"):
            let count = min(rest.count, Self.characterData.count)
            guard rest[..<count].elementsEqual(Self.characterData[..<count]) else { return .kept(2) }
            if count < Self.characterData.count { return isEnd ? .kept(count) : .incomplete }
            isCharacterData = true
            return .kept(count)
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "_"), 0x41...0x5A, 0x61...0x7A, 0x80...: return .kept(1)
        default: return .replaced(Array("&lt;".utf8), 1)
        }
    }

    private mutating func end(at rest: UnsafeRawBufferPointer, _ isEnd: Bool) -> Step {
        if rest.count > 1, rest[1] != UInt8(ascii: "]") { return .kept(1) }
        if rest.count < 3 { return isEnd ? .kept(1) : .incomplete }
        guard rest[2] == UInt8(ascii: ">") else { return .kept(1) }
        if isCharacterData {
            isCharacterData = false
            return .kept(3)
        }
        return .replaced(Array("]]&gt;".utf8), 3)
    }
}
