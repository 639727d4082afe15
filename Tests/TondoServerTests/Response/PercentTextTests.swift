import Testing

@testable import TondoServer

@Suite struct PercentTextTests {
    @Test func `Escapes are taken out, and nothing else`() {
        #expect(PercentText.plain("a%20b+c%2Fd".utf8) == "a b+c/d")
        #expect(PercentText.plain("%61%C3%a9".utf8, plusIsBlank: true) == "aé")
        #expect(PercentText.plain("a+b%2B".utf8, plusIsBlank: true) == "a b+")
    }

    @Test(arguments: ["%", "%4", "%zz", "a%g1", "%ff", "%c3", "%+1"])
    func `A cut escape and what is no UTF-8 are no text`(text: String) {
        #expect(PercentText.plain(text.utf8) == nil)
    }
}
