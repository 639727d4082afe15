import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ContactsListTests {
    private let book: SmallBook

    init() throws { book = try SmallBook() }

    /// The ids of those who are listed.
    private func list(_ words: String...) throws -> [String] {
        try RunningTondo(["contacts", "ls", "book.vcf", "--json"] + words, in: book.folder).finish().json()
            .compactMap { $0["id"] as? String }
    }

    @Test func `Each contact has a line under the headings`() throws {
        let lines = try book.run("ls", "book.vcf").lines
        #expect(lines.count == 4)
        let headings = ["NAME", "ORGANISATION", "PHONE", "EMAIL", "VIA", "GROUPS", "PHOTO", "ID"]
        #expect(lines[0].split(separator: "\t").map(String.init) == headings)
        let ada = "Ada Lovelace|Engines|+7 (916) 123-45-67|ada@example.org|T|Friends, Work|none|ada"
        #expect(lines[1] == ada.replacing("|", with: "\t"))
        #expect(lines[3].hasSuffix("\tWork\tfile\tcarl"))
    }

    @Test func `A broken card is named by file and line, and the others are listed`() throws {
        let outcome = try book.run("ls", "./book.vcf")
        #expect(outcome.status == 1 && outcome.lines.count == 4)
        #expect(outcome.error == "tondo: ./book.vcf:19: holds no contact data\n")
    }

    @Test(arguments: ["ls", "groups", "export"])
    func `A file that cannot be read makes the status 1, and the rest is printed`(_ command: String) throws {
        try book.folder.write(Data((SmallBook.ada + SmallBook.bo).utf8), to: "people/a.vcf")
        #expect(try book.run(command, "people").status == 0)
        try book.folder.write(Data("no card".utf8), to: "people/b.vcf")
        let outcome = try book.run(command, "people")
        #expect(outcome.status == 1 && !outcome.output.isEmpty)
        #expect(outcome.error.contains("b.vcf"))
    }

    @Test(arguments: [
        ("-", "standard input", #"cat book.vcf | "$@""#), ("pipe", "pipe", #"mkfifo pipe; cat book.vcf >pipe & "$@""#),
    ])
    func `A book comes through a pipe, and broken cards are named as ever`(
        path: String, name: String, shell: String
    ) throws {
        let outcome = try book.run("ls", path, shell: shell)
        #expect(outcome.status == 1 && outcome.error == "tondo: \(name):19: holds no contact data\n")
        #expect(outcome.text == (try book.run("ls", "book.vcf").text))
    }

    @Test func `What comes through a pipe and is no book is refused as a file would be`() throws {
        let outcome = try book.run("ls", "-", shell: #"head -c 100 photos/carl.jpg | "$@""#)
        #expect(outcome.status == 66)
        #expect(outcome.error == "tondo: standard input: not an address book but a JPEG image\n")
        #expect(try book.run("ls", "-").error == "tondo: standard input: empty file\n")
    }

    @Test func `A book of nothing but broken cards is a failure`() throws {
        let outcome = try SmallBook(SmallBook.broken).run("ls", "book.vcf")
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
    }

    @Test func `All chosen ways must hold`() throws {
        #expect(try list("--filter", "email") == ["ada", "carl"])
        #expect(try list("--filter", "telegram,email") == ["ada"])
        #expect(try list("--filter", "viber") == [])
    }

    @Test func `The book's order holds unless another is wanted`() throws {
        #expect(try list() == ["ada", "bo", "carl"])
        #expect(try list("--sort", "family") == ["carl", "bo", "ada"])
        #expect(try list("--sort", "given-desc") == ["carl", "bo", "ada"])
    }

    @Test func `Names are sorted by the locale of the environment`() throws {
        let swedish = try book.run(
            "ls", "book.vcf", "--json", "--sort", "family", shell: #"LC_ALL=sv_SE.UTF-8 exec "$@""#)
        #expect(try swedish.json().compactMap { $0["id"] as? String } == ["bo", "ada", "carl"])
    }

    @Test func `A search and a group narrow the list together`() throws {
        #expect(try list("--search", "aberg") == ["carl"])
        #expect(try list("--group", "work") == ["ada", "carl"])
        #expect(try list("--group", "work", "--search", "lovelace") == ["ada"])
    }

    @Test func `A group that is not there is an error that names those that are`() throws {
        let outcome = try book.run("ls", "book.vcf", "--group", "Foes")
        #expect(outcome.status == 1)
        #expect(outcome.error.hasSuffix("tondo: Foes: no such group; there are:\n  Friends\n  Work\n"))
    }

    @Test func `A limit says that there is more`() throws {
        let outcome = try book.run("ls", "book.vcf", "--limit", "1")
        #expect(outcome.lines.count == 2)
        #expect(outcome.error.hasSuffix("2 more; --limit 0 lists all\n"))
    }

    @Test func `On a terminal no line is wider than it`() throws {
        let outcome = try book.run(
            shell: #"exec script -qec "stty cols 60; NO_COLOR=1 '$1' contacts ls book.vcf 2>/dev/null" /dev/null"#)
        let lines = outcome.text.split(whereSeparator: \.isNewline)
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.count <= 60 })
        #expect(lines[0].contains("NAME") && !lines[0].contains("GROUPS"))
    }

    @Test func `80 columns show names, numbers and addresses, and no part of an id`() throws {
        let id = "4f1c6c1e-9d3a-4c43-8f0e-0f6f0c1d2a3b"
        let card = SmallBook.ada.replacing("UID:ada", with: "UID:\(id)")
        try book.folder.write(Data(card.utf8), to: "uuid.vcf")
        let outcome = try book.run(
            shell: #"exec script -qec "stty cols 80; '$1' contacts ls uuid.vcf 2>/dev/null" /dev/null"#)
        let line = try #require(outcome.text.split(whereSeparator: \.isNewline).last)
        #expect(line.contains("Ada Lovelace  ") && line.contains("+7 (916) 123-45-67  ada@example.org"))
        #expect(line.count <= 80 && !line.contains(id.prefix(4)) && !line.contains("…"))
        #expect(try book.run("ls", "uuid.vcf").text.contains("\t\(id)\n"))
    }

    @Test(arguments: [
        (["ls", "nobody.vcf"], Int32(66), "nobody.vcf: cannot be read: no such file or directory"),
        (["ls", "photos/carl.jpg"], 66, "photos/carl.jpg: not an address book but a JPEG image"),
        (["ls", "book.vcf", "--sort", "age"], 64, "The value 'age' is invalid"),
        (["ls", "book.vcf", "--filter", "pigeon"], 64, "The value 'pigeon' is invalid"),
        (["ls", "book.vcf", "--limit=-1"], 64, "--limit -1: must be 0 or more."),
        (["ls", ""], 64, "The name of the book is empty"),
        (["ls", "--config", "/dev/null"], 78, "no address book is configured: name one on the command line"),
    ]) func `What is asked wrongly is refused`(words: [String], status: Int32, message: String) throws {
        let outcome = try RunningTondo(["contacts"] + words, in: book.folder).finish()
        #expect(outcome.status == status)
        #expect(outcome.error.contains(message))
        #expect(outcome.output.isEmpty)
    }

    @Test func `An empty folder has no contacts`() throws {
        try book.folder.makeFolder("empty")
        let outcome = try book.run("ls", "empty")
        #expect(outcome.status == 0)
        #expect(outcome.error == "no contacts\n")
    }
}
