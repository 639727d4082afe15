internal import TondoText

/// One value of an XML property list in the outline, with typed access. Only the requested parts are parsed.
struct PropertyListValue {
    private let outline: XMLOutline
    private let element: Int

    init(outline: XMLOutline, element: Int) {
        self.outline = outline
        self.element = element
    }

    private static let broken = PropertyListMismatch(path: "", reason: "not a property list")

    /// The values of a dictionary by their keys. A key that is given more than once is an error: it is one of two
    /// dictionaries whose boundary is lost.
    func dictionary() throws(PropertyListMismatch) -> [String: PropertyListValue] {
        let children = outline.children(of: element)
        guard children.count.isMultiple(of: 2) else { throw Self.broken }
        var values: [String: PropertyListValue] = [:]
        for index in stride(from: 0, to: children.count, by: 2) {
            guard outline.isNamed(children[index], "key") else { throw Self.broken }
            let key = try PropertyListValue(outline: outline, element: children[index]).characters()
            let value = PropertyListValue(outline: outline, element: children[index + 1])
            if values.updateValue(value, forKey: key) != nil {
                throw PropertyListMismatch(path: "/\(key.prefix(40))", reason: "given more than once")
            }
        }
        return values
    }

    /// `path`: of the value, for errors.
    func text(_ path: String) throws(PropertyListMismatch) -> String {
        guard outline.isNamed(element, "string") else { throw PropertyListMismatch(path: path, reason: "not a text") }
        return try characters()
    }

    func texts(_ path: String) throws(PropertyListMismatch) -> [String] {
        guard outline.isNamed(element, "array") else { throw PropertyListMismatch(path: path, reason: "not an array") }
        var texts: [String] = []
        for (index, child) in outline.children(of: element).enumerated() {
            texts.append(try PropertyListValue(outline: outline, element: child).text("\(path)/\(index)"))
        }
        return texts
    }

    func integer(_ path: String) throws(PropertyListMismatch) -> Int {
        let mismatch = PropertyListMismatch(path: path, reason: "not a whole number")
        let isReal = outline.isNamed(element, "real")
        guard isReal || outline.isNamed(element, "integer") else { throw mismatch }
        let text = try characters().trimmed
        if let number = Int(text) { return number }
        if let number = Self.hexadecimal(text) { return number }
        guard isReal, let number = Double(text) else { throw Self.broken }
        guard let whole = Int(exactly: number) else { throw mismatch }
        return whole
    }

    /// `<true/>`, or a number that is not 0.
    func flag(_ path: String) throws(PropertyListMismatch) -> Bool {
        if outline.isNamed(element, "true") { return true }
        return try outline.isNamed(element, "false") ? false : integer(path) != 0
    }

    private static func hexadecimal(_ text: String) -> Int? {
        let isNegative = text.hasPrefix("-")
        let digits = text.drop { $0 == "-" || $0 == "+" }.lowercased()
        guard digits.hasPrefix("0x"), let number = Int(digits.dropFirst(2), radix: 16) else { return nil }
        return isNegative ? -number : number
    }

    /// The text between the tags, with entities and CDATA sections resolved, without comments.
    private func characters() throws(PropertyListMismatch) -> String {
        guard outline.elements[element].next == element + 1 else { throw Self.broken }
        let range = outline.elements[element].content
        let (isPlain, text) = outline.text.bytes.withUnsafeBytes { bytes -> (Bool, [UInt8]?) in
            let content = UnsafeRawBufferPointer(rebasing: bytes[range])
            let isPlain = !content.contains { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }
            return (isPlain, isPlain ? nil : XMLText.plain(content))
        }
        if isPlain { return outline.text.string(range) }
        guard let text else { throw Self.broken }
        return outline.text.string(text)
    }
}

/// Text of an XML element (XML 1.0, sections 2.4, 2.5, 2.7 and 4.1).
enum XMLText {
    /// Nil for an entity that XML does not predefine, and for unterminated markup.
    static func plain(_ content: UnsafeRawBufferPointer) -> [UInt8]? {
        var plain: [UInt8] = []
        var position = 0
        while position < content.count {
            switch content[position] {
            case UInt8(ascii: "&"):
                // No known reference is longer, and each `&` alone must not cost a search to the end.
                let head = content[position...].prefix(12)
                guard let end = head.firstIndex(of: UInt8(ascii: ";")),
                    let character = character(content[(position + 1)..<end])
                else { return nil }
                plain += String(character).utf8
                position = end + 1
            case UInt8(ascii: "<"):
                guard let end = markup(content, at: position, into: &plain) else { return nil }
                position = end
            default:
                plain.append(content[position])
                position += 1
            }
        }
        return plain
    }

    /// A CDATA section, comment or processing instruction; returns its end.
    private static func markup(_ content: UnsafeRawBufferPointer, at start: Int, into plain: inout [UInt8]) -> Int? {
        for (begin, end) in [("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>")] {
            guard content[start...].starts(with: begin.utf8) else { continue }
            let inner = start + begin.utf8.count
            var position = inner
            while position < content.count, !content[position...].starts(with: end.utf8) { position += 1 }
            guard position < content.count else { return nil }
            if begin == "<![CDATA[" { plain += content[inner..<position] }
            return position + end.utf8.count
        }
        return nil
    }

    private static func character(_ name: Slice<UnsafeRawBufferPointer>) -> Unicode.Scalar? {
        switch String(decoding: name, as: UTF8.self) {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        case let name where name.hasPrefix("#x"): UInt32(name.dropFirst(2), radix: 16).flatMap { Unicode.Scalar($0) }
        case let name where name.hasPrefix("#"): UInt32(name.dropFirst()).flatMap { Unicode.Scalar($0) }
        default: nil
        }
    }
}
