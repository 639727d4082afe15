import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ContactsQueryTests {
    private let book: SmallBook

    init() throws { book = try SmallBook() }

    private func run(_ words: String..., settings: String? = nil) throws -> Outcome {
        if let settings { try book.folder.write(Data(settings.utf8), to: "tondo.toml") }
        let all = ["contacts", "query"] + words + (settings == nil ? [] : ["--config", "tondo.toml"])
        return try RunningTondo(all, in: book.folder, shell: #"XDG_CACHE_HOME=$PWD/cache exec "$@""#).finish()
    }

    @Test func `mutt gets a line for people, then address, name and note`() throws {
        let outcome = try run("ada", "--book", "book.vcf")
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
        #expect(
            outcome.text == """
                1 address; 1 card cannot be read, see 'tondo contacts ls'
                ada@example.org\tAda Lovelace\tEngines

                """)
    }

    @Test(arguments: [
        ("aerc", "carl@example.org\tCarl Åberg\t\n"), ("address", "Carl Åberg <carl@example.org>\n"),
    ])
    func `Other programs get addresses alone`(format: String, text: String) throws {
        #expect(try run("aberg", "--book", "book.vcf", "--format", format).text == text)
    }

    @Test func `A name with signs is quoted in an address`() throws {
        let card = #"BEGIN:VCARD\#nVERSION:3.0\#nFN:King\, "Ada" \\ J.\#nEMAIL:a@example.org\#nEND:VCARD\#n"#
        try book.folder.write(Data(card.utf8), to: "signs.vcf")
        let outcome = try run("king", "--book", "signs.vcf", "--format", "address")
        #expect(outcome.text == #""King, \"Ada\" \\ J." <a@example.org>"# + "\n")
    }

    @Test func `Nothing found is status 1, and a line for mutt`() throws {
        let outcome = try run("nobody", "--book", "book.vcf")
        #expect(outcome.status == 1 && outcome.error.isEmpty)
        #expect(outcome.text == "no address found; 1 card cannot be read, see 'tondo contacts ls'\n")
        #expect(try run("nobody", "--book", "book.vcf", "--format", "aerc").text.isEmpty)
    }

    @Test func `The books are those of the configuration`() throws {
        try book.makeFolder()
        let folder = book.folder.pathString
        let outcome = try run("--json", settings: "books = [\"\(folder)/people\", \"\(folder)/book.vcf\"]\n")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(try outcome.json().map { $0["address"] as? String } == ["ada@example.org", "carl@example.org"])
    }

    @Test func `Without a book, the command says what to do`() throws {
        let outcome = try run("ada", settings: "jobs = 1\n")
        #expect(outcome.status == 78)
        #expect(outcome.error.contains("no address book is configured: name one with --book, or in 'books'"))
    }

    @Test func `One unreadable book of several is left out, the only one ends the command`() throws {
        let both = try run("ada", "--book", "none.vcf", "--book", "book.vcf", "--format", "aerc")
        #expect(both.status == 0 && both.text == "ada@example.org\tAda Lovelace\tEngines\n")
        let none = try run("ada", "--book", "none.vcf")
        #expect(none.status == 66 && none.error.contains("none.vcf: "))
    }
}
