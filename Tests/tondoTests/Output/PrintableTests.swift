import Testing

@testable import tondo

@Suite struct PrintableTests {
    @Test(arguments: ["\u{1B}[2J", "\u{9B}2J", "\u{202E}gpj", "\u{2028}", "\u{200F}", "\u{7}"])
    func `What a terminal would obey is shown as its number`(_ text: String) {
        let printable = Terminal.printable("a\(text)b")
        #expect(printable.hasPrefix("a\\u{") && printable.hasSuffix("b"))
    }

    @Test func `Names in any script stay what they are`() {
        #expect(Terminal.printable("恵美 Хана نور") == "恵美 Хана نور")
    }
}
