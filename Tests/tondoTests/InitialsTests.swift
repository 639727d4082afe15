import Foundation
import Testing
import TondoTestSupport

@testable import tondo

/// With the program that draws letters, and the fonts of the tests.
@Suite struct InitialsTests {
    private let book: LoadedBook

    init() throws { book = try LoadedBook() }

    private func load(_ words: String...) throws -> Outcome {
        let running = try RunningTondo(
            ["load", "book", "--cache-dir", "cache", "--json"] + words, in: book.folder)
        running.closeInput()
        return try running.finish()
    }

    private func kinds(_ outcome: Outcome) throws -> Set<String> {
        Set(try outcome.json().compactMap { $0["kind"] as? String })
    }

    @Test func `A load draws the initials of contacts without a photo`() throws {
        for name in ["ada", "bo"] { try book.add(name) }
        let outcome = try load()
        #expect(outcome.status == 0 && outcome.error.isEmpty)
        #expect(try kinds(outcome) == ["initials"] && book.entries().count == 2)
    }

    @Test func `The cache says which letters a contact has`() throws {
        try book.add("ada")
        _ = try load()
        let why = try Tondo.run("cache", "why", "ada", "--cache-dir", "cache", in: book.folder)
        #expect(why.text.hasPrefix("ada, 96@1x normal: hit\n") && why.text.contains("  initials     A\n"))
        let json = try Tondo.run("cache", "why", "ada", "--cache-dir", "cache", "--json", in: book.folder).json()
        #expect(json.first?["initials"] as? String == "A")
    }

    @Test func `Another rule makes other avatars`() throws {
        try book.add("ada")
        let keys = try ["tondo", "adwaita", "nextcloud", "kirigami"].map { rule in
            try load("--initials", rule).json().compactMap { $0["key"] as? String }
        }
        #expect(Set(keys).count == 4 && keys.allSatisfy { $0.count == 1 })
    }

    @Test func `A missing program costs one warning, and contacts have the silhouette`() throws {
        for name in ["ada", "bo", "cy"] { try book.add(name) }
        let outcome = try Tondo.run(
            "load", "book", "--cache-dir", "cache", "--json", in: book.folder,
            shell: #"TONDO_RENDER_TEXT=/nowhere/tondo-render-text exec "$@""#)
        #expect(outcome.status == 0)
        #expect(
            outcome.error
                == "tondo: warning: contacts without a photo get a silhouette: initials cannot be drawn: "
                + "tondo-render-text is missing (install tondo-text)\n")
        #expect(try kinds(outcome) == ["silhouette"] && book.entries().count == 1)
    }

    @Test func `Initials are converted like photos`() throws {
        let outcome = try Tondo.run(
            "convert", "--initials", "Ada Okafor", "-o", "out", "--size", "48,96", in: book.folder)
        #expect(outcome.status == 0)
        #expect(try book.folder.names(in: "out") == ["Ada Okafor-48@1x-normal.png", "Ada Okafor-96@1x-normal.png"])
    }

    @Test func `A name without a letter is refused`() throws {
        let outcome = try Tondo.run("convert", "--initials", "+46 1", in: book.folder)
        #expect(outcome.status == 64 && outcome.error.hasPrefix("tondo: --initials +46 1: no letter in it.\n"))
    }

    @Test func `Without the sandbox nothing draws letters`() throws {
        try book.add("ada")
        let outcome = try load("--sandbox", "off")
        #expect(outcome.status == 0 && outcome.error.contains("letters are drawn in confined processes only\n"))
        #expect(try kinds(outcome) == ["silhouette"])
    }
}
