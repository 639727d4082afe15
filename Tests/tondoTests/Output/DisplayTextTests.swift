import Testing

@testable import tondo

@Suite struct DisplayTextTests {
    @Test(arguments: [
        ("", 0), ("Ada", 3), ("José", 4), ("Jose\u{301}", 4), ("漢字", 4), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("ｱ", 1), ("Ａ", 2), ("😀", 2), ("🇫🇷", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("❤", 1), ("a\u{200B}b", 2), ("…", 1),
        ("สวัสดี", 4), ("नी", 2),
    ])
    func `Width is counted in cells`(_ text: String, _ width: Int) {
        #expect(DisplayText.width(text) == width)
    }

    @Test func `The middle gives way to an ellipsis`() {
        #expect(DisplayText.shortened("abcdefghij", to: 10) == "abcdefghij")
        #expect(DisplayText.shortened("abcdefghij", to: 5) == "ab…ij")
        #expect(DisplayText.shortened("abcdefghij", to: 1) == "…")
        #expect(DisplayText.shortened("漢字漢字", to: 6) == "漢…字")
        #expect(DisplayText.shortened("abc", to: 0).isEmpty)
    }
}
