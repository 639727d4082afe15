import Testing

@testable import tondo

@Suite struct UsageTextTests {
    private static let usage = "USAGE: tondo photos ls [--sort <order>] [--folder <fold er>] [<book> ...] --all"

    @Test func `A synopsis is broken between its parts alone`() {
        #expect(
            UsageText.wrapped("first\n\(Self.usage)\nlast", columns: 40) == """
                first
                USAGE: tondo photos ls [--sort <order>]
                       [--folder <fold er>] [<book> ...]
                       --all
                last
                """)
    }

    @Test func `What is no synopsis, fits, or goes to no terminal stays as it is`() {
        #expect(UsageText.wrapped(Self.usage, columns: nil) == Self.usage)
        #expect(UsageText.wrapped(Self.usage, columns: Self.usage.count) == Self.usage)
        let text = "some words of a text that is wrapped already"
        #expect(UsageText.wrapped(text, columns: 20) == text)
    }
}
