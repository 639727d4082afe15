import CKernels
import Testing

@testable import TondoImage

/// The version this processor runs gives the bits of plain multiplications and additions in the stated order, so all
/// versions give the same.
@Suite struct KernelTests {
    private static let widths = [4, 12, 28, 32, 36, 68, 100]
    private static let taps = [1, 2, 7, 24]

    private typealias Kernel = (
        UnsafePointer<UInt8>?, Int, UnsafePointer<Float>?, Int, UnsafeMutablePointer<Float>?, Int
    ) -> Void

    private func isExact(
        _ width: Int, _ taps: Int, _ kernel: Kernel, _ term: (_ top: [UInt8], _ at: Int, _ weight: Float) -> Float
    ) -> Bool {
        var noise = Noise()
        let stride = width + 8
        let top = (0..<stride * taps).map { _ in noise.byte() }
        let weights = (0..<taps).map { _ in (Float(noise.next() >> 40) / Float(1 << 24) - 0.25) / 3 }
        var line = [Float](repeating: -1, count: width)
        kernel(top, stride, weights, taps, &line, width)
        return line.indices.allSatisfy { column in
            var sum: Float = 0
            for k in 0..<taps { sum += term(top, k * stride + column, weights[k]) }
            return sum.bitPattern == line[column].bitPattern
        }
    }

    @Test(arguments: Self.widths, Self.taps)
    func `Rows are summed bit for bit`(_ width: Int, _ taps: Int) {
        #expect(isExact(width, taps, ckernels_sum_rows) { top, at, weight in Float(top[at]) * weight })
    }

    @Test(arguments: Self.widths, Self.taps)
    func `Rows with alpha are summed bit for bit`(_ width: Int, _ taps: Int) {
        #expect(
            isExact(width, taps, ckernels_sum_straight_rows) { top, at, weight in
                let value: Float = at % 4 == 3 ? 255 : Float(top[at])
                return value * Float(top[at | 3]) * (weight * (1 / 255 as Float))
            })
    }

    @Test(arguments: [32, 36, 60, 64, 100], [(0, 7, 7), (1, 1, 1), (2, 13, 12), (3, 5, 24), (6, 6, 3)])
    func `Two rows at once have the bits of each by itself`(_ width: Int, _ rows: (lag: Int, one: Int, other: Int)) {
        var noise = Noise()
        let stride = width + 8
        let top = (0..<stride * (rows.lag + rows.other)).map { _ in noise.byte() }
        let weights = (0..<rows.one + rows.other).map { _ in (Float(noise.next() >> 40) / Float(1 << 24) - 0.25) / 3 }
        let others = Array(weights[rows.one...])
        var (line, next) = ([Float](repeating: -1, count: width), [Float](repeating: -1, count: width))
        ckernels_sum_rows(top, stride, weights, rows.one, &line, width)
        ckernels_sum_rows(Array(top[(stride * rows.lag)...]), stride, others, rows.other, &next, width)
        let wanted = [line, next]
        weights.withUnsafeBufferPointer { weights in
            others.withUnsafeBufferPointer { others in
                ckernels_sum_two_rows(
                    top, stride, ckernels_weights(weights: weights.baseAddress, taps: rows.one),
                    ckernels_weights(weights: others.baseAddress, taps: rows.other), rows.lag, &line, &next, width)
            }
        }
        #expect([line, next] == wanted)
    }

    @Test(arguments: [(40, 16), (33, 32), (16, 40), (57, 9), (7, 7), (300, 3)])
    func `Pixels of a row are summed bit for bit, even and odd ones apart`(_ extent: Int, _ targets: Int) {
        var noise = Noise()
        let span = Double(targets)
        let taps = Taps(
            start: 0.25, length: Double(extent) - 0.5, extent: extent, targets: 0..<targets, inset: 0, span: span)
        let line = (0..<extent + taps.most).map { x in
            x < extent ? SIMD4<Float>(noise.float(), noise.float(), noise.float(), 1) * 255 : .zero
        }
        let wanted = (0..<targets).map { target -> SIMD4<Float> in
            var sums = [SIMD4<Float>.zero, .zero]
            for tap in taps.start[target]..<taps.start[target + 1] {
                let k = tap - taps.start[target]
                sums[k % 2] += line[taps.first[target] + k] * taps.weights[tap]
            }
            return sums[0] + sums[1]
        }
        var pixels = [SIMD4<Float>](repeating: .zero, count: targets)
        line.withUnsafeBytes { line in
            taps.spread.withUnsafeBytes { weights in
                pixels.withUnsafeMutableBytes { pixels in
                    ckernels_sum_pixels(
                        line.baseAddress?.assumingMemoryBound(to: Float.self), taps.first,
                        weights.baseAddress?.assumingMemoryBound(to: Float.self), taps.most,
                        pixels.baseAddress?.assumingMemoryBound(to: Float.self), targets)
                }
            }
        }
        #expect(pixels == wanted)
    }

    @Test func `Colours are converted bit for bit`() {
        var noise = Noise()
        func number() -> Float { noise.float() }
        let (curves, encoding) = ((0..<21).map { _ in number() }, (0..<9).map { _ in number() })
        let matrix = (0..<9).map { _ in number() - 0.25 }
        let pixels = (0..<67).map { index in
            let alpha = index % 5 == 0 ? 1 : index % 7 == 0 ? 0 : number()
            return SIMD4<Float>(number(), number(), number() - 0.1, alpha) * 255
        }
        func value(_ table: [Float], at position: Float) -> Float {
            let index = min(Int(position), table.count - 2)
            return table[index] + (table[index + 1] - table[index]) * (position - Float(index))
        }
        let wanted = pixels.map { pixel in
            let scale: Float = 6 / Float(255)
            let factor = pixel.w > 0.01 && pixel.w < 254.998 ? 255 / pixel.w * scale : scale
            let light = (0..<3).map { c -> Float in
                value(Array(curves[c * 7..<c * 7 + 7]), at: min(max(pixel[c] * factor, 0), 6))
            }
            var result = pixel
            for c in 0..<3 {
                let row = matrix[c * 3..<c * 3 + 3].map { $0 }
                var sum = row[0] * light[0]
                sum += row[1] * light[1]
                sum += row[2] * light[2]
                result[c] = value(encoding, at: min(max(sum, 0), 1).squareRoot() * 8) * pixel.w
            }
            return result
        }
        var converted = pixels
        converted.withUnsafeMutableBytes {
            ckernels_convert_colors(
                $0.baseAddress?.assumingMemoryBound(to: Float.self), pixels.count, curves, 7, matrix, encoding, 9)
        }
        #expect(converted == wanted)
    }
}

extension Noise {
    /// 0 ..< 1.
    fileprivate mutating func float() -> Float { Float(next() >> 40) / Float(1 << 24) }
}
