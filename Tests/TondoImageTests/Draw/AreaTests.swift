import Testing

@testable import TondoImage

/// Finished canvases against areas that are computed here, not by `DiscCoverage`.
@Suite struct AreaTests {
    private static let image = SIMD4<Double>(200, 100, 50, 255)
    private static let backgrounds: [SIMD3<Double>] = [[255, 255, 255], [0, 0, 0], [255, 0, 255]]

    @Test(arguments: [16, 17, 24, 33, 48, 64, 96, 128, 255, 512])
    func `Alpha is the exact area of the disc, within a level`(_ side: Int) {
        let bytes = canvas(Style(size: side)).bytes
        let disc = SlicedDisc(side: side, radius: Double(side) / 2)
        var worst = 0.0
        for index in 0..<side * side {
            let alpha = Double(bytes[index * 4 + 3])
            worst = max(worst, abs(alpha - 255 * disc.area(index % side, index / side)))
        }
        #expect(worst <= 1)
    }

    @Test(arguments: [16, 17, 24, 33, 48, 64, 96, 128, 255, 512])
    func `Ring and picture are blended by their areas on white, black and magenta, within a level`(_ size: Int) {
        let ring = Style.Ring.suited(to: size)
        #expect(worstBlend(Style(size: size, state: .selected, ring: ring), ring) <= 1)
    }

    @Test(arguments: [(96, 4.0, 0.0), (33, 3.5, 1.25), (48, 0.3, 2.0)])
    func `Rings of odd widths are blended by their areas`(_ size: Int, _ width: Double, _ gap: Double) {
        let ring = Style.Ring(width: width, gap: gap, color: RGBA(red: 250, green: 5, blue: 100))
        #expect(worstBlend(Style(size: size, scale: 2, state: .selected, ring: ring), ring) <= 1)
    }

    @Test(arguments: [1, 77, 128, 254])
    func `A translucent ring lets through what is behind it`(_ alpha: UInt8) {
        let ring = Style.Ring(width: 5, gap: 1.5, color: RGBA(red: 10, green: 132, blue: 255, alpha: alpha))
        #expect(worstBlend(Style(size: 64, state: .selected, ring: ring), ring) <= 1)
    }

    private func canvas(_ style: Style) -> Canvas {
        let stencil = Stencil(style: style)
        let side = stencil.grid.pixels.count
        let pixels = Array(repeating: SIMD4<Float>(Self.image), count: side * side)
        return Compositor(stencil: stencil).draw(FloatImage(side: side, pixels: pixels))
    }

    /// The largest difference of a channel over any of the backgrounds, in 0...255.
    private func worstBlend(_ style: Style, _ ring: Style.Ring) -> Double {
        let bytes = canvas(style).bytes
        let (side, scale) = (style.side, Double(style.scale))
        let radius = Double(side) / 2
        let discs = [0, ring.width, ring.width + ring.gap].map { SlicedDisc(side: side, radius: radius - $0 * scale) }
        let color = SIMD3(Double(ring.color.red), Double(ring.color.green), Double(ring.color.blue))
        let avatar = SIMD3(Self.image.x, Self.image.y, Self.image.z)
        var worst = 0.0
        for index in 0..<side * side {
            let areas = discs.map { $0.area(index % side, index / side) }
            let band = (areas[0] - areas[1]) * Double(ring.color.alpha) / 255
            let pixel = SIMD4<Double>(SIMD4<UInt8>(bytes[index * 4..<index * 4 + 4])) / 255
            let drawn = SIMD3(pixel.x, pixel.y, pixel.z) * pixel.w * 255
            for background in Self.backgrounds {
                let wanted = color * band + avatar * areas[2] + background * (1 - band - areas[2])
                let difference = drawn + background * (1 - pixel.w) - wanted
                worst = max(worst, abs(difference.x), abs(difference.y), abs(difference.z))
            }
        }
        return worst
    }
}

/// A disc around the middle of a canvas, cut into thin slices whose chords are exact.
private struct SlicedDisc {
    private let side: Int
    private var areas: [Double]

    init(side: Int, radius: Double) {
        self.side = side
        let half = (side + 1) / 2
        areas = [Double](repeating: 0, count: half * half)
        for index in areas.indices {
            areas[index] = Self.area(index % half, index / half, centre: Double(side) / 2, radius: radius)
        }
    }

    func area(_ x: Int, _ y: Int) -> Double { areas[min(y, side - 1 - y) * ((side + 1) / 2) + min(x, side - 1 - x)] }

    private static func area(_ x: Int, _ y: Int, centre: Double, radius: Double) -> Double {
        let (left, top) = (Double(x) - centre, Double(y) - centre)
        // In the quadrant above and left of the centre, this corner is the farthest.
        if left * left + top * top <= radius * radius, x + 1 <= Int(centre), y + 1 <= Int(centre) { return 1 }
        let (right, bottom) = (min(left + 1, 0), min(top + 1, 0))
        if right * right + bottom * bottom >= radius * radius { return 0 }
        let slices = 400
        var sum = 0.0
        for slice in 0..<slices {
            let row = top + (Double(slice) + 0.5) / Double(slices)
            let chord = max(0, radius * radius - row * row).squareRoot()
            sum += max(0, min(left + 1, chord) - max(left, -chord))
        }
        return sum / Double(slices)
    }
}
