import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoConfiguration

@Suite struct BooksLineTests {
    private let books = ["/srv/a \"b\" [c]", "/srv/#ü\u{2028}"]

    /// As a service would read it.
    private func books(in text: String?) -> [String]? {
        text.map { ConfigurationFile(name: "tondo.toml", text: $0) }.flatMap { file in
            let reading = ConfigurationSource(file: nil, environment: [:]).read(file, variables: [:])
            return reading.problems.isEmpty ? reading.configuration.books.value.map(\.string) : nil
        }
    }

    @Test func `Names of all kinds are read as they are`() {
        #expect(books(in: BooksLine.adding(books, to: "")) == books)
    }

    @Test(arguments: [
        "# Mine.\nlisten = [\":1\"]\r\n\n[styles.a]\nsize = 48", "[styles.books]\nsize = 48\n",
        "\u{FEFF}# books = []\n",
    ])
    func `What a user wrote stays, below`(text: String) throws {
        let added = try #require(BooksLine.adding(books, to: text))
        #expect(books(in: added) == books)
        #expect(added.hasSuffix(text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text))
    }

    @Test(arguments: ["books = []\n", "\"books\" = [\"/b\"]\n", "listen = [\":1\"]\nbooks=['/b']", "[styles\n"])
    func `Text that has the setting, or is no TOML, is left alone`(text: String) {
        #expect(BooksLine.adding(books, to: text) == nil)
    }
}
