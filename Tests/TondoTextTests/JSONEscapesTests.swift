import Testing
import TondoText

@Suite struct JSONEscapesTests {
    @Test(arguments: [("a\n\t\u{1}", #""a\n\t\u0001""#), ("é\u{2028}", #""é\u2028""#), (#"\"#, #""\\""#)])
    func `Strings are spelled as JSON has it`(text: String, json: String) {
        #expect(JSONEscapes.quoted(text, style: .markup) == json)
    }

    @Test func `Each style escapes its own set of characters`() {
        let text = "\t\n\r\u{7F}\u{85}<>&\u{2028}\u{2029}/é"
        #expect(
            JSONEscapes.quoted(text, style: .terminal) == #""\u0009\n\u000d\u007f\u0085<>&\u2028\u2029/é""#)
        #expect(
            JSONEscapes.quoted(text, style: .markup)
                == #""\t\n\r\u007f"# + "\u{85}" + #"\u003c\u003e\u0026\u2028\u2029/é""#)
        #expect(
            JSONEscapes.quoted(text, style: .plain)
                == #""\u0009\u000a\u000d\u007f"# + "\u{85}" + #"<>&\u2028\u2029/é""#)
    }

    @Test(arguments: [JSONEscapes.Style.terminal, .markup, .plain])
    func `Every text comes back`(style: JSONEscapes.Style) {
        let scalars = (0...0x2100).compactMap { Unicode.Scalar($0 as UInt32) } + ["\u{1F600}", "\u{10FFFF}"]
        let text = String(String.UnicodeScalarView(scalars))
        let quoted = Array(JSONEscapes.quoted(text, style: style).utf8)
        #expect(JSONEscapes.decode(quoted.dropFirst().dropLast()) == Array(text.utf8))
    }

    /// Texts are searched eight bytes at a time.
    @Test(arguments: [JSONEscapes.Style.terminal, .markup, .plain])
    func `A character has the same escape at every place of a longer text`(style: JSONEscapes.Style) {
        let special = (0...0x100).compactMap { Unicode.Scalar($0 as UInt32) } + ["\u{2028}", "\u{1F600}"]
        for scalar in special {
            let alone = JSONEscapes.quoted(String(scalar), style: style).dropFirst().dropLast()
            for place in 0...17 {
                let (before, after) = (String(repeating: "x", count: place), String(repeating: "~", count: 17 - place))
                #expect(
                    JSONEscapes.quoted(before + String(scalar) + after, style: style) == "\"\(before)\(alone)\(after)\""
                )
            }
        }
    }
}
