import Testing

@testable import TondoImage

/// Colours beside transparent pixels: chroma has half the resolution, so that what is hidden could shine through.
@Suite struct WebPEdgeTests {
    /// Levels by which visible pixels of the encoded file differ at most, on a ground of their own colour.
    private func error(_ canvas: Canvas) throws -> Double {
        let text = (keyword: "tondo-recipe", value: "x")
        let file = try AvatarFormat.webp(quality: 85).encode(canvas, texts: [text])
        let decoded = try file.withUnsafeBytes { try Canvas(showing: Photo($0), longestSide: canvas.side).bytes }
        var worst = 0.0
        for at in stride(from: 0, to: decoded.count, by: 4) {
            let alpha = Double(canvas.bytes[at + 3]) / 255
            for channel in at..<at + 3 {
                worst = max(worst, abs(Double(decoded[channel]) - Double(canvas.bytes[channel])) * alpha)
            }
        }
        return worst
    }

    /// A disc of this colour, with `hole` pixels a side cut out of its middle.
    private func disc(_ color: SIMD3<UInt8>, side: Int, hole: Int = 0) -> Canvas {
        let coverage = DiscCoverage(side: side, radius: Double(side) / 2)
        var bytes = [UInt8](repeating: 0, count: side * side * 4)
        let middle = (side - hole) / 2..<(side + hole) / 2
        for y in 0..<side {
            for x in 0..<side where !(middle ~= x && middle ~= y) {
                let alpha = UInt8((coverage.area(x: x, y: y) * 255).rounded())
                guard alpha > 0 else { continue }
                let at = (y * side + x) * 4
                (bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]) = (color.x, color.y, color.z, alpha)
            }
        }
        return Canvas(side: side, bytes: bytes)
    }

    private static let colors: [SIMD3<UInt8>] = [
        [255, 0, 0], [0, 255, 0], [30, 60, 220], [20, 150, 60], [255, 255, 255], [250, 220, 60], [0, 0, 0],
    ]

    @Test(arguments: Self.colors, [47, 48, 96])
    func `A disc of one colour keeps it up to its edge`(_ color: SIMD3<UInt8>, side: Int) throws {
        #expect(try error(disc(color, side: side)) <= 2)
    }

    @Test(arguments: Self.colors) func `So it does around a hole`(_ color: SIMD3<UInt8>) throws {
        #expect(try error(disc(color, side: 96, hole: 31)) <= 2)
    }

    @Test func `A canvas without visible pixels is encoded`() throws {
        let canvas = Canvas(side: 20, bytes: [UInt8](repeating: 0, count: 1_600))
        #expect(try !AvatarFormat.webp(quality: 85).encode(canvas, texts: []).isEmpty)
    }
}
