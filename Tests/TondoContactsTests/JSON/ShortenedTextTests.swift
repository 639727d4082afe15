import Testing

@testable import TondoContacts

@Suite struct ShortenedTextTests {
    @Test(
        arguments: [
            ("abcd", 3, "abc"), ("abc", 3, "abc"), ("abe\u{301}x", 4, "ab"), ("ab\r\ncd", 3, "ab"),
            ("a👨‍👩‍👧‍👦b", 12, "a"), ("a🇩🇪🇫🇷", 13, "a🇩🇪"), ("abc", 0, ""),
        ] as [(String, Int, String)])
    func `A text is cut between two characters`(text: String, limit: Int, short: String) {
        var text = text
        let isLonger = text.utf8.count > limit
        let isCut = text.shorten(to: limit)
        #expect(isCut == isLonger)
        // By bytes: texts that look alike are equal.
        #expect(Array(text.utf8) == Array(short.utf8))
    }

    @Test func `A character that is longer than the limit is cut between two scalars`() {
        var text = "e" + String(repeating: "\u{301}", count: 100_000) + "x"
        #expect(text.count == 2)
        text.shorten(to: 65_536)
        #expect(text.utf8.count == 65_535 && text.count == 1)
    }
}
