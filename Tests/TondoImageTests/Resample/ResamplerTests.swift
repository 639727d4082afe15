import Testing

@testable import TondoImage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct ResamplerTests {
    private func pixels(width: Int, height: Int, layout: Pixels.Layout, _ value: (Int) -> UInt8) throws -> Pixels {
        let count = width * height * 4
        let memory = try #require(malloc(count)).bindMemory(to: UInt8.self, capacity: count)
        for i in 0..<count { memory[i] = value(i) }
        return Pixels(adopting: memory, width: width, height: height, layout: layout)
    }

    /// Lanczos3 by its definition, in double precision.
    private func reference(_ source: Pixels, x: Int, y: Int, side: Int, channel: Int) -> Double {
        func weights(_ target: Int) -> [Double] {
            let step = Double(source.width) / Double(side)
            let centre = (Double(target) + 0.5) * step
            let raw = (0..<source.width).map { pixel -> Double in
                let t = (Double(pixel) + 0.5 - centre) / max(step, 1)
                if t == 0 { return 1 }
                return Swift.abs(t) < 3 ? sin(.pi * t) * sin(.pi * t / 3) / (.pi * .pi * t * t / 3) : 0
            }
            let sum = raw.reduce(0, +)
            return raw.map { $0 / sum }
        }
        let (columns, rows) = (weights(x), weights(y))
        var sum = 0.0
        for (row, weight) in rows.enumerated() where weight != 0 {
            for (column, other) in columns.enumerated() where other != 0 {
                let i = (row * source.width + column) * 4
                let alpha = channel == 3 || source.layout != .straight ? 1 : Double(source.bytes[i + 3]) / 255
                sum += weight * other * alpha * Double(source.bytes[i + channel])
            }
        }
        return sum
    }

    @Test(arguments: [(40, 16), (33, 32), (16, 40), (57, 9), (7, 7)])
    func `It is Lanczos3 within a thousandth of a level`(_ extent: Int, _ side: Int) throws {
        var seed = UInt32(extent * 31 + side)
        for layout in [Pixels.Layout.opaque, .straight] {
            let source = try pixels(width: extent, height: extent, layout: layout) { i in
                seed = seed &* 1_664_525 &+ 1_013_904_223
                return layout == .opaque && i % 4 == 3 ? 255 : UInt8(seed >> 24)
            }
            let box = DecodePlan.Box(x: 0, y: 0, side: Double(extent))
            let resampler = Resampler(source: source, box: box, grid: Grid(side: side, inset: 0))
            let image = resampler.run()
            for (x, y) in [(0, 0), (side / 2, side / 2), (side - 1, 0), (side / 3, side - 1)] {
                for channel in 0..<4 {
                    let wanted = reference(source, x: x, y: y, side: side, channel: channel)
                    #expect(Swift.abs(Double(image.pixels[y * side + x][channel]) - wanted) < 0.002)
                }
            }
        }
    }

    @Test func `Transparent pixels do not bleed their colour`() throws {
        // Opaque black beside fully transparent white.
        let source = try pixels(width: 16, height: 16, layout: .straight) { i in
            let isLeft = i / 4 % 16 < 8
            return i % 4 == 3 ? (isLeft ? 255 : 0) : (isLeft ? 0 : 255)
        }
        let resampler = Resampler(source: source, box: .init(x: 0, y: 0, side: 16), grid: Grid(side: 5, inset: 0))
        #expect(resampler.run().pixels.allSatisfy { Swift.abs($0.x) < 0.001 })
    }

    @Test func `A flat picture stays flat, up to the edge`() throws {
        let source = try pixels(width: 100, height: 100, layout: .opaque) { i in i % 4 == 3 ? 255 : 77 }
        let resampler = Resampler(
            source: source, box: .init(x: 0.5, y: 0.25, side: 99.25), grid: Grid(side: 31, inset: 2.3))
        #expect(resampler.run().pixels.allSatisfy { Swift.abs($0.x - 77) < 0.001 && Swift.abs($0.w - 255) < 0.002 })
    }

    @Test func `Weights that are kept are those of their own place, size and style`() {
        let recent = RecentTaps()
        let keys = [0, 0.5].flatMap { start in
            [90, 91].flatMap { extent in
                [31, 32].flatMap { side in
                    [0, 2.3].map { inset in
                        RecentTaps.Key(
                            start: start, length: 80, extent: extent, grid: Grid(side: side, inset: inset))
                    }
                }
            }
        }
        // Sixteen, of which eight are kept: forwards none is found, backwards some are.
        for key in keys + keys.reversed() {
            let (kept, new) = (recent.taps(key), Taps(key))
            #expect(kept.first == new.first && kept.start == new.start && kept.weights == new.weights)
        }
    }

    @Test func `Sine and arc sine agree with the C library`() {
        for i in -2000...2000 {
            let x = Double(i) / 500
            #expect(Swift.abs(Trigonometry.sinPi(SIMD8(repeating: x))[0] - sin(.pi * x)) < 2e-15)
            if Swift.abs(x) <= 1 { #expect(Swift.abs(Trigonometry.arcsin(x) - asin(x)) < 1e-14) }
        }
    }
}
