import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// What servers list of a book, beside its cards and without them.
@Suite(.blocking) struct ListedMembersTests {
    private let book: FakeAddressBook
    private let trial: MirrorTrial

    init() throws {
        book = try FakeAddressBook()
        trial = try MirrorTrial(book.url)
    }

    /// A report has a token, and names no card.
    private func silence(_ responses: [String] = []) {
        book.answer { request in
            request.body.contains("sync-collection") ? FakeAddressBook.multistatus(responses, token: "7") : nil
        }
    }

    @Test(arguments: [
        [], ["<d:response><d:href>/ada/book/</d:href>\(FakeAddressBook.ok("<d:getetag>1</d:getetag>"))</d:response>"],
    ])
    func `a first report without a card is not believed, and no later one is`(responses: [String]) {
        silence(responses)
        for name in ["ada.vcf", "bob.vcf"] { book.put(name) }
        #expect(trial.run().status.added == 2)
        book.put("zoe.vcf")
        book.remove("bob.vcf")
        let result = trial.run()
        #expect(result.status.added == 1 && result.status.removed == 1)
    }

    @Test
    func `a book that is empty stays one, and its server is asked by reports`() throws {
        #expect(trial.run().error == nil)
        book.put("ada.vcf")
        #expect(trial.run().status.added == 1)
        book.server.forget()
        trial.run()
        #expect(book.server.lines.contains { $0.hasPrefix("REPORT") })
    }

    @Test
    func `a listing that fails is no empty book`() {
        silence()
        book.put("ada.vcf")
        let reports = book.state.withLock { $0.instead }
        book.answer { request in
            request.method == "PROPFIND" && request.headers["depth"] == "1"
                ? ScriptedServer.Reply(500) : reports(request)
        }
        #expect(trial.run().error != nil)
    }

    @Test
    func `files of systems and other kinds are no cards`() {
        let others = [
            ".DS_Store", "._ada.vcf", ".htaccess", "notes.TXT", "ada.vcf~", "events.ics", "Thumbs.db", ".vcf~",
        ]
        for name in others { book.put(name, "none") }
        let cards = ["ada.vcf", "bob", "c@example.org", ".dot.vcf", "d.b", "e.text"]
        for name in cards { book.put(name) }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 0)
        #expect(result.status.added == cards.count)
    }
}
