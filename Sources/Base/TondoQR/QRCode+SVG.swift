extension QRCode {
    /// An SVG document of one unit a module, dark on white with its quiet zone. It has no size of its own, no style and no
    /// script, so that a page with a strict policy may show it.
    package var svg: String {
        let (edge, zone) = (side + 2 * Self.quietZone, Self.quietZone)
        var path = ""
        for row in 0..<side {
            for run in runs(of: row) { path += "M\(run.lowerBound + zone) \(row + zone)h\(run.count)v1h-\(run.count)z" }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(edge) \(edge)" shape-rendering="crispEdges">\
            <rect width="\(edge)" height="\(edge)" fill="#fff"/><path fill="#000" d="\(path)"/></svg>

            """
    }

    /// The columns of dark modules that touch each other.
    private func runs(of row: Int) -> [Range<Int>] {
        var (runs, start): ([Range<Int>], Int?) = ([], nil)
        for column in 0...side {
            if self[row, column] {
                start = start ?? column
            } else if let first = start {
                runs.append(first..<column)
                start = nil
            }
        }
        return runs
    }
}
