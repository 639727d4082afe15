import Testing

@testable import tondo

@Suite struct AgeTests {
    @Test(arguments: [
        ("45s", 45), ("90m", 5_400), ("12h", 43_200), ("30d", 2_592_000), ("2w", 1_209_600), ("1y", 31_536_000),
        ("30D", 2_592_000), ("0d", 0),
    ])
    func `A number with its unit is read`(_ text: String, _ seconds: Int) {
        #expect(Age(argument: text)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "30", "d", "-1d", "1.5d", "30 d", "30days", "1mo", "٣d", "99999999999999999999s", "999999999999y",
    ])
    func `Nonsense is refused`(_ text: String) {
        #expect(Age(argument: text) == nil)
    }
}
