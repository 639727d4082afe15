import Testing
import TondoAvatars
import TondoImage
import TondoJobs
import TondoRedis

@testable import TondoServer

@Suite struct StateMetricsTests {
    private func metrics(_ change: (inout JobsReport.Decoder) -> Void) -> [Substring] {
        var decoder = JobsReport.Decoder()
        change(&decoder)
        var text = MetricsText()
        StateMetrics.write(decoder, to: &text)
        return text.text.split(separator: "\n")
    }

    @Test(arguments: [("installed", 1), ("missing", 0), ("no-fonts", 0)])
    func `A program counts as installed if it can draw`(state: String, value: Int) {
        let lines = metrics { ($0.heif, $0.text) = ("installed", state) }
        #expect(lines.contains(#"tondo_decoder_installed{formats="heif"} 1"#))
        #expect(lines.contains(#"tondo_decoder_installed{formats="initials"} \#(value)"#))
    }

    @Test(arguments: [("installed", 1), ("missing", 0), ("off", 0), ("damaged", 0)])
    func `The face model counts as installed if faces are found with it`(state: String, value: Int) {
        #expect(metrics { $0.faces = state }.contains("tondo_face_model_installed \(value)"))
    }

    @Test func `All counters of the shared tier, and the state of its breaker, are there under their names`() {
        var report = SharedTierReport(SharedTier(RedisPool(address: RedisAddress("unix:/none")!)))
        report.breaker = "open"
        (report.hits, report.misses, report.stored, report.errors) = (1, 2, 3, 4)
        (report.altered, report.failures, report.lockWaits, report.lockTimeouts) = (5, 6, 7, 8)
        var text = MetricsText()
        StateMetrics.write(report, to: &text)
        let lines = text.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let events = ["hits", "misses", "stored", "errors", "altered", "failures", "lockWaits", "lockTimeouts"]
        let expected = zip(events, 1...).map { #"tondo_shared_total{event="\#($0)"} \#($1)"# }
        #expect(lines.suffix(8).map(String.init) == expected)
        for (state, value) in [("closed", 0), ("open", 1), ("probing", 0)] {
            #expect(lines.contains(#"tondo_shared_breaker{state="\#(state)"} \#(value)"#))
        }
    }

    @Test func `The sum of durations is exact, so that Prometheus sees no reset between two scrapes`() {
        /// Nanoseconds.
        func sum(_ seconds: [Int]) -> Double? {
            var histogram = LatencyHistogram()
            // A mean of three durations, rounded down, would lose these.
            histogram.record(.nanoseconds(2))
            for second in seconds { histogram.record(.seconds(second)) }
            var text = MetricsText()
            StateMetrics.write([.decode: histogram], to: &text)
            let line = text.text.split(separator: "\n").first { $0.hasPrefix("tondo_drawing_step_seconds_sum") }
            return line?.split(separator: " ").last.flatMap { Double($0) }.map { ($0 * 1e9).rounded() }
        }
        #expect(sum([]) == 2)
        #expect(sum([0, 0]) == 2)
        #expect(sum([3, 0]) == 3_000_000_002)
    }

    @Test func `Without the sandbox no program counts`() {
        #expect(!metrics { _ in }.contains { $0.contains("_installed") })
    }
}
