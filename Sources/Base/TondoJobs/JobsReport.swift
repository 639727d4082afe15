/// `JobCounters` as JSON: of `GET /v1/jobs` and `tondo status`. Members are documented there.
package struct JobsReport: Codable, Equatable, Sendable {
    /// Milliseconds.
    package struct Latency: Codable, Equatable, Sendable {
        /// Durations recorded since the start.
        package var count: Int
        /// Half of the durations were at most this; 0 without any.
        package var p50: Double
        /// Nine of ten durations were at most this.
        package var p90: Double
        /// Ninety-nine of a hundred durations were at most this.
        package var p99: Double

        init(histogram: LatencyHistogram) {
            count = histogram.count
            p50 = histogram.quantile(0.5) / .milliseconds(1)
            p90 = histogram.quantile(0.9) / .milliseconds(1)
            p99 = histogram.quantile(0.99) / .milliseconds(1)
        }
    }

    /// The processes that decode photos.
    package struct Decoder: Codable, Equatable, Sendable {
        /// `on` or `off`; off: photos are decoded in the process of the queue, and all numbers are 0.
        package var sandbox = "off"
        /// The version of Landlock that confines them; 0: the kernel has none.
        package var landlock = 0
        /// Processes that live now, with a photo or without one.
        package var running = 0
        /// Processes that became ready, replacements included.
        package var started = 0
        /// Processes that ended by a fault of their own, or broke the protocol.
        package var crashed = 0
        /// Processes that were ended at the deadline of a photo.
        package var timedOut = 0
        /// Processes that another process ended, as the kernel does when memory is short.
        package var killed = 0
        /// Processes that were ended after many photos, or because they held much memory.
        package var replaced = 0
        /// `installed` or `missing`: the program that decodes HEIC and AVIF. Absent if the sandbox is off, and from services
        /// before they had one.
        package var heif: String?
        /// `installed`, `missing` or `no-fonts`: the program that draws initials. Absent like `heif`.
        package var text: String?
        /// `installed`, `missing`, `off` or `damaged`: the model with which faces are found. Absent like `heif`.
        package var faces: String?

        package init() {}

        /// Totals since the start by name.
        package var totals: [(name: String, count: Int)] {
            [
                ("started", started), ("crashed", crashed), ("timedOut", timedOut), ("killed", killed),
                ("replaced", replaced),
            ]
        }
    }

    /// Jobs that wait for a worker now.
    package var queued: Int
    /// Jobs that wait for a retry now.
    package var delayed: Int
    /// Jobs that run now and have waiters.
    package var running: Int
    /// Worker slots that work without waiters occupies now.
    package var abandoned: Int
    /// Requests that wait for room in the queue now.
    package var waitingForRoom: Int
    /// Jobs that gave a value.
    package var done: Int
    /// Jobs whose last attempt threw an error.
    package var failed: Int
    /// Jobs that exceeded their time limit.
    package var timedOut: Int
    /// Jobs that were accepted, and refused after they had been queued for too long.
    package var overdue: Int
    /// Jobs that lost their last waiter, or were left when a drain ran out of time.
    package var cancelled: Int
    /// Requests that joined a job with the same key.
    package var coalesced: Int
    /// Requests that were refused at once. The service adds those that its open queue refused.
    package var refused: Int
    /// Attempts after the first one of a job.
    package var retried: Int
    /// The time from a request to the first start of its job.
    package var waitMilliseconds: Latency
    /// The duration of every attempt, failed and abandoned ones included.
    package var runMilliseconds: Latency
    /// Absent from services before they had one.
    package var decoder: Decoder?

    /// `decoder`: nil leaves the member out of the JSON.
    package init(counters: JobCounters, decoder: Decoder? = nil) {
        self.decoder = decoder
        queued = counters.queued
        delayed = counters.delayed
        running = counters.running
        abandoned = counters.abandoned
        waitingForRoom = counters.waitingForRoom
        done = counters.done
        failed = counters.failed
        timedOut = counters.timedOut
        overdue = counters.overdue
        cancelled = counters.cancelled
        coalesced = counters.coalesced
        refused = counters.refused
        retried = counters.retried
        waitMilliseconds = Latency(histogram: counters.wait)
        runMilliseconds = Latency(histogram: counters.run)
    }

    /// Current values by name.
    package var states: [(name: String, count: Int)] {
        [
            ("queued", queued), ("delayed", delayed), ("running", running), ("abandoned", abandoned),
            ("waitingForRoom", waitingForRoom),
        ]
    }

    /// Totals since the start by name.
    package var ends: [(name: String, count: Int)] {
        [
            ("done", done), ("failed", failed), ("timedOut", timedOut), ("overdue", overdue),
            ("cancelled", cancelled), ("coalesced", coalesced), ("refused", refused), ("retried", retried),
        ]
    }
}
