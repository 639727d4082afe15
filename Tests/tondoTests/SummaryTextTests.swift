import Testing
import TondoAvatars

@testable import tondo

@Suite struct SummaryTextTests {
    @Test func `All that happened is counted`() {
        var summary = ConversionSummary()
        (summary.inputs, summary.done, summary.skipped, summary.failed, summary.ignored) = (12, 5, 4, 2, 1)
        (summary.written, summary.seconds) = (10, 1.234)
        #expect(
            SummaryText.text(of: summary, output: "avatars/")
                == "5 photos converted to 10 avatars, 4 photos skipped (already converted), 2 failed, "
                + "1 other file ignored in 1.23 s; output: avatars/")
    }

    @Test func `An interruption says what was not started`() {
        var summary = ConversionSummary()
        (summary.inputs, summary.done, summary.written, summary.left) = (1, 1, 1, 41)
        summary.isInterrupted = true
        #expect(
            SummaryText.text(of: summary, output: "avatars/")
                == "interrupted: 1 photo converted to 1 avatar, 41 not started in 0.00 s; output: avatars/")
    }

    @Test func `Other files alone are no photos`() {
        var summary = ConversionSummary()
        (summary.inputs, summary.ignored) = (2, 2)
        #expect(SummaryText.text(of: summary, output: "avatars/") == "no photos found, 2 other files ignored")
    }
}
