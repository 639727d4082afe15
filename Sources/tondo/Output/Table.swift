/// Rows of text under headings, for people.
struct Table {
    enum Alignment { case left, right }

    /// `isFlexible`: its long cells may be shortened in the middle; for one column of a table.
    struct Column {
        var title: String
        var alignment = Alignment.left
        var isFlexible = false
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    /// Cells between two columns.
    private static let gap = 2
    /// What a flexible column keeps, however narrow the terminal is.
    private static let leastFlexible = 8

    init(_ columns: [Column]) {
        self.columns = columns
        rows = [columns.map(\.title)]
    }

    /// One cell a column. Control characters are made visible.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "not one cell a column")
        rows.append(cells.map(Terminal.printable))
    }

    /// Lines, each with its line feed and without blanks at its end. `width`: cells of the terminal; nil shortens nothing,
    /// as is right for a pipe. See `StandardStreams.outputColumns`.
    func text(width: Int?) -> String {
        let widths = widths(within: width)
        return rows.map { line($0, widths) + "\n" }.joined()
    }

    private func widths(within limit: Int?) -> [Int] {
        var widths = columns.indices.map { column in rows.map { DisplayText.width($0[column]) }.max() ?? 0 }
        guard let limit, let flexible = columns.firstIndex(where: \.isFlexible) else { return widths }
        let excess = widths.reduce(Self.gap * (columns.count - 1), +) - limit
        let least = max(Self.leastFlexible, DisplayText.width(columns[flexible].title))
        if excess > 0 { widths[flexible] = min(widths[flexible], max(widths[flexible] - excess, least)) }
        return widths
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        var blanks = 0
        for (index, column) in columns.enumerated() {
            let cell = column.isFlexible ? DisplayText.shortened(cells[index], to: widths[index]) : cells[index]
            let rest = widths[index] - DisplayText.width(cell)
            if column.alignment == .right { blanks += rest }
            if !cell.isEmpty {
                line += String(repeating: " ", count: blanks) + cell
                blanks = 0
            }
            blanks += Self.gap + (column.alignment == .left ? rest : 0)
        }
        return line
    }
}
