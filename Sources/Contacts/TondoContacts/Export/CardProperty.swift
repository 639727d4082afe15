/// A property of a vCard as text. Nothing of it is interpreted, so that nothing is lost.
package struct CardProperty: Hashable, Sendable {
    /// The text before the dot, as in `item1.TEL`.
    package var group: String?
    /// In upper case.
    package var name: String
    /// Such as `TYPE=home`, quotes included; in vCard 2.1 also words alone.
    package var parameters: [String] = []
    /// In one line, with the escapes of vCard. Only the text of an object inside the card, such as an AGENT, has
    /// several lines.
    package var value: String

    /// `name`: in upper case already.
    package init(group: String? = nil, name: String, parameters: [String] = [], value: String) {
        self.group = group
        self.name = name
        self.parameters = parameters
        self.value = value
    }

    /// `head`: the text before the value's colon.
    init(head: String, value: String) {
        let parts = Self.split(head)
        let name = parts[0].filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
        let dot = name.lastIndex(of: ".")
        group = dot.map { String(name[..<$0]) }
        self.name = (dot.map { String(name[name.index(after: $0)...]) } ?? name).uppercased()
        parameters = parts.dropFirst().map(\.trimmed)
        self.value = value
    }

    /// At semicolons outside quotes; at all of them if a quote does not end.
    private static func split(_ head: String) -> [String] {
        let hasPairs = head.count { $0 == "\"" } % 2 == 0
        var (parts, isQuoted) = ([""], false)
        for character in head {
            if character == "\"", hasPairs { isQuoted.toggle() }
            if character == ";", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    /// The part of the line before the value, with its colon.
    var head: String { (group.map { $0 + "." } ?? "") + ([name] + parameters).joined(separator: ";") + ":" }

    /// Without the parameters that describe how the value was encoded, as it is plain text by now.
    func withoutEncoding(keepsBase64: Bool) -> CardProperty {
        var property = self
        property.parameters.removeAll { parameter in
            var read = VCardParameters()
            Array(parameter.utf8).withUnsafeBytes { read.add($0) }
            if read.charset != nil || read.encoding == .quotedPrintable { return true }
            let word = parameter.uppercased().filter { $0 != "\"" && !$0.isWhitespace }
            return !keepsBase64 && ["ENCODING=8BIT", "ENCODING=7BIT", "8BIT", "7BIT"].contains(word)
        }
        return property
    }
}
