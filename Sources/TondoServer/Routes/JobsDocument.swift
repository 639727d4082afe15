internal import TondoCache
internal import TondoContacts
internal import TondoImage
internal import TondoJobs

/// What the job queue does, for people's programs and for Prometheus.
enum JobsDocument {
    /// What is now, and what was since the start.
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
        text.begin("tondo_jobs", "gauge", "Jobs of the drawing queue, by what they do now.")
        for (name, value) in now { text.add("tondo_jobs", [("state", name)], value) }
        text.begin("tondo_jobs_total", "counter", "Jobs and requests of the drawing queue, by how they ended.")
        for (name, value) in since { text.add("tondo_jobs_total", [("end", name)], value) }
        for (name, histogram, help) in [
            ("tondo_job_wait_seconds", counters.wait, "From the request to the start of its job."),
            ("tondo_job_run_seconds", counters.run, "From the start of a job to its end."),
        ] {
            text.begin(name, "summary", help)
            write(histogram, as: name, [], to: &text)
        }
    }

    static func write(_ steps: [DrawingStep: LatencyHistogram], to text: inout MetricsText) {
        let name = "tondo_drawing_step_seconds"
        text.begin(name, "summary", "The parts of drawing: each of a photo's decodes and pictures.")
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
            ("tondo_cache_entries", "gauge", statistics.entries, "Pictures in the cache."),
            ("tondo_cache_bytes", "gauge", statistics.bytes, "Bytes of the pictures' files."),
            ("tondo_cache_failure_bytes", "gauge", statistics.failureBytes, "Bytes of the remembered failures' files."),
            ("tondo_cache_hits_total", "counter", statistics.hits, "Lookups that found their picture."),
            ("tondo_cache_misses_total", "counter", statistics.misses, "Lookups that did not."),
            ("tondo_cache_damaged_total", "counter", statistics.damaged, "Pictures found damaged and removed."),
            ("tondo_cache_evicted_total", "counter", statistics.evicted, "Pictures that had to make room."),
        ]
        for (name, kind, value, help) in numbers {
            text.begin(name, kind, help)
            text.add(name, [], value)
        }
        text.begin("tondo_cache_failures", "gauge", "Photos that are remembered to give no picture, by reason.")
        for (code, count) in statistics.failures.sorted(by: { $0.key < $1.key }) {
            text.add("tondo_cache_failures", [("code", code)], count)
        }
    }
}
