internal import TondoAvatars
internal import TondoCache
internal import TondoImage
internal import TondoJobs
internal import TondoText

/// The counters of the draw queue and the statistics of the cache, for Prometheus.
enum StateMetrics {
    private static let shares = [0.5, 0.9, 0.99]

    static func write(_ counters: JobCounters, to text: inout MetricsText) {
        let report = JobsReport(counters: counters)
        text.begin("tondo_jobs", kind: "gauge", help: "Jobs of the draw queue by state.")
        for (name, value) in report.states { text.add("tondo_jobs", labels: [("state", name)], value: value) }
        text.begin("tondo_jobs_total", kind: "counter", help: "Ended jobs and requests of the draw queue by result.")
        for (name, value) in report.ends { text.add("tondo_jobs_total", labels: [("end", name)], value: value) }
        for (name, histogram, help) in [
            ("tondo_job_wait_seconds", counters.wait, "Time from a request to the start of its job."),
            ("tondo_job_run_seconds", counters.run, "Time from the start of a job to its end."),
        ] {
            text.begin(name, kind: "summary", help: help)
            write(histogram, as: name, labels: [], to: &text)
        }
    }

    static func write(_ decoder: JobsReport.Decoder, to text: inout MetricsText) {
        text.begin("tondo_sandbox", kind: "gauge", help: "1: photos are decoded in confined processes.")
        text.add("tondo_sandbox", labels: [], value: decoder.sandbox == "on" ? 1 : 0)
        text.begin("tondo_decoder_processes", kind: "gauge", help: "Confined processes at this moment.")
        text.add("tondo_decoder_processes", labels: [], value: decoder.running)
        text.begin(
            "tondo_decoder_processes_total", kind: "counter",
            help: "Confined processes that were started or ended, by reason.")
        for (name, value) in decoder.totals {
            text.add("tondo_decoder_processes_total", labels: [("event", name)], value: value)
        }
        if let faces = decoder.faces {
            text.begin("tondo_face_model_installed", kind: "gauge", help: "1: avatars show the faces of photos.")
            text.add("tondo_face_model_installed", labels: [], value: faces == "installed" ? 1 : 0)
        }
        let programs = [("heif", decoder.heif), ("initials", decoder.text)].filter { $0.1 != nil }
        if programs.isEmpty { return }
        text.begin(
            "tondo_decoder_installed", kind: "gauge", help: "1: the program that draws these formats is installed.")
        for (formats, state) in programs {
            text.add("tondo_decoder_installed", labels: [("formats", formats)], value: state == "installed" ? 1 : 0)
        }
    }

    static func write(_ steps: [DrawingStep: LatencyHistogram], to text: inout MetricsText) {
        let name = "tondo_drawing_step_seconds"
        text.begin(
            name, kind: "summary", help: "Duration of the steps of a job: each decode of a photo and each avatar.")
        for step in DrawingStep.allCases {
            if let times = steps[step] { write(times, as: name, labels: [("step", step.rawValue)], to: &text) }
        }
    }

    static func write(_ shared: SharedTierReport, to text: inout MetricsText) {
        text.begin("tondo_shared_breaker", kind: "gauge", help: "1: the state of the breaker before the shared tier.")
        for state in ["closed", "open", "probing"] {
            text.add("tondo_shared_breaker", labels: [("state", state)], value: shared.breaker == state ? 1 : 0)
        }
        text.begin(
            "tondo_shared_total", kind: "counter", help: "Lookups and stores of the shared tier, and photos, by result."
        )
        for (name, value) in shared.totals { text.add("tondo_shared_total", labels: [("event", name)], value: value) }
    }

    /// Without numbers that Redis did not give.
    static func write(_ queue: WorkQueueReport, to text: inout MetricsText) {
        text.begin(
            "tondo_queue_breaker", kind: "gauge",
            help: "1: the state of the breaker before the Redis of the work queue.")
        for state in ["closed", "open", "probing"] {
            text.add("tondo_queue_breaker", labels: [("state", state)], value: queue.breaker == state ? 1 : 0)
        }
        guard let counts = queue.counts else { return }
        text.begin("tondo_queue_jobs", kind: "gauge", help: "Jobs of the work queue by state.")
        for (state, count) in [("waiting", counts.waiting), ("pending", counts.pending), ("dead", counts.dead)] {
            text.add("tondo_queue_jobs", labels: [("state", state)], value: count)
        }
        text.begin("tondo_queue_workers", kind: "gauge", help: "Workers that the queue knows.")
        text.add("tondo_queue_workers", labels: [], value: counts.workers)
        text.begin("tondo_queue_claims_total", kind: "counter", help: "Jobs that were taken over from lost workers.")
        text.add("tondo_queue_claims_total", labels: [], value: counts.claims)
    }

    private static func write(
        _ histogram: LatencyHistogram, as name: String, labels: [(String, String)], to text: inout MetricsText
    ) {
        for share in shares {
            text.add(name, labels: labels + [("quantile", "\(share)")], value: histogram.quantile(share) / .seconds(1))
        }
        text.add(name + "_count", labels: labels, value: histogram.count)
        text.add(name + "_sum", labels: labels, value: histogram.total / .seconds(1))
    }

    static func write(_ mirrors: [ReadinessReport.Mirror], to text: inout MetricsText) {
        if mirrors.isEmpty { return }
        text.begin("tondo_mirror_age_seconds", kind: "gauge", help: "Time since a mirror was last synchronised.")
        for mirror in mirrors {
            if let age = mirror.age {
                text.add("tondo_mirror_age_seconds", labels: [("mirror", mirror.name)], value: age)
            }
        }
        text.begin("tondo_mirror_failed", kind: "gauge", help: "1: the last run of a mirror failed.")
        for mirror in mirrors {
            text.add("tondo_mirror_failed", labels: [("mirror", mirror.name)], value: mirror.problem == nil ? 0 : 1)
        }
    }

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
            text.begin(name, kind: kind, help: help)
            text.add(name, labels: [], value: value)
        }
        text.begin("tondo_cache_failures", kind: "gauge", help: "Negative entries by code.")
        for (code, count) in statistics.failures.sorted(by: { $0.key < $1.key }) {
            text.add("tondo_cache_failures", labels: [("code", code)], value: count)
        }
    }
}
