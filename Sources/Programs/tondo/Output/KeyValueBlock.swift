/// Aligned names and values, one pair per line. For humans.
struct KeyValueBlock {
    private var lines: [(name: String, value: String)] = []

    /// Cells between the longest name and the values.
    private static let gap = 3
    /// Values are not broken into pieces narrower than this.
    private static let leastWidth = 24

    /// A nil value gets no line. Control characters are made visible.
    mutating func add(_ name: String, value: String?) {
        guard let value else { return }
        lines.append((name, Terminal.printable(value)))
    }

    /// Several values below each other, after one name.
    mutating func add(_ name: String, values: [String]) {
        for (number, value) in values.enumerated() { add(number == 0 ? name : "", value: value) }
    }

    /// Lines with line feeds and without trailing blanks. `width`: cells of the terminal; longer values are broken
    /// between words. Nil, for pipes, breaks nothing.
    func text(width: Int? = nil) -> String {
        let indent = (lines.map { DisplayText.width($0.name) }.max() ?? 0) + Self.gap
        return lines.map { name, value in
            let parts = width.map { DisplayText.lines(value, cells: max($0 - indent, Self.leastWidth)) } ?? [value]
            return parts.enumerated().map { number, part in
                let name = number == 0 ? name : ""
                let blanks = part.isEmpty ? 0 : indent - DisplayText.width(name)
                return name + String(repeating: " ", count: blanks) + part + "\n"
            }.joined()
        }.joined()
    }
}
