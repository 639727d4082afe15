import Foundation
import Testing
import TondoTestSupport

@testable import TondoImage

/// Pictures of whole photos: `Style.Shape.whole`.
@Suite struct WholePhotoTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]

    /// A PNG whose left half is red, and whose right half is blue. `orientation`: of Exif.
    private static func photo(_ width: Int, _ height: Int, orientation: UInt8 = 1) -> [UInt8] {
        let row = (0..<width).flatMap { $0 * 2 < width ? red : blue }
        var bytes = PNGEncoder.encode(
            pixels: (0..<height).flatMap { _ in row }, width: width, height: height)
        let tiff: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0,
        ]
        bytes.insert(contentsOf: PNGFile.chunk("eXIf", tiff), at: 33)
        return bytes
    }

    private static func style(_ side: Int, _ shape: Style.Shape = .whole, crop: Style.Crop = .face) -> Style {
        var style = Style(size: side)
        style.shape = shape
        style.crop = crop
        return style
    }

    private static func draw(_ bytes: [UInt8], crop: CropRectangle? = nil, _ styles: Style...) throws -> [Canvas] {
        try bytes.withUnsafeBytes { try AvatarRenderer(styles: styles).draw(Photo($0, crop: crop)).canvases }
    }

    private static func pixel(_ canvas: Canvas, _ x: Int, _ y: Int) -> [UInt8] {
        Array(canvas.bytes[(y * canvas.side + x) * 4..<(y * canvas.side + x) * 4 + 4])
    }

    /// Columns and rows that are not empty, all of which are opaque.
    private static func shown(_ canvas: Canvas) -> (columns: Range<Int>, rows: Range<Int>)? {
        let found = (0..<canvas.side * canvas.side).filter { canvas.bytes[$0 * 4 + 3] == 255 }
        let (columns, rows) = (Set(found.map { $0 % canvas.side }), Set(found.map { $0 / canvas.side }))
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max(),
            found.count == columns.count * rows.count,
            canvas.bytes.indices.allSatisfy({ $0 % 4 != 3 || canvas.bytes[$0] == 0 || canvas.bytes[$0] == 255 })
        else { return nil }
        return (left..<(right + 1), top..<(bottom + 1))
    }

    @Test(arguments: [
        (40, 20, 0..<16, 4..<12), (20, 40, 4..<12, 0..<16), (16, 16, 0..<16, 0..<16), (7, 5, 0..<16, 2..<14),
        (3000, 1, 0..<16, 7..<9), (1, 3000, 7..<9, 0..<16), (1, 1, 0..<16, 0..<16),
    ])
    func `All of a photo is in the middle, and around it there is nothing`(
        _ width: Int, _ height: Int, _ columns: Range<Int>, _ rows: Range<Int>
    ) throws {
        let canvas = try #require(try Self.draw(Self.photo(width, height), Self.style(16)).first)
        let shown = try #require(Self.shown(canvas))
        #expect(shown.columns == columns && shown.rows == rows)
        #expect(Self.pixel(canvas, columns.lowerBound, rows.lowerBound) == Self.red)
        if width > 1 { #expect(Self.pixel(canvas, columns.upperBound - 1, rows.upperBound - 1) == Self.blue) }
    }

    @Test(arguments: [(3, true), (6, false), (8, true)])
    func `A turned photo is upright`(_ orientation: UInt8, _ isRedLast: Bool) throws {
        let canvas = try #require(
            try Self.draw(Self.photo(40, 20, orientation: orientation), Self.style(16)).first)
        let shown = try #require(Self.shown(canvas))
        #expect(shown == (orientation == 3 ? (0..<16, 4..<12) : (4..<12, 0..<16)))
        let first = Self.pixel(canvas, shown.columns.lowerBound, shown.rows.lowerBound)
        #expect(first == (isRedLast ? Self.blue : Self.red))
    }

    @Test func `Crops of the contact and of the style do not count`() throws {
        let photo = Self.photo(40, 20)
        let crop = CropRectangle(x: 0, y: 0, width: 8, height: 8)
        let whole = try Self.draw(photo, Self.style(16))[0]
        #expect(try Self.draw(photo, crop: crop, Self.style(16, crop: .top))[0].bytes == whole.bytes)
    }

    @Test func `It changes no picture that is drawn with it`() throws {
        let photo = Self.photo(40, 20)
        let crop = CropRectangle(x: 4, y: 4, width: 8, height: 8)
        let (circle, whole) = (Self.style(16, .circle), Self.style(16))
        for crop in [nil, crop] {
            let both = try Self.draw(photo, crop: crop, circle, whole)
            #expect(both[0].bytes == (try Self.draw(photo, crop: crop, circle)[0].bytes))
            #expect(both[1].bytes == (try Self.draw(photo, whole)[0].bytes))
        }
    }

    @Test func `The longer side decides at which scale a photo is decoded`() throws {
        let bytes = try Sample.bytes("ada.jpg")
        try bytes.withUnsafeBytes { bytes in
            let geometry = try PhotoGeometry(probing: bytes)
            let long = max(geometry.width, geometry.height)
            for denominator in [2, 4, 8] {
                let renderer = AvatarRenderer(styles: [Self.style(long / (2 * denominator))])
                #expect(renderer.decodeDenominator(for: geometry, crop: nil) == denominator)
            }
        }
    }

    @Test func `Around a photo of inks there is nothing, either`() throws {
        let file = Fixture.root.appendingPathComponent("decodes-like-reference/icc-cmyk-8-bit-table.jpg")
        let canvas = try Self.draw([UInt8](try Data(contentsOf: file)), Self.style(49))[0]
        #expect(try #require(Self.shown(canvas)) == (0..<49, 6..<43))
    }
}
