/// `JobCounters` as JSON: of `GET /v1/jobs` and `tondo status`. Members are documented there.
package struct JobsReport: Codable, Equatable, Sendable {
    /// Milliseconds.
    package struct Latency: Codable, Equatable, Sendable {
        package var count: Int
        package var p50: Double
        package var p90: Double
        package var p99: Double

        init(_ histogram: LatencyHistogram) {
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
        package var running = 0
        package var started = 0
        package var crashed = 0
        package var timedOut = 0
        package var killed = 0
        package var replaced = 0
        /// `installed` or `missing`: the program that decodes HEIC and AVIF. Absent if the sandbox is off, and from services
        /// before they had one.
        package var heif: String?
        /// `installed`, `missing` or `no-fonts`: the program that draws initials. Absent like `heif`.
        package var text: String?

        package init() {}

        /// Totals since the start by name.
        package var totals: [(name: String, count: Int)] {
            [
                ("started", started), ("crashed", crashed), ("timedOut", timedOut), ("killed", killed),
                ("replaced", replaced),
            ]
        }
    }

    package var queued: Int
    package var delayed: Int
    package var running: Int
    package var abandoned: Int
    package var waitingForRoom: Int
    package var done: Int
    package var failed: Int
    package var timedOut: Int
    package var overdue: Int
    package var cancelled: Int
    package var coalesced: Int
    package var refused: Int
    package var retried: Int
    package var waitMilliseconds: Latency
    package var runMilliseconds: Latency
    /// Absent from services before they had one.
    package var decoder: Decoder?

    package init(_ counters: JobCounters, decoder: Decoder? = nil) {
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
        waitMilliseconds = Latency(counters.wait)
        runMilliseconds = Latency(counters.run)
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
