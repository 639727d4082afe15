import Testing
import TondoTestSupport

@testable import TondoImage

/// The finished canvas against its closed form, on real styles.
@Suite struct CompositorTests {
    private static let color = RGBA(red: 10, green: 132, blue: 255)

    private func canvas(_ style: Style, filled pixel: SIMD4<Float>) -> Canvas {
        let stencil = Stencil(style: style)
        let side = stencil.grid.pixels.count
        let image = FloatImage(side: side, pixels: Array(repeating: pixel, count: side * side))
        return Compositor(stencil: stencil).draw(image)
    }

    /// One channel of a canvas pixel over an opaque background.
    private func over(_ canvas: Canvas, _ index: Int, _ channel: Int, _ background: Double) -> Double {
        let alpha = Double(canvas.bytes[index * 4 + 3]) / 255
        return Double(canvas.bytes[index * 4 + channel]) * alpha + background * (1 - alpha)
    }

    @Test(arguments: [16, 17, 48, 96, 128, 255, 512])
    func `Alpha without a ring is the disc that touches the edges`(_ side: Int) {
        let canvas = canvas(Style(size: side), filled: SIMD4(200, 100, 50, 255))
        let disc = DiscCoverage(side: side, radius: Double(side) / 2)
        for y in 0..<side {
            for x in 0..<side {
                let alpha = Double(canvas.bytes[(y * side + x) * 4 + 3])
                #expect(abs(alpha - 255 * Double(disc.area(x: x, y: y))) <= 1)
            }
        }
    }

    @Test(arguments: [(96, 1, 4.0, 3.0), (48, 3, 2.0, 0.0), (64, 2, 1.5, 2.25), (33, 1, 5.0, 1.0)])
    func `Ring, gap and picture follow their closed form on white, black and magenta`(
        _ size: Int, _ scale: Int, _ width: Double, _ gap: Double
    ) {
        let ring = Style.Ring(width: width, gap: gap, color: Self.color)
        let style = Style(size: size, scale: scale, state: .selected, ring: ring)
        let canvas = canvas(style, filled: SIMD4(200, 100, 50, 255))
        let (side, pixelsAPoint) = (style.side, Double(scale))
        let radius = Double(side) / 2
        let outer = DiscCoverage(side: side, radius: radius)
        let inner = DiscCoverage(side: side, radius: radius - width * pixelsAPoint)
        let image = DiscCoverage(side: side, radius: radius - (width + gap) * pixelsAPoint)
        for index in 0..<side * side {
            let (x, y) = (index % side, index / side)
            let ringArea = Double(outer.area(x: x, y: y) - inner.area(x: x, y: y))
            let imageArea = Double(image.area(x: x, y: y))
            for (ringValue, imageValue, background) in zip3([10, 132, 255], [200, 100, 50], [255, 0, 255]) {
                let channel = ringValue == 10 ? 0 : ringValue == 132 ? 1 : 2
                let wanted =
                    ringValue * ringArea + imageValue * imageArea
                    + background * (1 - ringArea - imageArea)
                #expect(abs(over(canvas, index, channel, background) - wanted) <= 1.01)
            }
        }
    }

    private func zip3(_ a: [Double], _ b: [Double], _ c: [Double]) -> [(Double, Double, Double)] {
        zip(zip(a, b), c).map { ($0.0, $0.1, $1) }
    }

    @Test(arguments: [Float(1), 1.05, 1.1, 0.5])
    func `A colour stays as it is where the resampled alpha overshoots`(_ overshoot: Float) {
        let canvas = canvas(Style(size: 32), filled: SIMD4(128, 60, 200, 255) * overshoot)
        let center = (16 * 32 + 16) * 4
        #expect(Array(canvas.bytes[center..<center + 3]) == [128, 60, 200])
    }

    @Test func `Colours are 0 wherever alpha is 0`() {
        for state in Style.State.allCases {
            let style = Style(size: 96, state: state, ring: .suited(to: 96))
            let bytes = canvas(style, filled: SIMD4(255, 255, 255, 255)).bytes
            for i in stride(from: 0, to: bytes.count, by: 4) where bytes[i + 3] == 0 {
                #expect(bytes[i..<i + 3].allSatisfy { $0 == 0 })
            }
        }
    }

    @Test func `Selecting neither moves nor resizes the face`() throws {
        let bytes = try Fixture.all(in: "decodes-like-reference")[0].bytes
        let ring = Style.Ring.suited(to: 64)
        let styles = Style.State.allCases.map { Style(size: 64, state: $0, ring: ring) }
        let drawing = try bytes.withUnsafeBytes { try AvatarRenderer(styles: styles).draw(Photo($0)) }
        let inner = DiscCoverage(side: 64, radius: 32 - ring.width - ring.gap)
        for y in 0..<64 {
            for x in inner.touched(y: y) {
                let i = (y * 64 + x) * 4
                #expect(drawing.canvases[0].bytes[i..<i + 4] == drawing.canvases[1].bytes[i..<i + 4])
            }
        }
    }

    @Test func `Transparent pictures keep their alpha inside the circle`() {
        let canvas = canvas(Style(size: 32), filled: SIMD4(50, 0, 0, 100))
        #expect(Array(canvas.bytes[(16 * 32 + 16) * 4..<(16 * 32 + 17) * 4]) == [128, 0, 0, 100])
    }

    @Test func `A background fills what is transparent, inside the circle only`() {
        let white = RGBA(red: 255, green: 255, blue: 255)
        let canvas = canvas(Style(size: 32, background: white), filled: .zero)
        #expect(Array(canvas.bytes[(16 * 32 + 16) * 4..<(16 * 32 + 17) * 4]) == [255, 255, 255, 255])
        #expect(Array(canvas.bytes[0..<4]) == [0, 0, 0, 0])
    }

    /// A row is drawn by the kernel up to its first pixel that is not opaque.
    @Test func `Opaque pixels have the same bytes behind a transparent one`() {
        let stencil = Stencil(style: Style(size: 61))
        var noise = Noise()
        let opaque = (0..<61 * 61).map { _ in
            var pixel = SIMD4<Float>(Float(noise.byte()), Float(noise.byte()), Float(noise.byte()), 0) * 1.25 - 30
            pixel.w = 255 + (Float(noise.byte()) - 128) / 65536
            return pixel
        }
        var mixed = opaque
        for y in 0..<61 {
            if let x = stencil.image.covered(y: y).first { mixed[y * 61 + x] = SIMD4(20, 20, 20, 100) }
        }
        let canvases = [opaque, mixed].map { pixels in
            Compositor(stencil: stencil).draw(FloatImage(side: 61, pixels: pixels)).bytes
        }
        for index in opaque.indices where opaque[index] == mixed[index] {
            #expect(canvases[0][index * 4..<index * 4 + 4] == canvases[1][index * 4..<index * 4 + 4])
        }
    }

    @Test func `Overshoot of the resampler is cut`() {
        let canvas = canvas(Style(size: 32), filled: SIMD4(270, -12, 128, 255.0001))
        #expect(Array(canvas.bytes[(16 * 32 + 16) * 4..<(16 * 32 + 17) * 4]) == [255, 0, 128, 255])
    }
}
