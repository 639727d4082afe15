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
}
