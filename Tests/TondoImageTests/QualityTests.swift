import Foundation
import Testing
import TondoTestSupport

@testable import TondoImage

/// Finished avatars against `Fixtures/quality`: an exact resize of the full-size photo, made without Tondo.
@Suite struct QualityTests {
    private static let side = 128

    @Test(arguments: Sample.names)
    func `A sample comes within 41 dB of an exact resize`(_ name: String) throws {
        let psnr = try psnr(name)
        #expect(psnr >= 41, "\(psnr) dB")
    }

    /// Drawn faces are smoother than photos, so the bounds for photos alone would let a worse decode or kernel through.
    /// dB, less than a decibel below what is reached.
    @Test(
        arguments: zip(Sample.names, [51.0, 54.4, 55.7, 57.0, 47.8, 68.0, 56.5, 54.4]))
    func `A sample comes as near to an exact resize as it did before`(_ name: String, _ least: Double) throws {
        let psnr = try psnr(name)
        #expect(psnr >= least, "\(psnr) dB")
    }

    @Test func `Half of the samples come within 47 dB of an exact resize`() throws {
        let sorted = try Sample.names.map { try psnr($0) }.sorted()
        let median = (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
        #expect(median >= 47, "\(median) dB")
    }

    /// dB over the pixels whose centre lies in the circle shrunk by a pixel: red, green and blue multiplied by alpha,
    /// and alpha itself where the photo has any.
    private func psnr(_ name: String) throws -> Double {
        let stem = name.prefix { $0 != "." }
        let file = Fixture.root.appendingPathComponent("quality/\(stem)-\(Self.side).expected.png")
        let expected = try #require(PNGReader([UInt8](Data(contentsOf: file))).pixels())
        let drawn = try Rendering.avatar(Sample.bytes(name), Style(size: Self.side)).canvases[0].bytes
        try #require(drawn.count == expected.count)
        let isOpaque = stride(from: 3, to: expected.count, by: 4).allSatisfy { expected[$0] == 255 }
        var (sum, count) = (0.0, 0.0)
        for index in 0..<Self.side * Self.side where Self.isInside(index % Self.side, index / Self.side) {
            let (a, b) = (Self.multiplied(drawn, index), Self.multiplied(expected, index))
            for channel in 0..<(isOpaque ? 3 : 4) {
                sum += (a[channel] - b[channel]) * (a[channel] - b[channel])
                count += 1
            }
        }
        return 10 * log10(255 * 255 * count / max(sum, 1e-9))
    }

    private static func isInside(_ x: Int, _ y: Int) -> Bool {
        let centre = Double(side) / 2
        let (across, down) = (Double(x) + 0.5 - centre, Double(y) + 0.5 - centre)
        return across * across + down * down <= (centre - 1) * (centre - 1)
    }

    private static func multiplied(_ bytes: [UInt8], _ index: Int) -> SIMD4<Double> {
        let pixel = SIMD4<Double>(SIMD4<UInt8>(bytes[index * 4..<index * 4 + 4]))
        var result = pixel * (pixel.w / 255)
        result.w = pixel.w
        return result
    }
}
