import Testing

@testable import TondoImage

@Suite struct CanvasShowingTests {
    private func show(
        _ width: Int, _ height: Int, longestSide: Int, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]
    ) throws -> Canvas {
        let pixels = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
        let png = PNGEncoder.encode(pixels: pixels, width: width, height: height)
        return try png.withUnsafeBytes { try Canvas(showing: Photo($0), longestSide: longestSide) }
    }

    @Test func `A picture of the wanted size keeps every pixel, corners and soft ones too`() throws {
        let pixel = { (x: Int, y: Int) in
            (x + y) % 3 == 0 ? [0, 0, 0, 0] : [UInt8(x * 20), UInt8(y * 20), 255, UInt8(155 + x * 10)]
        }
        let canvas = try show(10, 10, longestSide: 10, pixel)
        let expected = (0..<10).flatMap { y in (0..<10).flatMap { x in pixel(x, y) } }
        #expect(canvas.side == 10)
        #expect(zip(canvas.bytes, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test func `A larger one is drawn smaller`() throws {
        let canvas = try show(32, 32, longestSide: 8) { x, _ in x < 16 ? [255, 0, 0, 255] : [0, 0, 255, 255] }
        #expect(canvas.side == 8)
        #expect(Array(canvas.bytes.prefix(4)) == [255, 0, 0, 255])
    }

    @Test func `Of an oblong one the middle is shown`() throws {
        let canvas = try show(9, 3, longestSide: 100) { x, _ in (3..<6).contains(x) ? [9, 8, 7, 255] : [0, 0, 0, 0] }
        #expect(canvas.side == 3)
        #expect(canvas.bytes == Array(repeating: [9, 8, 7, 255], count: 9).flatMap { $0 })
    }
}
