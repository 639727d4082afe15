import Testing

@testable import tondo

@Suite struct StyleWordsTests {
    @Test func `Words are separated by commas, and a number means the side`() {
        #expect(StyleWords(argument: "96")?.words == ["side=96"])
        #expect(StyleWords(argument: "192,ring=8")?.words == ["side=192", "ring=8"])
    }

    @Test(arguments: ["", "plain", "side=", "=96", "side=96,", "side=96 ring=4", "96,ring"])
    func `What is no word of a recipe is refused`(_ text: String) {
        #expect(StyleWords(argument: text) == nil)
    }
}
