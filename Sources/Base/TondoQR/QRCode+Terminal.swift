extension QRCode {
    /// Cells a line of `terminalText`.
    package var terminalColumns: Int { side + 2 * Self.quietZone }

    /// Lines for a terminal, with the quiet zone: a cell is two modules, one above the other, as `▀`. The colours are black and
    /// white of the fixed part of the palette, whatever the colours of the terminal are: many scanners read no light code on a
    /// dark ground.
    package var terminalText: String {
        let (start, end) = (-Self.quietZone, side + Self.quietZone)
        return stride(from: start, to: end, by: 2).map { row in
            var (line, last) = ("", "")
            for column in start..<end {
                // Below the last row of an odd number there is nothing to paint.
                let lower = row + 1 < end ? Self.color(self[row + 1, column]) : nil
                let colors = Self.escape(upper: Self.color(self[row, column]), lower: lower)
                if colors != last { line += colors }
                last = colors
                line += "▀"
            }
            return line + "\u{1B}[0m\n"
        }.joined()
    }

    /// Black or white, as numbers of the 256 colours.
    private static func color(_ isDark: Bool) -> Int { isDark ? 16 : 231 }

    private static func escape(upper: Int, lower: Int?) -> String {
        "\u{1B}[38;5;\(upper);\(lower.map { "48;5;\($0)" } ?? "49")m"
    }
}
