internal import TondoText

/// Values in JSON, as programs write a list of a data base into one field of a table: `["ada@example.org"]`,
/// `[{"label": "work", "value": "ada@example.org"}]`, `{"work": "ada@example.org"}`.
enum JSONCell {
    /// Each with its label, empty if it has none. Nil for other text.
    static func values(in text: String) -> [(text: String, label: String)]? {
        guard let first = text.utf8.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
            let tape = try? JSONTape(SourceText(FileBytes(Array(text.utf8)))), tape.failure == nil
        else { return nil }
        return tape.root.map { values(of: $0, label: "", depth: 3) }
    }

    private static func values(of value: JSONValue, label: String, depth: Int) -> [(text: String, label: String)] {
        if let text = value.string ?? value.number { return [(text, label)] }
        if depth == 0 { return [] }
        if value.isArray { return value.elements.flatMap { values(of: $0, label: label, depth: depth - 1) } }
        let members = value.members.map { (key: $0.key, value: $0.value) }
        let own = members.first { ["label", "type", "kind"].contains($0.key) }?.value.string ?? label
        let known = members.filter { ["value", "email", "number", "phone", "address"].contains($0.key) }
        if !known.isEmpty { return known.flatMap { values(of: $0.value, label: own, depth: depth - 1) } }
        return members.flatMap { values(of: $0.value, label: $0.key, depth: depth - 1) }
    }
}
