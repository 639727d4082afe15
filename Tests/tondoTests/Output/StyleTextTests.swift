import Testing

@testable import tondo

@Suite struct StyleTextTests {
    @Test(arguments: [
        ("side=96 inset=0 background=none", "plain"),
        ("side=192 inset=14 ring=8 ring-color=0a84ffff background=none", "inset 14, ring 8 #0a84ff"),
        ("side=96 inset=7 background=none", "inset 7"), ("side=96 inset=0 background=ff000080", "background #ff000080"),
        ("side=96 inset=0 background=ffffffff", "background #ffffff"), ("side=96 inset=0 shadow=3", "shadow 3"),
        ("", "plain"),
    ])
    func `A style is described by what is not plain`(_ words: String, _ text: String) {
        #expect(StyleText.text(words) == text)
    }
}
