import Testing
import TondoImage

@testable import tondo

@Suite struct SixelEncoderTests {
    /// A picture whose pixels a closure says.
    private func canvas(side: Int, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]) -> Canvas {
        Canvas(side: side, bytes: (0..<side).flatMap { y in (0..<side).flatMap { x in pixel(x, y) } })
    }

    private func read(_ canvas: Canvas, colors: Int = 256) throws -> SixelReader {
        try SixelReader(SixelEncoder.encode(IndexedImage(canvas, colors: colors)))
    }

    @Test func `A red square of three pixels is two bytes of picture`() {
        let image = IndexedImage(canvas(side: 3) { _, _ in [255, 0, 0, 255] })
        let text = String(decoding: SixelEncoder.encode(image), as: UTF8.self)
        #expect(text == "\u{1B}P0;1;0q\"1;1;3;3#0;2;100;0;0#0FFF\u{1B}\\")
    }

    @Test func `Equal columns are counted`() {
        let image = IndexedImage(canvas(side: 8) { _, y in y < 6 ? [0, 0, 255, 255] : [0, 0, 0, 0] })
        let text = String(decoding: SixelEncoder.encode(image), as: UTF8.self)
        #expect(text == "\u{1B}P0;1;0q\"1;1;8;8#0;2;0;0;100#0!8~-\u{1B}\\")
    }

    @Test(arguments: [1, 5, 6, 7, 13])
    func `Few colours come back as they were, whatever the number of rows`(_ side: Int) throws {
        let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 128, 0, 255], [10, 132, 255, 255], [0, 0, 0, 255]]
        let original = canvas(side: side) { x, y in colors[(x * 3 + y) % 4] }
        let read = try read(original)
        #expect(read.width == side && read.height == side)
        for (i, pixel) in read.pixels.enumerated() {
            let expected = original.bytes[(i * 4)..<(i * 4 + 3)]
            // A colour is named in percent.
            #expect(zip(try #require(pixel), expected).allSatisfy { abs($0 - Int($1)) <= 2 })
        }
    }

    @Test func `Pixels more than half transparent stay unset`() throws {
        let read = try read(canvas(side: 16) { x, y in [200, 100, 50, UInt8(y * 16 + x)] })
        #expect(read.pixels.enumerated().allSatisfy { ($1 != nil) == ($0 >= 128) })
    }

    @Test func `Soft edges lie on a mid-gray`() throws {
        let read = try read(canvas(side: 1) { _, _ in [255, 0, 0, 128] })
        #expect(try #require(read.pixels[0]).elementsEqual([191, 64, 64]) { abs($0 - $1) <= 2 })
    }

    @Test(arguments: [2, 16, 256])
    func `There are never more colours than asked for`(_ colors: Int) throws {
        let original = canvas(side: 32) { x, y in [UInt8(x * 8), UInt8(y * 8), UInt8(x ^ y), 255] }
        let read = try read(original, colors: colors)
        #expect((2...colors).contains(read.palette.count))
    }

    @Test func `Many colours come back closely, in the mean of a few pixels very closely`() throws {
        let side = 48
        let original = canvas(side: side) { x, y in [UInt8(x * 5), UInt8(y * 5), UInt8((x + y) * 2), 255] }
        let read = try read(original)
        var worst = (pixel: 0, block: 0)
        var lacks: [Int: Int] = [:]
        for (i, pixel) in read.pixels.enumerated() {
            for (c, value) in try #require(pixel).enumerated() {
                let lack = value - Int(original.bytes[i * 4 + c])
                worst.pixel = max(worst.pixel, abs(lack))
                lacks[(i / side / 4 * side + i % side / 4) * 3 + c, default: 0] += lack
            }
        }
        worst.block = lacks.values.map { abs($0) / 16 }.max() ?? 0
        #expect(worst.pixel <= 32)
        #expect(worst.block <= 6)
    }

    @Test func `A PNG's own pixels are drawn, without a circle`() throws {
        let original = canvas(side: 9) { x, _ in x == 4 ? [0, 0, 0, 0] : [255, 255, 255, 255] }
        let png = PNGEncoder.encode(pixels: original.bytes, width: 9, height: 9)
        let read = try SixelReader(SixelEncoder.encode(png))
        #expect(read.pixels.enumerated().allSatisfy { $1 == ($0 % 9 == 4 ? nil : [255, 255, 255]) })
    }

    @Test func `A large PNG is drawn smaller`() throws {
        let bytes = [UInt8](repeating: 255, count: 20 * 20 * 4)
        let png = PNGEncoder.encode(pixels: bytes, width: 20, height: 20)
        let read = try SixelReader(SixelEncoder.encode(png, longestSide: 12))
        #expect(read.width == 12)
        #expect(read.pixels.allSatisfy { $0 == [255, 255, 255] })
    }

    @Test func `A picture without any visible pixel is empty`() throws {
        let read = try read(canvas(side: 7) { _, _ in [0, 0, 0, 0] })
        #expect(read.palette.isEmpty && read.pixels.allSatisfy { $0 == nil })
    }
}
