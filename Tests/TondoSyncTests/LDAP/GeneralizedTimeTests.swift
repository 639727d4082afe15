import Testing

@testable import TondoSync

/// RFC 4517 section 3.3.13.
@Suite struct GeneralizedTimeTests {
    @Test(arguments: [
        ("19700101000000Z", 0), ("20000229235959Z", 951_868_799), ("20261124183427Z", 1_795_545_267),
        ("20261124183427.0Z", 1_795_545_267), ("21000301000000Z", 4_107_542_400),
    ])
    func `Reads and writes times`(_ text: String, _ seconds: Int) throws {
        let time = try #require(GeneralizedTime(text))
        #expect(time.seconds == seconds)
        #expect(time.text(fraction: text.contains(".")) == text)
    }

    @Test func `Writes every day of a century as it reads it`() {
        for day in 10_000..<46_000 {
            let text = GeneralizedTime(seconds: 86_400 * day + 1).text(fraction: false)
            #expect(GeneralizedTime(text)?.seconds == 86_400 * day + 1)
        }
    }

    @Test(arguments: [
        "", "2026", "20261124183427", "20261124183427+0100", "20261324183427Z", "20261124253427Z", "2026112418342xZ",
    ])
    func `Refuses other texts`(_ text: String) { #expect(GeneralizedTime(text) == nil) }
}
