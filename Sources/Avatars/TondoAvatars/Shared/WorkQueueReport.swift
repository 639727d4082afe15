/// The work queue of several machines as JSON: of `GET /readyz` and `tondo status`.
package struct WorkQueueReport: Codable, Equatable, Sendable {
    /// The numbers; absent while Redis does not answer.
    package struct Counts: Codable, Equatable, Sendable {
        /// Not delivered to a worker yet.
        package var waiting: Int
        /// Delivered, and not ended.
        package var pending: Int
        package var dead: Int
        /// That the queue knows; one that was killed stays among them until its jobs are claimed.
        package var workers: Int
        /// Jobs of lost workers that others took over, since Redis started.
        package var claims: Int

        package init(waiting: Int, pending: Int, dead: Int, workers: Int, claims: Int) {
            self.waiting = waiting
            self.pending = pending
            self.dead = dead
            self.workers = workers
            self.claims = claims
        }
    }

    /// As in `SharedTierReport`, of the Redis of the streams.
    package var breaker: String
    package var counts: Counts?

    package init(breaker: String, counts: Counts?) {
        self.breaker = breaker
        self.counts = counts
    }
}
