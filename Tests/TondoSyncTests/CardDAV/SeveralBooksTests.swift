import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Two address books of one account, with cards of the same UIDs.
@Suite(.blocking) struct SeveralBooksTests {
    private static let second = "/ada/second/"
    private let book: FakeAddressBook
    private let trial: MirrorTrial
    /// Of the second book.
    private let listing = Locked<[String: String]>([:])

    init() throws {
        let (book, listing) = (try FakeAddressBook(), listing)
        self.book = book
        trial = try MirrorTrial(book.server.url + "/ada/")
        book.answer { request in
            switch (request.method, request.path) {
            case ("PROPFIND", "/ada/"): return Self.home(isListing: request.headers["depth"] == "1")
            case ("REPORT", Self.second) where request.body.contains("sync-collection"):
                let items = listing.withLock { $0 }.sorted { $0.key < $1.key }
                return FakeAddressBook.multistatus(
                    items.map { FakeAddressBook.found(Self.second + $0.key, $0.value) }, token: "s")
            default: return nil
            }
        }
        for number in 0..<3 {
            book.put("\(number).vcf", Self.card(number, "first"))
            book.put(Self.second + "\(number).vcf", Self.card(number, "second"))
            // The other book lists its own alone.
            listing.withLock { $0["\(number).vcf"] = "\"\(number)\"" }
        }
        #expect(trial.run().error == nil)
    }

    private static func home(
        isListing: Bool, _ books: [String] = [FakeAddressBook.path, second]
    ) -> ScriptedServer.Reply {
        let types = "<d:resourcetype><d:collection/><c:addressbook/></d:resourcetype>"
        let books = books.map {
            "<d:response><d:href>\($0)</d:href>\(FakeAddressBook.ok(types))</d:response>"
        }
        let own = FakeAddressBook.ok("<d:resourcetype><d:collection/></d:resourcetype>")
        return FakeAddressBook.multistatus(
            ["<d:response><d:href>/ada/</d:href>\(own)</d:response>"] + (isListing ? books : []))
    }

    private static func card(_ number: Int, _ note: String) -> String {
        "BEGIN:VCARD\nVERSION:3.0\nUID:same-\(number)\nFN:Ada\nNOTE:\(note)\nEND:VCARD\n"
    }

    /// The files by their texts.
    private func files() throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try trial.cards().map { (try trial.text($0), $0) })
    }

    @Test
    func `each card has a file`() throws {
        #expect(try files().count == 6)
        #expect(trial.run().status.added == 0)
    }

    @Test
    func `the names of the others stay when one of them goes`() throws {
        let before = try files()
        book.remove("1.vcf")
        #expect(trial.run().status.removed == 1)
        var expected = before
        expected[Self.card(1, "first")] = nil
        #expect(try files() == expected)
        // A card that comes back does not take the place of another.
        book.put("1.vcf", Self.card(1, "first"))
        #expect(trial.run().status.added == 1)
        #expect(try files().filter { $0.key != Self.card(1, "first") } == expected)
    }

    @Test(arguments: [true, false])
    func `what changed in one of them is not lost when the other is gone`(isOneBad: Bool) throws {
        book.remove("1.vcf")
        if isOneBad { book.put("bad.vcf", "<html>") }
        book.answer { request in
            switch (request.method, request.path) {
            case ("PROPFIND", "/ada/"): Self.home(isListing: request.headers["depth"] == "1", [FakeAddressBook.path])
            case (_, Self.second): ScriptedServer.Reply(404)
            default: nil
            }
        }
        let result = trial.run()
        #expect(result.error == nil && result.status.missing?.map(\.card) == (isOneBad ? ["/ada/book/bad.vcf"] : nil))
        #expect(Set(try files().keys) == [Self.card(0, "first"), Self.card(2, "first")])
        // The failure is remembered, too.
        #expect(trial.run().status.failed == (isOneBad ? 1 : 0))
    }
}
