/// Names and their values, one pair a line, the values under each other. For people.
struct KeyValueBlock {
    private var lines: [(name: String, value: String)] = []

    /// A value that is not there gets no line. Control characters are made visible.
    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        lines.append((name, Terminal.printable(value)))
    }

    /// Lines, each with its line feed and without blanks at its end.
    var text: String {
        let width = (lines.map { DisplayText.width($0.name) }.max() ?? 0) + 3
        return lines.map { name, value in
            let blanks = value.isEmpty ? 0 : width - DisplayText.width(name)
            return name + String(repeating: " ", count: blanks) + value + "\n"
        }.joined()
    }
}
