/// Rows of text under headings.
struct Table {
    enum Alignment { case left, right }

    struct Column {
        var title: String
        var alignment = Alignment.left
        /// Long cells may be shortened in the middle.
        var isFlexible = false
        /// If the terminal is too narrow for all columns, those with the lowest of these are shown; 0 always is.
        var dispensability = 0
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    /// Cells between two columns.
    private static let gap = 2
    /// The minimum width of a flexible column.
    private static let leastFlexible = 8
    /// The width a flexible column should have before another column is shown.
    private static let readable = 24

    init(columns: [Column]) {
        self.columns = columns
        rows = [columns.map(\.title)]
    }

    /// One cell per column. Control characters are made visible.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "not one cell a column")
        rows.append(cells.map(Terminal.printable))
    }

    /// Lines with line feeds and tabs between the cells, whole: for pipes.
    var tabbed: String { rows.map { $0.joined(separator: "\t") + "\n" }.joined() }

    /// Aligned lines with line feeds and without trailing blanks, none wider than `width`, the cells of the terminal; nil
    /// shortens and drops nothing. `paint`: of the headings.
    func text(width: Int?, paint: Paint = .none) -> String {
        var shown = columns.indices.map { column in
            (column: column, width: rows.map { DisplayText.width($0[column]) }.max() ?? 0)
        }
        if let width {
            shown = withoutDispensable(shown, limit: width)
            shorten(&shown, limit: width)
        }
        return rows.enumerated().map { number, row in
            paint(line(of: row, shown: shown), number == 0 ? .heading : nil) + "\n"
        }.joined()
    }

    /// The columns that fit, with their widths. A wide one that does not fit leaves its room to those after it.
    private func withoutDispensable(_ all: [(column: Int, width: Int)], limit: Int) -> [(column: Int, width: Int)] {
        var needed = -Self.gap
        var fitting: Set<Int> = []
        for next in all.sorted(by: { columns[$0.column].dispensability < columns[$1.column].dispensability }) {
            let column = columns[next.column]
            let width = Self.gap + (column.isFlexible ? min(next.width, Self.readable) : next.width)
            if column.dispensability > 0, needed + width > limit { continue }
            needed += width
            fitting.insert(next.column)
        }
        return all.filter { fitting.contains($0.column) }
    }

    /// Shortens the widest flexible column first; if all of them are as narrow as they may be, the widest column of all.
    private func shorten(_ shown: inout [(column: Int, width: Int)], limit: Int) {
        var excess = shown.reduce(Self.gap * (shown.count - 1)) { $0 + $1.width } - limit
        while excess > 0, let widest = widest(shown, where: isFlexible) ?? widest(shown, where: { $0.width > 1 }) {
            shown[widest].width -= 1
            excess -= 1
        }
    }

    private func isFlexible(_ shown: (column: Int, width: Int)) -> Bool {
        let column = columns[shown.column]
        return column.isFlexible && shown.width > max(Self.leastFlexible, DisplayText.width(column.title))
    }

    private func widest(
        _ shown: [(column: Int, width: Int)], where isShortenable: ((column: Int, width: Int)) -> Bool
    ) -> Int? {
        shown.indices.filter { isShortenable(shown[$0]) }.max { shown[$0].width < shown[$1].width }
    }

    private func line(of cells: [String], shown: [(column: Int, width: Int)]) -> String {
        var line = ""
        var blanks = 0
        for (index, width) in shown {
            let column = columns[index]
            let cell = DisplayText.shortened(cells[index], to: width)
            let rest = width - DisplayText.width(cell)
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
