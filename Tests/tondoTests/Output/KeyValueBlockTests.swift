import Testing

@testable import tondo

@Suite struct KeyValueBlockTests {
    @Test func `Values stand under each other`() {
        var block = KeyValueBlock()
        block.add("Key", value: "abc")
        block.add("Last used", value: nil)
        block.add("Photo", value: "a\u{7}b")
        block.add("Note", value: "")
        #expect(block.text() == "Key     abc\nPhoto   a\\u{07}b\nNote\n")
    }

    @Test func `Several values stand behind one name`() {
        var block = KeyValueBlock()
        block.add("because", values: ["one", "two"])
        block.add("none", values: [])
        #expect(block.text() == "because   one\n          two\n")
    }

    @Test func `A long value is broken between its words on a terminal`() {
        var block = KeyValueBlock()
        block.add("Recipe", value: "side=96 inset=0 background=none")
        #expect(block.text(width: 33) == "Recipe   side=96 inset=0\n         background=none\n")
        #expect(block.text() == "Recipe   side=96 inset=0 background=none\n")
    }

    @Test func `A word that is longer than the terminal stays whole`() {
        var block = KeyValueBlock()
        let word = String(repeating: "x", count: 60)
        block.add("Key", value: word)
        #expect(block.text(width: 40) == "Key   \(word)\n")
    }
}
