/// The coverage of every pixel of a square canvas by a disc around its centre: exact areas, not a distance ramp.
struct DiscCoverage {
    /// One row of the canvas: outside up to `edge`, partly covered up to `full`, covered from there; mirrored at the
    /// right.
    private struct Row {
        var edge: Int
        var full: Int
        var offset: Int
    }

    private let side: Int
    private var rows: [Row] = []
    /// Areas of partly covered pixels, 0...1.
    private var areas: [Float] = []

    /// `side`: pixels of the canvas; `radius`: pixels.
    init(side: Int, radius: Double) {
        self.side = side
        let disc = Disc(radius: max(radius, 0))
        let half = (side + 1) / 2
        for y in 0..<half { appendRow(y, half: half, disc: disc) }
    }

    private mutating func appendRow(_ y: Int, half: Int, disc: Disc) {
        let centre = Double(side) / 2
        let top = Double(y) - centre
        var row = Row(edge: half, full: half, offset: areas.count)
        // Starts just left of the first possible edge pixel, to test edge pixels only.
        let nearest = min(abs(top), abs(top + 1))
        var x = disc.radius > nearest ? max(0, Int(centre - disc.halfChord(nearest)) - 1) : half
        while x < half {
            let left = Double(x) - centre
            let area = disc.area(left: left, top: top)
            if area > 0 {
                row.edge = min(row.edge, x)
                if disc.contains(left: left, top: top) {
                    row.full = x
                    break
                }
                areas.append(Float(min(area, 1)))
            }
            x += 1
        }
        rows.append(row)
    }

    /// Covered part of the pixel, 0...1.
    func area(x: Int, y: Int) -> Float {
        let row = rows[min(y, side - 1 - y)]
        let column = min(x, side - 1 - x)
        if column < row.edge { return 0 }
        if column >= row.full { return 1 }
        return areas[row.offset + column - row.edge]
    }

    /// Columns of a row that the disc touches.
    func touched(y: Int) -> Range<Int> {
        let edge = rows[min(y, side - 1 - y)].edge
        return edge < side - edge ? edge..<(side - edge) : 0..<0
    }

    /// Columns of a row that the disc covers whole.
    func covered(y: Int) -> Range<Int> {
        let full = rows[min(y, side - 1 - y)].full
        return full < side - full ? full..<(side - full) : 0..<0
    }
}

/// A disc around the origin and its closed-form areas.
struct Disc {
    let radius: Double

    func halfChord(_ distance: Double) -> Double { max(0, radius * radius - distance * distance).squareRoot() }

    /// The unit square with this corner lies wholly inside.
    func contains(left: Double, top: Double) -> Bool {
        let x = max(abs(left), abs(left + 1))
        let y = max(abs(top), abs(top + 1))
        return x * x + y * y <= radius * radius
    }

    /// Area the disc shares with the unit square whose corner is at `left`, `top`.
    func area(left: Double, top: Double) -> Double {
        corner(x: left + 1, y: top + 1) - corner(x: left, y: top + 1) - corner(x: left + 1, y: top)
            + corner(x: left, y: top)
    }

    /// Signed area shared with the rectangle between the origin and (x, y); odd in both.
    private func corner(x: Double, y: Double) -> Double {
        let (width, height) = (min(abs(x), radius), min(abs(y), radius))
        let area: Double
        if width * width + height * height <= radius * radius {
            area = width * height
        } else {
            let flat = halfChord(height)
            area = height * flat + integral(width) - integral(flat)
        }
        return (x < 0) == (y < 0) ? area : -area
    }

    /// Area under the circle from 0 to x: the integral of sqrt(r^2 - t^2).
    private func integral(_ x: Double) -> Double {
        guard radius > 0 else { return 0 }
        return (x * halfChord(x) + radius * radius * Trigonometry.arcsin(min(x / radius, 1))) / 2
    }
}
