/// When a photo that failed for a passing reason is tried again: a few times soon, then, while its book is watched, at
/// delays that double up to the longest. Pure.
package struct PhotoRetry: Equatable, Sendable {
    /// Tries after the first one for which the end of a load waits.
    package var soon = 3
    /// Before the first of those; the next ones wait twice as long each.
    package var soonDelay = Duration.milliseconds(100)
    /// Before the first of the later tries.
    package var laterDelay = Duration.seconds(1)
    package var longest = Duration.seconds(600)
    /// Tries of the placeholder, which everything that has no photo waits for.
    package var placeholder = 8

    package init() {}

    /// Nil: there is no further try that a load waits for.
    func delay(soonAfter failures: Int) -> Duration? {
        failures <= soon ? doubled(soonDelay, failures - 1) : nil
    }

    func delay(laterAfter failures: Int) -> Duration { doubled(laterDelay, failures - 1) }

    func delay(ofPlaceholderAfter failures: Int) -> Duration? {
        failures < placeholder ? doubled(soonDelay, failures - 1) : nil
    }

    private func doubled(_ delay: Duration, _ times: Int) -> Duration {
        min(delay * (1 << min(max(times, 0), 20)), longest)
    }
}
