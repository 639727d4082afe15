/// When a photo that failed for a transient reason is retried: a few times soon, then, while its book is watched, with
/// back-off up to a longest delay. Pure.
package struct PhotoRetry: Equatable, Sendable {
    /// Retries for which the end of a load waits.
    package var soon = 3
    /// The delay of the first of those; each next one doubles it.
    package var soonDelay = Duration.milliseconds(100)
    /// The delay of the first later retry.
    package var laterDelay = Duration.seconds(1)
    package var longest = Duration.seconds(600)
    /// Tries of the placeholder, for which every contact without a photo waits.
    package var placeholder = 8

    package init() {}

    /// Nil: there is no further retry for which a load waits.
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
