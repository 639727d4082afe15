import CKernels
import Testing

@testable import TondoImage

@Suite struct FilterKernelTests {
    /// The definition of PNG third edition 9.2 and 9.4, a byte at a time.
    private static func residual(_ filter: PNGFilter, x: UInt8, left: UInt8, up: UInt8, corner: UInt8) -> UInt8 {
        switch filter {
        case .none: return x
        case .sub: return x &- left
        case .up: return x &- up
        case .average: return x &- UInt8((Int(left) + Int(up)) / 2)
        case .paeth:
            let estimate = Int(left) + Int(up) - Int(corner)
            let distances = [left, up, corner].map { abs(estimate - Int($0)) }
            let nearest = distances.firstIndex(of: distances.min() ?? 0) ?? 0
            return x &- [left, up, corner][nearest]
        }
    }

    /// Filters a row of `count` bytes, and compares residuals and costs with the definition.
    private func compare(_ count: Int, next: () -> UInt8) {
        let margin = 32
        let stride = count + 2 * margin
        let rows = (0..<2).map { _ in
            (0..<stride).map { (margin..<margin + count).contains($0) ? next() : 0 }
        }
        var residuals = [UInt8](repeating: 0, count: 4 * stride)
        var costs = [UInt32](repeating: 0, count: PNGFilter.allCases.count)
        rows[0].withUnsafeBufferPointer { row in
            rows[1].withUnsafeBufferPointer { above in
                residuals.withUnsafeMutableBufferPointer { target in
                    guard let row = row.baseAddress, let above = above.baseAddress, let target = target.baseAddress
                    else { return }
                    // As the row filter does: four bytes more, which are zero in both rows.
                    ckernels_filter_row(row + margin, above + margin, count + 4, target + margin, stride, &costs)
                }
            }
        }
        for filter in PNGFilter.allCases {
            let wanted = (margin..<margin + count + 4).map { at in
                Self.residual(
                    filter, x: rows[0][at], left: rows[0][at - 4], up: rows[1][at], corner: rows[1][at - 4])
            }
            let cost = wanted.reduce(0) { $0 + min(Int($1), 256 - Int($1), Int(CKERNELS_MOST_COST)) }
            #expect(costs[Int(filter.rawValue)] == cost, "\(filter) of \(count) bytes")
            guard filter != .none else { continue }
            let start = (Int(filter.rawValue) - 1) * stride + margin
            #expect(Array(residuals[start..<start + count + 4]) == wanted, "\(filter) of \(count) bytes")
        }
    }

    @Test func `Rows of every length have the residuals of the standard`() {
        var noise = Noise()
        for count in stride(from: 4, through: 600, by: 4) { compare(count) { noise.byte() } }
    }

    @Test func `Equal and extreme bytes have the residuals of the standard`() {
        var noise = Noise()
        for _ in 0..<100 { compare(128) { [0, 1, 127, 128, 254, 255][Int(noise.byte()) % 6] } }
    }

    @Test func `The cost of the widest row does not overflow`() {
        compare(4 * PNGEncoder.longestSide) { 128 }
    }
}
