import Testing

@testable import TondoText

@Suite struct JSONTapeTests {
    private func tape(_ text: String) throws -> JSONTape { try JSONTape(FileBytes(Array(text.utf8))) }

    @Test func `Values come out as they are written`() throws {
        let root = try #require(try tape(#"{"a":[1,-2.5e3,true,false,null,"x\n\u0416"],"b":{"c":""}}"#).root)
        let elements = root["a"].map { Array($0.elements) } ?? []
        #expect(elements.map(\.kind) == [.number, .number, .yes, .no, .null, .escapedString])
        #expect(elements[1].number == "-2.5e3")
        #expect(elements[5].string == "x\nЖ")
        #expect(root["b"]?["c"]?.string == "")
        #expect(root["c"] == nil)
    }

    @Test(arguments: ["01", "+1", "1.", ".5", "1e", "--1", "NaN", "-Infinity", "0x10", "True", "nul", "'a'"])
    func `A word without a meaning spoils nothing but itself`(word: String) throws {
        let tape = try tape("[\(word),1]")
        #expect(tape.failure == nil)
        #expect(tape.root?.elements.map(\.kind) == [.broken, .number])
    }

    @Test(arguments: [
        "", "[", "[1", "{\"a\"", "{\"a\":", "\"", "[\"\\", "{1:2}", "[1 2]", "[}", "]", "[,]", "[[]", "1 1",
        "{\"a\" 1}",
    ])
    func `A text that breaks off says so`(text: String) throws {
        #expect(try tape(text).failure != nil)
    }

    @Test func `What is nested too deep counts as one word`() throws {
        let deep = String(repeating: "[", count: 1_000_000) + "\"]\"" + String(repeating: "]", count: 1_000_000)
        let tape = try tape("[1,\(deep),2]")
        #expect(tape.failure == nil)
        #expect(tape.tokens.count < 100)
        #expect(tape.root?.elements.map(\.kind) == [.number, .array, .number])
    }

    @Test func `A million open brackets are refused`() throws {
        let tape = try tape(String(repeating: "[{\"a\":", count: 1_000_000))
        #expect(tape.failure?.reason.contains("nested") == true)
        #expect(tape.tokens.count < 200)
    }
}
