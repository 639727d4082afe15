/// Whether failed work is retried, and when: after `delay`, then after twice that, and so on up to `longest`.
package struct JobRetry: Sendable {
    /// The maximum number of attempts, at least one.
    package var attempts: Int
    /// The pause before the second attempt.
    package var delay: Duration
    /// The maximum of the pauses, however often the work failed.
    package var longest = Duration.seconds(10)
    /// Whether the same work may succeed later. Called on a worker thread; all other errors fail at once.
    package var isTransient: @Sendable (any Error) -> Bool

    package init(
        attempts: Int = 3, delay: Duration = .milliseconds(100),
        isTransient: @escaping @Sendable (any Error) -> Bool
    ) {
        self.attempts = attempts
        self.delay = delay
        self.isTransient = isTransient
    }

    /// The first error ends the job.
    package static let never = JobRetry(attempts: 1) { _ in false }
}
