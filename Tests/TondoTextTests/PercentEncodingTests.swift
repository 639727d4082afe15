import Testing
import TondoText

@Suite struct PercentEncodingTests {
    @Test func `Escapes are taken out, and nothing else`() {
        #expect(PercentEncoding.decodeStrictly("a%20b+c%2Fd".utf8) == "a b+c/d")
        #expect(PercentEncoding.decodeStrictly("%61%C3%a9".utf8, plusIsBlank: true) == "aé")
        #expect(PercentEncoding.decodeStrictly("a+b%2B".utf8, plusIsBlank: true) == "a b+")
    }

    @Test(arguments: ["%", "%4", "%zz", "a%g1", "%ff", "%c3", "%+1"])
    func `A cut escape and what is no UTF-8 are no text`(text: String) {
        #expect(PercentEncoding.decodeStrictly(text.utf8) == nil)
    }

    @Test(arguments: ["%", "%4", "%zz", "%+1", "%-1", "%%"])
    func `A percent sign without two digits stays as it is`(text: String) {
        #expect(PercentEncoding.decode(text) == text && PercentEncoding.decode(folded: text) == text)
    }

    @Test func `Line ends and blanks of a folded text go`() {
        #expect(PercentEncoding.decode(folded: "a\r\n b%20c") == "ab c")
        #expect(PercentEncoding.decode("a b%20c") == "a b c")
        // What holds no escape is no URI.
        #expect(PercentEncoding.decode(folded: "a b") == "a b")
    }

    @Test func `Each form escapes its own set of characters`() {
        let text =
            String(String.UnicodeScalarView((0x20...0x7F).compactMap { Unicode.Scalar($0 as UInt32) })) + "\u{E9}"
        let unreserved = "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"
        func plain(_ form: PercentEncoding.Form) -> String {
            String(text.filter { PercentEncoding.encode(String($0), as: form) == String($0) })
        }
        #expect(plain(.pathSegment) == unreserved)
        #expect(Set(plain(.filePath)) == Set(unreserved + "+,/=@"))
        #expect(Set(plain(.desktopPath)) == Set(unreserved + "+,/=@" + "!$&'()*:"))
        #expect(plain(.word) == String(text.dropFirst().dropLast(2).filter { $0 != "%" }))
        #expect(PercentEncoding.encode("\u{E9}/\n", as: .pathSegment) == "%C3%A9%2F%0A")
        #expect(PercentEncoding.encode("\u{E9}/\n", as: .filePath) == "%C3%A9/%0A")
        #expect(PercentEncoding.encode("\u{E9}/\n", as: .word) == "%c3%a9/%0a")
    }
}
