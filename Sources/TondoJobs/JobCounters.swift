/// What a queue has to do and did. Every job that was taken is in one of `queued`, `delayed`, `running`, `done`,
/// `failed`, `timedOut`, `overdue`, `cancelled`; every request accepted made a job or is in `coalesced`.
package struct JobCounters: Equatable, Sendable {
    /// Jobs that wait for a worker now.
    package var queued = 0
    /// Jobs that wait for another try now.
    package var delayed = 0
    /// Jobs that run now and are waited for.
    package var running = 0
    /// Worker slots taken now by work that nobody waits for: cancelled, or out of time.
    package var abandoned = 0
    /// Requests that wait for room now.
    package var waitingForRoom = 0
    package var done = 0
    package var failed = 0
    package var timedOut = 0
    /// Jobs that were refused after all, as they had waited for too long.
    package var overdue = 0
    /// Jobs whose last subscriber left.
    package var cancelled = 0
    /// Requests that joined a job of the same key.
    package var coalesced = 0
    /// Requests that found the queue full or closed.
    package var refused = 0
    /// Further tries of jobs that had failed.
    package var retried = 0
    /// From the request to the first start.
    package var wait = LatencyHistogram()
    /// Every try, from its start to its end.
    package var run = LatencyHistogram()

    package init() {}
}
