import Testing

@testable import TondoJobs

@Suite struct LatencyHistogramTests {
    @Test func `Every value is in a bucket that ends at most a quarter above it`() {
        for power in 0..<44 {
            for value in [1 << power, (1 << power) + 1, (1 << power) * 3 / 2, (2 << power) - 1] as [UInt64] {
                let end = LatencyHistogram.end(of: LatencyHistogram.bucket(value))
                #expect(end >= value && end - value <= value / 4)
            }
        }
    }

    @Test func `The largest values are in the last bucket`() {
        #expect(LatencyHistogram.bucket(.max) == LatencyHistogram.bucket(1 << 45))
    }

    @Test func `The total never falls, also when the mean has a fraction`() {
        var histogram = LatencyHistogram()
        #expect(histogram.total == .zero)
        for nanoseconds in [5, 5, 0, 0, 1] as [UInt64] { histogram.record(nanoseconds: nanoseconds) }
        #expect(histogram.total == .nanoseconds(11))
    }

    @Test func `Quantiles count what was recorded`() {
        var histogram = LatencyHistogram()
        #expect(histogram.quantile(0.5) == .zero)
        for microseconds in 1...100 { histogram.record(nanoseconds: UInt64(microseconds) * 1000) }
        let median = histogram.quantile(0.5)
        #expect(median >= .microseconds(50) && median <= .microseconds(63))
        #expect(histogram.quantile(1) == .microseconds(100))
        #expect(histogram.total == .microseconds(5050) && histogram.count == 100)
    }
}
