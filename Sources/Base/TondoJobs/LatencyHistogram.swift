/// Durations in buckets that grow by a quarter of a power of two: a quantile is at most 25 % too high.
package struct LatencyHistogram: Equatable, Sendable {
    /// Buckets below 8 ns hold one value each; the last one holds everything above eight hours.
    private static let buckets = 44 * 4

    private var counts = [Int](repeating: 0, count: Self.buckets)
    /// Durations recorded so far.
    package private(set) var count = 0
    /// Nanoseconds.
    private var sum: UInt64 = 0
    private var largest: UInt64 = 0

    /// Exact to the nanosecond, unlike a quantile. It never falls, since the counters of Prometheus must not: a product
    /// of the count and a rounded mean would.
    package var total: Duration { .nanoseconds(Int64(clamping: sum)) }

    /// The time within which this share (0...1) was done; zero without values.
    package func quantile(_ share: Double) -> Duration {
        let rank = max(1, Int((share * Double(count)).rounded(.up)))
        var seen = 0
        for (bucket, count) in counts.enumerated() {
            seen += count
            if seen >= rank { return .nanoseconds(Int64(clamping: min(Self.end(of: bucket), largest))) }
        }
        return .zero
    }

    package init() {}

    /// A negative duration counts as zero.
    package mutating func record(_ time: Duration) { record(nanoseconds: time.inNanoseconds) }

    mutating func record(nanoseconds: UInt64) {
        counts[Self.bucket(nanoseconds)] += 1
        count += 1
        // Wraps after 584 years of work in all, which must not end the process.
        sum &+= nanoseconds
        largest = max(largest, nanoseconds)
    }

    static func bucket(_ value: UInt64) -> Int {
        if value < 8 { return Int(value) }
        let power = 63 - value.leadingZeroBitCount
        return min(power * 4 - 4 + Int(value >> (power - 2) & 3), buckets - 1)
    }

    /// The largest value of a bucket.
    static func end(of bucket: Int) -> UInt64 {
        if bucket < 8 { return UInt64(bucket) }
        let power = (bucket + 4) / 4
        return UInt64(5 + bucket % 4) << (power - 2) - 1
    }
}
