internal import TondoCache
internal import TondoContacts
internal import TondoImage
internal import TondoJobs
internal import TondoText

/// The counters of the draw queue, as JSON and for Prometheus.
enum JobsDocument {
    /// Current values, and totals since the start.
    private static func numbers(_ counters: JobCounters) -> (now: [(String, Int)], since: [(String, Int)]) {
        let now = [
            ("queued", counters.queued), ("delayed", counters.delayed), ("running", counters.running),
            ("abandoned", counters.abandoned), ("waitingForRoom", counters.waitingForRoom),
        ]
        let since = [
            ("done", counters.done), ("failed", counters.failed), ("timedOut", counters.timedOut),
            ("overdue", counters.overdue), ("cancelled", counters.cancelled), ("coalesced", counters.coalesced),
            ("refused", counters.refused),
            ("retried", counters.retried),
        ]
        return (now, since)
    }

    private static let shares = [0.5, 0.9, 0.99]

    static func bytes(_ counters: JobCounters) -> [UInt8] {
        let (now, since) = numbers(counters)
        var object = JSONObject()
        for (name, value) in now + since { object.add(name, value) }
        for (name, histogram) in [("wait", counters.wait), ("run", counters.run)] {
            var times = JSONObject()
            times.add("count", histogram.count)
            for share in shares {
                times.add("p\(Int(share * 100))", json: Array("\(histogram.quantile(share) / .milliseconds(1))".utf8))
            }
            object.add(name + "Milliseconds", times)
        }
        return object.bytes
    }

    static func write(_ counters: JobCounters, to text: inout MetricsText) {
        let (now, since) = numbers(counters)
        text.begin("tondo_jobs", "gauge", "Jobs of the draw queue by state.")
        for (name, value) in now { text.add("tondo_jobs", [("state", name)], value) }
        text.begin("tondo_jobs_total", "counter", "Ended jobs and requests of the draw queue by result.")
        for (name, value) in since { text.add("tondo_jobs_total", [("end", name)], value) }
        for (name, histogram, help) in [
            ("tondo_job_wait_seconds", counters.wait, "Time from a request to the start of its job."),
            ("tondo_job_run_seconds", counters.run, "Time from the start of a job to its end."),
        ] {
            text.begin(name, "summary", help)
            write(histogram, as: name, [], to: &text)
        }
    }

    static func write(_ steps: [DrawingStep: LatencyHistogram], to text: inout MetricsText) {
        let name = "tondo_drawing_step_seconds"
        text.begin(name, "summary", "Duration of the steps of a job: each decode of a photo and each avatar.")
        for step in DrawingStep.allCases {
            if let times = steps[step] { write(times, as: name, [("step", step.rawValue)], to: &text) }
        }
    }

    private static func write(
        _ histogram: LatencyHistogram, as name: String, _ labels: [(String, String)], to text: inout MetricsText
    ) {
        for share in shares {
            text.add(name, labels + [("quantile", "\(share)")], histogram.quantile(share) / .seconds(1))
        }
        text.add(name + "_count", labels, histogram.count)
        text.add(name + "_sum", labels, histogram.mean / .seconds(1) * Double(histogram.count))
    }
}

extension CacheDocument {
    static func write(_ statistics: Statistics, to text: inout MetricsText) {
        let numbers: [(String, String, Int, String)] = [
            ("tondo_cache_entries", "gauge", statistics.entries, "Entries in the cache."),
            ("tondo_cache_bytes", "gauge", statistics.bytes, "Bytes of the files of all entries."),
            (
                "tondo_cache_failure_bytes", "gauge", statistics.failureBytes,
                "Bytes of the files of all negative entries."
            ),
            ("tondo_cache_hits_total", "counter", statistics.hits, "Lookups that found an entry."),
            ("tondo_cache_misses_total", "counter", statistics.misses, "Lookups that found no entry."),
            ("tondo_cache_damaged_total", "counter", statistics.damaged, "Damaged entries that were removed."),
            ("tondo_cache_evicted_total", "counter", statistics.evicted, "Evicted entries."),
        ]
        for (name, kind, value, help) in numbers {
            text.begin(name, kind, help)
            text.add(name, [], value)
        }
        text.begin("tondo_cache_failures", "gauge", "Negative entries by code.")
        for (code, count) in statistics.failures.sorted(by: { $0.key < $1.key }) {
            text.add("tondo_cache_failures", [("code", code)], count)
        }
    }
}
