package import TondoAvatars
package import TondoRedis

/// The lengths of a work queue for a service that only shows them. Usable from any thread that may block.
package final class WorkQueueGauge: Sendable {
    private let pool: RedisPool
    private let names: FleetNames

    /// Does not connect. `time`: how long a report may take.
    package init(address: RedisAddress, names: FleetNames = FleetNames(), time: Duration = .milliseconds(50)) {
        var options = RedisPool.Options()
        options.connections = 2
        options.time = time
        pool = RedisPool(address: address, options: options)
        self.names = names
    }

    /// Blocks for the time of the gauge at most; while the breaker is open, not at all.
    package var report: WorkQueueReport {
        let replies = try? pool.send(JobStream.countingCommands(names))
        let counts = replies.map { JobStream.Counts($0, names: names) }
        return WorkQueueReport(breaker: pool.breaker.rawValue, counts: counts.map { WorkQueueReport.Counts($0) })
    }
}

extension WorkQueueReport.Counts {
    package init(_ counts: JobStream.Counts) {
        self.init(
            waiting: counts.waiting, pending: counts.pending, dead: counts.dead, workers: counts.workers,
            claims: counts.claims)
    }
}
