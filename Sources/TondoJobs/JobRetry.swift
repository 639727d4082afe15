/// Whether work that failed is tried again, and when: after `delay`, then twice that, and so on up to `longest`.
package struct JobRetry: Sendable {
    /// Runs in all, at least one.
    package var attempts: Int
    package var delay: Duration
    package var longest: Duration
    /// Whether the same work may well succeed later. Called on a worker thread; everything else fails at once.
    package var isTransient: @Sendable (any Error) -> Bool

    package init(
        attempts: Int = 3, delay: Duration = .milliseconds(100), longest: Duration = .seconds(10),
        isTransient: @escaping @Sendable (any Error) -> Bool
    ) {
        (self.attempts, self.delay, self.longest) = (attempts, delay, longest)
        self.isTransient = isTransient
    }

    package static let never = JobRetry(attempts: 1) { _ in false }
}
