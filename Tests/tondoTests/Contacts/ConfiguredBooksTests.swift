import Foundation
import Testing
import TondoTestSupport

@testable import tondo

/// Commands that read books and were given none.
@Suite struct ConfiguredBooksTests {
    private let book: SmallBook

    init() throws {
        book = try SmallBook(SmallBook.carl)
        try book.makeFolder()
    }

    /// `tondo WORDS...` with two books in the configuration.
    private func run(_ words: String..., books: [String] = ["people", "book.vcf"]) throws -> Outcome {
        let paths = books.map { "\"\(book.folder.pathString)/\($0)\"" }.joined(separator: ", ")
        try book.folder.write(Data("books = [\(paths)]\n".utf8), to: "tondo.toml")
        return try RunningTondo(words + ["--config", "tondo.toml"], in: book.folder).finish()
    }

    @Test func `The contacts of all books are listed, in the order of the books`() throws {
        let outcome = try run("contacts", "ls", "--json")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(try outcome.json().compactMap { $0["id"] as? String } == ["ada", "bo", "carl"])
    }

    @Test func `They are sorted together`() throws {
        let outcome = try run("contacts", "ls", "--json", "--sort", "family")
        #expect(try outcome.json().compactMap { $0["id"] as? String } == ["carl", "bo", "ada"])
    }

    @Test func `A group counts its members in all books`() throws {
        let groups = try run("contacts", "groups", "--json").json()
        let work = try #require(groups.first { $0["name"] as? String == "Work" })
        #expect(work["total"] as? Int == 2)
        #expect(try run("contacts", "ls", "--json", "--group", "work").lines.count == 2)
    }

    @Test(arguments: [("ada", "Ada Lovelace"), ("carl", "Carl Åberg")])
    func `A contact is shown from the book that has it`(word: String, name: String) throws {
        let outcome = try run("contacts", "show", word)
        #expect(outcome.status == 0 && outcome.text.contains(name), "\(outcome.error)")
    }

    @Test func `All contacts are exported to one file`() throws {
        let outcome = try run("contacts", "export", "-o", "all.json")
        #expect(outcome.status == 0 && outcome.error.hasSuffix("3 contacts exported\n"), "\(outcome.error)")
        let all = try book.run("ls", "all.json", "--json").json()
        #expect(all.compactMap { $0["id"] as? String } == ["ada", "bo", "carl"])
    }

    @Test func `The photos of all books are listed and exported, each under a name of its own`() throws {
        try book.folder.write(Data(SmallBook.carl.utf8), to: "second/book.vcf")
        try book.folder.add(Repository.small, as: "second/photos/carl.jpg")
        let books = ["book.vcf", "second/book.vcf"]
        let list = try run("photos", "ls", "--json", books: books)
        #expect(list.status == 0 && list.lines.count == 2, "\(list.error)")
        #expect(try run("photos", "export", "-o", "out", books: books).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: book.folder.pathString + "/out")
        #expect(names.sorted() == ["Carl Åberg-2.jpg", "Carl Åberg.jpg"])
    }

    @Test func `A configured book that cannot be read is reported, and the others are listed with status 1`() throws {
        let outcome = try run("contacts", "ls", "--json", books: ["lost", "book.vcf"])
        #expect(outcome.status == 1 && outcome.lines.count == 1)
        #expect(outcome.error.contains("lost: cannot be read"))
        #expect(try run("contacts", "ls", books: ["lost"]).status == 66)
    }

    @Test func `The books are loaded one after the other, with one row of numbers`() throws {
        let outcome = try run("load", "--json", "--cache-dir", "cache", "--sandbox", "off", "--initials", "off")
        #expect(outcome.status == 0, "\(outcome.error)")
        let events = try outcome.json()
        #expect(events.filter { $0["event"] as? String == "finished" }.count == 2)
        #expect(events.map { $0["seq"] as? Int } == (1...events.count).map { $0 })
    }

    @Test func `Watching needs one book`() throws {
        let outcome = try run("load", "--watch", "--cache-dir", "cache", "--sandbox", "off")
        #expect(outcome.status == 64 && outcome.error.contains("--watch follows one book"))
    }

    @Test(arguments: [
        ["contacts", "ls"], ["contacts", "groups"], ["contacts", "show", "ada"], ["contacts", "export"],
        ["photos", "ls"], ["photos", "export", "-o", "out"], ["load"],
    ])
    func `Without any book, a command says how to name one`(words: [String]) throws {
        let outcome = try RunningTondo(words + ["--config", "/dev/null"], in: book.folder).finish()
        #expect(outcome.status == 78 && outcome.output.isEmpty)
        #expect(outcome.error.contains("no address book is configured: name one on the command line"))
    }
}
