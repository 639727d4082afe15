/// The state and the history of a queue. Every accepted job is in one of `queued`, `delayed`, `running`, `done`,
/// `failed`, `timedOut`, `overdue`, `cancelled`; every accepted request made a job or is in `coalesced`.
package struct JobCounters: Equatable, Sendable {
    /// Jobs that are queued for a worker now.
    package var queued = 0
    /// Jobs that wait for a retry now.
    package var delayed = 0
    /// Jobs that run now and have waiters.
    package var running = 0
    /// Worker slots used now by work without waiters: cancelled, or out of time.
    package var abandoned = 0
    /// Requests that wait for room in the queue now.
    package var waitingForRoom = 0
    /// Jobs that gave a value.
    package var done = 0
    /// Jobs whose last attempt threw an error.
    package var failed = 0
    /// Jobs that exceeded their time limit, at work or while they were queued for a retry.
    package var timedOut = 0
    /// Jobs that were refused later, because they had been queued for too long.
    package var overdue = 0
    /// Jobs whose last waiter cancelled, or that were left when a drain ran out of time.
    package var cancelled = 0
    /// Requests that joined a job with the same key.
    package var coalesced = 0
    /// Requests that were refused because the queue was full or closed.
    package var refused = 0
    /// Retries of failed jobs.
    package var retried = 0
    /// The time from the request to the first start.
    package var wait = LatencyHistogram()
    /// The duration of every attempt.
    package var run = LatencyHistogram()

    package init() {}
}
