internal import TondoImage

/// A picture of an upright photo that shows what `CropReport` says: the square, its circle with the rest darkened, the faces and
/// their landmarks.
struct CropPicture {
    /// Pixels of the longer side at most.
    static let longestSide = 1024

    /// Pixels.
    let width: Int
    let height: Int
    /// Rows of red, green, blue and alpha.
    private(set) var pixels: [UInt8]
    private let report: CropReport
    /// Pixels of the picture in one of the photo, at most 1.
    private let scale: Double

    /// A gray area, on which `put` places the photo.
    init(_ report: CropReport) {
        self.report = report
        let (across, down) = (report.photo.width, report.photo.height)
        let scale = min(1, Double(Self.longestSide) / Double(max(across, down, 1)))
        self.scale = scale
        width = max(Int((Double(across) * scale).rounded()), 1)
        height = max(Int((Double(down) * scale).rounded()), 1)
        pixels = [UInt8](repeating: 128, count: width * height * 4)
        for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
    }

    /// Places a square canvas with its upper left corner here. What does not fit is left out, and transparent pixels are shown on
    /// white.
    mutating func put(_ canvas: Canvas, x left: Int, y top: Int) {
        for row in 0..<canvas.side where 0..<height ~= top + row {
            for column in 0..<canvas.side where 0..<width ~= left + column {
                let source = (row * canvas.side + column) * 4
                let target = ((top + row) * width + left + column) * 4
                let alpha = Int(canvas.bytes[source + 3])
                for channel in 0..<3 {
                    let value = Int(canvas.bytes[source + channel]) * alpha + 255 * (255 - alpha)
                    pixels[target + channel] = UInt8(value / 255)
                }
            }
        }
    }

    /// Draws the lines; what is outside of the circle becomes darker.
    mutating func explain() {
        let side = Double(report.side)
        darken(outside: side / 2, around: (Double(report.x) + side / 2, Double(report.y) + side / 2))
        outline((Double(report.x), Double(report.y), side, side), in: Self.squareColor)
        for face in report.faces ?? [] {
            let isSure = face.score * 1000 >= Double(FaceRule.leastScore)
            let color = isSure ? Self.sureColor : Self.unsureColor
            outline((face.x, face.y, face.width, face.height), in: color)
            for landmark in face.landmarks { dot(x: landmark[0], y: landmark[1], in: color) }
        }
    }

    private typealias Color = (red: UInt8, green: UInt8, blue: UInt8)
    private static let squareColor: Color = (255, 255, 255)
    private static let sureColor: Color = (64, 224, 96)
    /// For faces that do not move the square.
    private static let unsureColor: Color = (255, 168, 32)

    /// Lengths in pixels of the photo.
    private mutating func darken(outside radius: Double, around centre: (x: Double, y: Double)) {
        let limit = radius * scale
        for row in 0..<height {
            for column in 0..<width {
                let across = Double(column) + 0.5 - centre.x * scale
                let down = Double(row) + 0.5 - centre.y * scale
                let distance = (across * across + down * down).squareRoot()
                if (distance - limit).magnitude < 1 {
                    set(column, row, to: Self.squareColor)
                } else if distance > limit {
                    let start = (row * width + column) * 4
                    for channel in start..<start + 3 { pixels[channel] = UInt8(Int(pixels[channel]) * 2 / 5) }
                }
            }
        }
    }

    /// Two pixels wide, inside of the box, which is in pixels of the photo.
    private mutating func outline(_ box: (x: Double, y: Double, width: Double, height: Double), in color: Color) {
        let (left, top) = (place(box.x), place(box.y))
        // A box from a file may have no area.
        let (right, bottom) = (max(place(box.x + box.width) - 1, left), max(place(box.y + box.height) - 1, top))
        for line in 0..<2 {
            fill(columns: left...right, rows: top + line...top + line, in: color)
            fill(columns: left...right, rows: bottom - line...bottom - line, in: color)
            fill(columns: left + line...left + line, rows: top...bottom, in: color)
            fill(columns: right - line...right - line, rows: top...bottom, in: color)
        }
    }

    private mutating func dot(x: Double, y: Double, in color: Color) {
        let (column, row) = (place(x), place(y))
        fill(columns: column - 1...column + 1, rows: row - 1...row + 1, in: color)
    }

    /// The pixel of the picture; one outside of it is near it.
    private func place(_ pixels: Double) -> Int { Int(min(max((pixels * scale).rounded(), -8), 2048)) }

    /// Pixels beyond the edges are left out.
    private mutating func fill(columns: ClosedRange<Int>, rows: ClosedRange<Int>, in color: Color) {
        for row in rows where 0..<height ~= row {
            for column in columns where 0..<width ~= column { set(column, row, to: color) }
        }
    }

    private mutating func set(_ column: Int, _ row: Int, to color: Color) {
        let start = (row * width + column) * 4
        pixels[start] = color.red
        pixels[start + 1] = color.green
        pixels[start + 2] = color.blue
    }
}

extension CropPicture {
    /// A square part of the photo, drawn as a square avatar of `side` pixels whose upper left corner is at `x`, `y` of the picture.
    struct Tile: Equatable {
        var crop: CropRectangle
        var side: Int
        var x: Int
        var y: Int
    }

    /// The rest of a photo that is longer than so many squares stays gray.
    private static let mostTiles = 32

    /// Squares that cover the photo, the last of which overlaps the one before. Workers draw squares alone.
    var tiles: [Tile] {
        let (across, down) = (report.photo.width, report.photo.height)
        let (short, long) = (min(across, down), max(across, down))
        let (side, end) = (min(width, height), max(width, height))
        let count = min((long + short - 1) / max(short, 1), Self.mostTiles)
        return (0..<count).map { index in
            let start = min(index * short, long - short)
            let place = min(Int((Double(start) * scale).rounded()), end - side)
            let isWide = across >= down
            // Crops count from the bottom.
            let crop = CropRectangle(
                x: isWide ? start : 0, y: isWide ? 0 : long - short - start, width: short, height: short)
            return Tile(crop: crop, side: side, x: isWide ? place : 0, y: isWide ? 0 : place)
        }
    }
}
