import Testing

@testable import TondoImage

/// A contact's crop of a picture whose quadrants, of four sizes, have four colours.
@Suite struct ContactCropTests {
    private static let seen = (width: 60, height: 40)
    /// Columns of the left quadrants, rows of the upper ones.
    private static let edge = (x: 24, y: 14)
    private static let colors: [[UInt8]] = [[200, 30, 30], [30, 200, 30], [30, 30, 200], [200, 200, 30]]

    /// Upper left, upper right, lower left, lower right; `y` counts from the bottom.
    private static let crops = [
        CropRectangle(x: 0, y: 26, width: 24, height: 14), CropRectangle(x: 24, y: 26, width: 36, height: 14),
        CropRectangle(x: 0, y: 0, width: 24, height: 26), CropRectangle(x: 24, y: 0, width: 36, height: 26),
    ]

    private enum Side { case top, bottom, left, right }

    /// Where the first row and the first column of the stored picture are seen (Exif 3.0 section 4.6.5.1.4).
    private static let first: [(row: Side, column: Side)] = [
        (.top, .left), (.top, .right), (.bottom, .right), (.bottom, .left), (.left, .top), (.right, .top),
        (.right, .bottom), (.left, .bottom),
    ]

    @Test(arguments: 1...8, 0...3)
    func `A crop shows the quadrant it names, however the photo is turned`(_ orientation: Int, _ quadrant: Int) throws {
        let canvas = try photo(orientation).withUnsafeBytes {
            try AvatarRenderer(styles: [Style(size: 12)]).draw(Photo($0, crop: Self.crops[quadrant])).canvases[0]
        }
        let opaque = stride(from: 0, to: canvas.bytes.count, by: 4).filter { canvas.bytes[$0 + 3] == 255 }
        #expect(opaque.contains((6 * 12 + 6) * 4))
        #expect(Set(opaque.map { Array(canvas.bytes[$0..<$0 + 3]) }) == [Self.colors[quadrant]])
    }

    /// A PNG with an eXIf chunk behind its header.
    private func photo(_ orientation: Int) -> [UInt8] {
        let first = Self.first[orientation - 1]
        let isTurned = first.row == .left || first.row == .right
        let (width, height) = isTurned ? (Self.seen.height, Self.seen.width) : Self.seen
        var file = PNGFile(width: width, height: height, type: 2)
        file.rows = (0..<height).flatMap { row in
            [0] + (0..<width).flatMap { column in color(of: [(first.row, row), (first.column, column)]) }
        }
        let tiff: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0, 0,
        ]
        var bytes = file.bytes
        bytes.insert(contentsOf: PNGFile.chunk("eXIf", tiff), at: 33)
        return bytes
    }

    private func color(of distances: [(from: Side, Int)]) -> [UInt8] {
        var (x, y) = (0, 0)
        for (side, distance) in distances {
            switch side {
            case .top: y = distance
            case .bottom: y = Self.seen.height - 1 - distance
            case .left: x = distance
            case .right: x = Self.seen.width - 1 - distance
            }
        }
        return Self.colors[(y < Self.edge.y ? 0 : 2) + (x < Self.edge.x ? 0 : 1)]
    }
}
