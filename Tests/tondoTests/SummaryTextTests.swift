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

    @Test func `How many have no photo is said of all contacts, and of no part of them`() {
        var summary = ConversionSummary()
        (summary.inputs, summary.failed, summary.left, summary.photoless) = (9, 1, 8, 1)
        #expect(
            SummaryText.text(of: summary, output: "out")
                == "0 contacts converted to 0 avatars, 1 failed, 8 not started in 0.00 s")
        (summary.done, summary.written, summary.failed, summary.left) = (9, 9, 0, 0)
        #expect(SummaryText.text(of: summary, output: "out").contains("9 avatars, 1 of them without a photo in"))
    }

    @Test func `Other files alone are no photos`() {
        var summary = ConversionSummary()
        (summary.inputs, summary.ignored) = (2, 2)
        #expect(SummaryText.text(of: summary, output: "avatars/") == "no photos found, 2 other files ignored")
    }
}
