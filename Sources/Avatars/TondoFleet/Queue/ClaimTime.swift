internal import TondoJobs

/// After which idle time a job counts as abandoned: three times the 99th percentile of the time that this worker's jobs took
/// from their delivery to their end, within bounds. Pure.
package struct ClaimTime: Equatable, Sendable {
    /// Below, a busy worker would lose jobs that it is drawing.
    package var shortest = Duration.seconds(15)
    package var longest = Duration.seconds(600)
    /// Jobs that are measured before the percentile counts; until then twice the shortest time applies.
    package static let fewest = 20
    /// After so many jobs the older ones are forgotten.
    package static let window = 2_000

    private var current = LatencyHistogram()
    private var last = LatencyHistogram()

    package init() {}

    package mutating func record(_ time: Duration) {
        if current.count >= Self.window {
            last = current
            current = LatencyHistogram()
        }
        current.record(time)
    }

    /// The larger percentile of two windows.
    package var percentile: Duration? {
        guard current.count + last.count >= Self.fewest else { return nil }
        return max(current.quantile(0.99), last.quantile(0.99))
    }

    package var idle: Duration {
        let wanted = percentile.map { $0 * 3 } ?? shortest * 2
        return min(max(wanted, shortest), max(longest, shortest))
    }

    /// A worker renews its hold on a job that takes this long: another worker, whose jobs are shorter, claims after
    /// `shortest` at the earliest.
    package var renewal: Duration { shortest / 3 }
}
