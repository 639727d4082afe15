import Testing
import TondoJobs

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

    @Test func `Without the sandbox no program counts`() {
        #expect(!metrics { _ in }.contains { $0.contains("tondo_decoder_installed") })
    }
}
