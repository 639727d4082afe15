import Testing

@testable import TondoImage

@Suite struct PNGTextTests {
    @Test func `An entry is keyword, NUL and value`() {
        #expect(PNGText.data(keyword: "Title", value: "Ada") == Array("Title\0Ada".utf8))
    }

    @Test func `Text is stored as Latin-1`() {
        #expect(PNGText.data(keyword: "A", value: "\u{E9}") == [0x41, 0, 0xE9])
    }

    @Test(arguments: [1, 79])
    func `Keywords of 1 to 79 bytes are taken`(count: Int) {
        #expect(PNGText.data(keyword: String(repeating: "k", count: count), value: "") != nil)
    }

    @Test(arguments: [0, 80, 200])
    func `Keywords of other sizes are refused`(count: Int) {
        #expect(PNGText.data(keyword: String(repeating: "k", count: count), value: "") == nil)
    }

    @Test(arguments: [" a", "a ", "a  b", "a\u{A0}b", "a\nb", "a\0b", "\u{20AC}"])
    func `Keywords with characters out of place are refused`(keyword: String) {
        #expect(PNGText.data(keyword: keyword, value: "") == nil)
    }

    @Test(arguments: ["a\0b", "\u{20AC}"])
    func `Values with NUL or beyond Latin-1 are refused`(value: String) {
        #expect(PNGText.data(keyword: "k", value: value) == nil)
    }
}
