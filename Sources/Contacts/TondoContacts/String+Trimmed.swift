extension String {
    /// Without blanks at both ends.
    var trimmed: String {
        let letters: ClosedRange<UInt8> = 0x21...0x7E
        if let first = utf8.first, let last = utf8.last, letters.contains(first), letters.contains(last) { return self }
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// A program had no value, and wrote how its language calls that. Names begin with a capital letter.
    var isNothing: Bool {
        switch self {
        case "null", "undefined", "(null)": true
        default: false
        }
    }

    /// Whether people write it because a number or an address is required: signs alone, or a word.
    var isPlaceholder: Bool {
        !contains { $0.isNumber || $0.isLetter } || ["none", "n/a", "unknown"].contains(lowercased())
    }

    /// Whether it is a word for a missing value, or for true or false, which programs write in place of a picture.
    var isNoPicture: Bool {
        ["null", "undefined", "(null)", "none", "nil", "nan", "false", "true"].contains(lowercased())
    }

    /// Without quotes around all of it, and without what is no name: programs that made it of parts wrote how their language
    /// calls a missing one.
    var asName: String {
        var text = utf8.contains(0x09) ? replacing("\t", with: " ") : self
        guard let first = text.utf8.first, "'\"(nu".utf8.contains(first) || utf8.contains(0x09) else { return text }
        if text.utf8.count > 2, first == text.utf8.last, first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
            let inner = text.dropFirst().dropLast()
            if !inner.utf8.contains(first) { text = String(inner).trimmed }
        }
        return text.split(separator: " ").allSatisfy { String($0).isNothing } ? "" : text
    }

    /// Without the quotes of typography around all of it, which an editor made of those of a table; nil if there are none.
    var withoutCurlyQuotes: String? {
        utf8.first == 0xE2 ? wholeMatch(of: /[“„”]([^“„”]+)[“”]/).map { String($0.1).trimmed } : nil
    }

    /// Without what marks an address in a text: `<https://...>`, `<URL:https://...>` (RFC 3986 appendix C).
    var withoutBrackets: String {
        guard utf8.first == UInt8(ascii: "<"), utf8.last == UInt8(ascii: ">"), contains("://") else { return self }
        let inner = String(dropFirst().dropLast()).trimmed
        return inner.contains("<") ? self : ASCII.has("url:", in: inner) ? String(inner.dropFirst(4)) : inner
    }

    /// Nil if it is empty.
    var filled: String? { isEmpty ? nil : self }

    /// Without the line ends that some writers put into names.
    package var withoutLineEnds: String { lines(joinedBy: " ") }

    /// The lines that are not blank, without blanks at their ends.
    func lines(joinedBy separator: String) -> String {
        guard utf8.contains(0x0A) else { return self }
        return split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { !$0.isEmpty }.joined(
            separator: separator)
    }
}
