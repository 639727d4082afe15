import Testing
import TondoTestSupport

@testable import TondoImage

/// Four rows that are unfiltered together become what each becomes alone, and nothing else changes.
@Suite struct PNGUnfilterTests {
    @Test(arguments: [1, 2, 3, 4]) func unfiltersFourRowsAsOneByOne(step: Int) {
        // All filters of four rows; of each, a width that is below, at or above what the rows are apart.
        for filters in 0..<625 {
            var random = SplitMix64(UInt64(filters))
            let width = 1 + filters % 17
            expectEqual(
                filters: [filters % 5, filters / 5 % 5, filters / 25 % 5, filters / 125], width: width,
                stride: 1 + (width + filters % 3) * step, step: step, random: &random)
        }
    }

    @Test(arguments: [1, 2, 3, 4]) func unfiltersRowsOfAllCounts(step: Int) {
        var random = SplitMix64(7)
        for count in 1...11 {
            expectEqual(
                filters: (0..<count).map { $0 == 4 ? 0 : 4 }, width: 37, stride: 1 + 37 * step, step: step,
                random: &random)
        }
    }

    private func expectEqual(filters: [Int], width: Int, stride: Int, step: Int, random: inout SplitMix64) {
        let size = stride * (filters.count + 1) + 16
        var together = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        for (y, filter) in filters.enumerated() { together[(y + 1) * stride] = UInt8(filter) }
        var alone = together
        together.withUnsafeMutableBufferPointer {
            PNGUnfilter.rows($0.baseAddress! + stride, stride: stride, count: filters.count, width: width, step: step)
        }
        alone.withUnsafeMutableBufferPointer {
            for y in filters.indices {
                PNGUnfilter.rows($0.baseAddress! + stride * (y + 1), stride: stride, count: 1, width: width, step: step)
            }
        }
        #expect(together == alone, "\(filters), \(width) pixels of \(step) bytes")
    }
}
