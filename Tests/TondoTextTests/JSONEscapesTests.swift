import Testing
import TondoText

@Suite struct JSONEscapesTests {
    @Test(arguments: [("a\n\t\u{1}", #""a\n\t\u0001""#), ("é\u{2028}", #""é\u2028""#), (#"\"#, #""\\""#)])
    func `Strings are spelled as JSON has it`(text: String, json: String) {
        #expect(JSONEscapes.quoted(text, .markup) == json)
    }

    @Test func `Each style escapes its own set of characters`() {
        let text = "\t\n\r\u{7F}\u{85}<>&\u{2028}\u{2029}/é"
        #expect(
            JSONEscapes.quoted(text, .terminal) == #""\u0009\n\u000d\u007f\u0085<>&\u2028\u2029/é""#)
        #expect(
            JSONEscapes.quoted(text, .markup)
                == #""\t\n\r\u007f"# + "\u{85}" + #"\u003c\u003e\u0026\u2028\u2029/é""#)
        #expect(
            JSONEscapes.quoted(text, .plain)
                == #""\u0009\u000a\u000d\u007f"# + "\u{85}" + #"<>&\u2028\u2029/é""#)
    }

    @Test(arguments: [JSONEscapes.Style.terminal, .markup, .plain])
    func `Every text comes back`(style: JSONEscapes.Style) {
        let scalars = (0...0x2100).compactMap { Unicode.Scalar($0 as UInt32) } + ["\u{1F600}", "\u{10FFFF}"]
        let text = String(String.UnicodeScalarView(scalars))
        let quoted = Array(JSONEscapes.quoted(text, style).utf8)
        #expect(JSONEscapes.decode(quoted.dropFirst().dropLast()) == Array(text.utf8))
    }
}
