/// When what failed for a transient reason is tried again: a few times soon, then, while its book is watched, with back-off
/// up to a longest delay. Pure.
///
/// The photo and the initials of a contact have the same numbers. The silhouette is tried more often: every contact
/// without a photo waits for it, and nothing is shown instead.
package struct PhotoRetry: Equatable, Sendable {
    /// Retries of a photo, and of initials, for which the end of a load waits.
    package var soon = 3
    /// The delay of the first of those; each next one doubles it.
    package var soonDelay = Duration.milliseconds(100)
    /// The delay of the first later retry.
    package var laterDelay = Duration.seconds(1)
    package var longest = Duration.seconds(600)
    /// Retries of the silhouette.
    package var silhouette = 7

    package init() {}

    /// Nil: there is no further retry for which a load waits.
    func delay(after failures: Int, of kind: PreparedAvatar.Kind) -> Duration? {
        failures <= (kind == .silhouette ? silhouette : soon) ? doubled(soonDelay, failures - 1) : nil
    }

    func delay(laterAfter failures: Int) -> Duration { doubled(laterDelay, failures - 1) }

    private func doubled(_ delay: Duration, _ times: Int) -> Duration {
        min(delay * (1 << min(max(times, 0), 20)), longest)
    }
}
