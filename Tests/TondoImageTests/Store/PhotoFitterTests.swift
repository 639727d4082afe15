import Foundation
import Testing
import TondoTestSupport

@testable import TondoImage

/// Photos that are drawn again so that a book can store them.
@Suite struct PhotoFitterTests {
    private func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Repository.data(name)) }

    private func fit(_ bytes: [UInt8], side: Int = 720, bytes limit: Int = 100_000) throws -> [UInt8] {
        try bytes.withUnsafeBytes {
            try PhotoFitter(bounds: .init(maxSide: side, maxBytes: limit)).fit($0).bytes
        }
    }

    /// What can be stored as it is, within the same bounds.
    private func stored(_ bytes: [UInt8], side: Int = 720, bytes limit: Int = 100_000) throws -> StorablePhoto {
        try bytes.withUnsafeBytes { try StorablePhoto(plain: $0, within: .init(maxSide: side, maxBytes: limit)) }
    }

    /// The whole picture, as a square of this side.
    private func pixels(_ bytes: [UInt8], side: Int) throws -> [UInt8] {
        var style = Style(size: side)
        style.shape = .whole
        return try bytes.withUnsafeBytes { try AvatarRenderer(styles: [style]).draw(Photo($0)).canvases[0].bytes }
    }

    /// The disc in the middle, whose size depends on no rounding of the sides.
    private func centre(_ bytes: [UInt8]) throws -> [UInt8] {
        let renderer = AvatarRenderer(styles: [Style(size: 240)])
        return try bytes.withUnsafeBytes { try renderer.draw(Photo($0)).canvases[0].bytes }
    }

    /// Decibels (PSNR) between two pictures of equal size.
    private func likeness(_ one: [UInt8], _ other: [UInt8]) -> Double {
        let squares = zip(one, other).reduce(0.0) { (sum: Double, pair: (UInt8, UInt8)) -> Double in
            let difference = Double(pair.0) - Double(pair.1)
            return sum + difference * difference
        }
        return squares == 0 ? 99 : 10 * log10(255 * 255 * Double(one.count) / squares)
    }

    private static let samples = ["ada.jpg", "bo.jpg", "chidi.jpg", "dora.jpg", "emi.jpg", "greta.jpg", "hana.jpg"]

    @Test(arguments: samples) func `A photo is fitted into the bounds, and shows the same`(_ name: String) throws {
        let original = try bytes("assets/samples/\(name)")
        let fitted = try fit(original)
        let photo = try stored(fitted)
        #expect(photo.removed == 0)
        let (width, height) = photo.geometry.orientedSize
        #expect(max(width, height) == 720)
        let before = try original.withUnsafeBytes { try PhotoGeometry(probing: $0) }.orientedSize
        #expect(abs(before.width * height - before.height * width) <= max(before.width, before.height))
        #expect(try likeness(centre(original), centre(fitted)) > 38)
    }

    @Test func `At its own size a photo stays the same within 40 dB`() throws {
        let original = try bytes("assets/samples/chidi.jpg")
        let fitted = try fit(original, side: 1_120, bytes: 1_000_000)
        #expect(try stored(fitted, side: 1_120, bytes: 1_000_000).geometry.orientedSize == (840, 1_120))
        #expect(try likeness(pixels(original, side: 1_024), pixels(fitted, side: 1_024)) > 40)
    }

    @Test(arguments: [50_000, 20_000, 6_000, 1_500]) func `The best quality that fits is taken, and then shorter sides`(
        _ limit: Int
    ) throws {
        let fitted = try fit(try bytes("assets/samples/bo.jpg"), bytes: limit)
        #expect(fitted.count <= limit && fitted.count > limit / 2)
        _ = try stored(fitted, bytes: limit)
    }

    @Test(arguments: [32, 100, 720, 1_200, 1_900, 3_000, 8_192])
    func `Few large pictures are drawn to find the side that fits`(_ fitting: Int) {
        var (sides, drawn) = (FittingSides(from: 8_192, least: 32), [Int]())
        let all = sides.sides
        sides.leaveOut { side in
            drawn.append(side)
            return side <= fitting
        }
        #expect(sides.sides.first { $0 <= fitting } == all.first { $0 <= fitting })
        // One that does not fit has three times the pixels at most of one that does, but for the first one, which is small.
        #expect(drawn.allSatisfy { $0 <= max(fitting * 9 / 5, 1_024) })
        #expect(sides.sides.first.map { $0 <= max(fitting * 9 / 5, 1_024) } == true)
    }

    @Test func `Bounds that no picture fits into are refused`() throws {
        #expect(throws: RenderError.self) { try fit(try bytes("assets/samples/bo.jpg"), bytes: 300) }
    }

    @Test func `Pictures in each orientation come out upright, at their exact size`() throws {
        let folder = "Tests/Fixtures/orientation"
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.path(folder)).sorted()
        let photos = try names.filter { $0.hasSuffix(".jpg") }.map { try bytes("\(folder)/\($0)") }
        #expect(photos.count >= 8)
        for photo in photos {
            let fitted = try fit(photo, bytes: 1_000_000)
            let size = try photo.withUnsafeBytes { try PhotoGeometry(probing: $0) }.orientedSize
            let own = try stored(fitted, bytes: 1_000_000).geometry
            #expect(own.orientedSize == size && own.orientation == .up)
            #expect(try likeness(pixels(photo, side: 64), pixels(fitted, side: 64)) > 30)
        }
    }

    @Test func `What is transparent stays so in a PNG that fits, else it lies on white`() throws {
        let original = try bytes("assets/samples/farid.png")
        let png = try fit(original, bytes: 1_000_000)
        #expect(png.starts(with: [0x89, 0x50]))
        #expect(try likeness(pixels(original, side: 256), pixels(png, side: 256)) > 45)
        let jpeg = try fit(original, bytes: 20_000)
        #expect(jpeg.starts(with: [0xFF, 0xD8]) && jpeg.count <= 20_000)
        #expect(try pixels(jpeg, side: 64)[(32 * 64 + 5) * 4] > 200)
    }

    @Test func `Grays need one component`() throws {
        let fitted = try fit(try bytes("assets/samples/greta.jpg"))
        #expect(try fitted.withUnsafeBytes { try ImageHeader(probing: $0).sampling.count } == 1)
    }

    @Test(arguments: [
        "Tests/Fixtures/colour/adobe-skin.png", "Tests/Fixtures/colour/cmyk-8-bit-table-skin.jpg",
        "Tests/Fixtures/colour/chrm-p3-skin.png",
    ]) func `Other colours become those of sRGB`(_ name: String) throws {
        let original = try bytes(name)
        let fitted = try fit(original)
        _ = try stored(fitted)
        #expect(try likeness(pixels(original, side: 16), pixels(fitted, side: 16)) > 38)
    }

    @Test func `The smaller of baseline and progressive is taken, and nothing is longer than allowed`() throws {
        let pixels = (0..<64 * 64).flatMap { (index: Int) -> [UInt8] in
            [UInt8(truncatingIfNeeded: index), UInt8(truncatingIfNeeded: index >> 4), 128, 255]
        }
        let picture = JPEGEncoder.Picture(pixels: pixels, width: 64, height: 64)
        let sizes = try [true, false].map {
            try #require(try JPEGEncoder.encode(picture, quality: 95, isProgressive: $0, maxBytes: 100_000)).count
        }
        #expect(try JPEGEncoder.best(picture, maxBytes: 100_000)?.count == sizes.min())
        for limit in [0, 1, 2, 10, 100, 300] {
            #expect(try JPEGEncoder.best(picture, maxBytes: limit).map { $0.count <= limit } != false)
        }
    }

    @Test(arguments: [Repository.truncated, Repository.bmp, Repository.text])
    func `What cannot be drawn cannot be fitted`(_ name: String) throws {
        #expect(throws: RenderError.self) { try fit(try bytes(name)) }
    }
}
