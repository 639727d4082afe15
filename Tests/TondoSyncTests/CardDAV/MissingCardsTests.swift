import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Cards that a server lists and that do not arrive.
@Suite(.blocking) struct MissingCardsTests {
    private let book: FakeAddressBook
    private let trial: MirrorTrial

    init() throws {
        book = try FakeAddressBook()
        trial = try MirrorTrial(book.url)
        for name in ["ada.vcf", "bob.vcf", "eve.vcf"] { book.put(name) }
    }

    @Test
    func `a card that is listed and not found is missing until the listing lacks it`() throws {
        book.answer { [book] request in
            guard request.body.contains("multiget") else { return nil }
            return ScriptedServer.Reply(
                207,
                String(decoding: book.usual(request).body, as: UTF8.self).replacing(
                    /(?s)<d:response><d:href>.ada.book.bob.vcf<.d:href>.*?<.d:response>/,
                    with: FakeAddressBook.status("/ada/book/bob.vcf", 404)))
        }
        for _ in 0..<2 {
            let result = trial.run()
            #expect(result.error == nil && result.status.failed == 1 && !result.status.isComplete)
            #expect(result.status.missing?.map(\.card) == ["/ada/book/bob.vcf"])
            #expect(result.status.missing?.map(\.code) == ["not-found"])
        }
        book.remove("bob.vcf")
        #expect(trial.run().status.isComplete)
        #expect(try trial.cards().count == 2)
    }

    @Test
    func `a card that is deleted while cards are fetched is no failure`() throws {
        let isFirst = Locked(true)
        book.answer { [book] request in
            guard request.body.contains("multiget"), isFirst.withLock({ $0 }) else { return nil }
            isFirst.withLock { $0 = false }
            book.remove("bob.vcf")
            return nil
        }
        #expect(trial.run().status.isComplete)
        #expect(try trial.cards().count == 2)
    }

    @Test
    func `an unreadable card replaces no readable one`() throws {
        trial.run()
        book.put("bob.vcf", FakeAddressBook.card("bob.vcf", note: "new").replacing("END:VCARD\n", with: ""))
        let result = trial.run()
        #expect(result.status.failed == 1 && result.status.missing?.map(\.code) == ["unreadable"])
        #expect(try trial.text("uid-bob.vcf.vcf") == FakeAddressBook.card("bob.vcf"))
    }

    /// A listing of everything, or a report from the beginning.
    private func isListing(_ request: ScriptedServer.Request) -> Bool {
        request.headers["depth"] == "1" || request.method == "REPORT" && request.body.contains("<sync-token/>")
    }

    @Test(arguments: [(false, true), (true, true), (true, false)])
    func `a card that stays bad costs later runs no listing, and is named by each`(hasTag: Bool, hasReports: Bool)
        throws
    {
        if hasTag { book.state.withLock { $0.tag = { "\"tag-\($0)\"" } } }
        if !hasReports {
            book.answer { [book] request in
                if request.body.contains("sync-collection") { return ScriptedServer.Reply(501) }
                guard request.method == "PROPFIND" else { return nil }
                let text = String(decoding: book.usual(request).body, as: UTF8.self)
                return ScriptedServer.Reply(207, text.replacing(/<d:sync-token>[^<]*<.d:sync-token>/, with: ""))
            }
        }
        book.put("bad.vcf", "<html>")
        trial.run()
        for _ in 0..<2 {
            book.server.forget()
            let result = trial.run()
            #expect(result.error == nil && result.status.failed == 1 && !result.status.isComplete)
            #expect(result.status.missing?.map(\.card) == ["/ada/book/bad.vcf"])
            #expect(!book.server.requests.contains(where: isListing))
            let asked = book.server.requests.filter { $0.body.contains("multiget") }
            #expect(asked.count == 1 && asked.allSatisfy { $0.body.contains("<href>/ada/book/bad.vcf</href>") })
        }
        // Its text changes, and no tag or token does.
        book.state.withLock { $0.cards["/ada/book/bad.vcf"]?.card = FakeAddressBook.card("bad.vcf") }
        #expect(trial.run().status.isComplete)
        #expect(try trial.cards().count == 4)
    }

    @Test
    func `a card that failed and is deleted is named no more`() throws {
        book.put("bad.vcf", "<html>")
        #expect(trial.run().status.failed == 1)
        book.remove("bad.vcf")
        #expect(trial.run().status.isComplete)
    }

    @Test
    func `a card that failed is asked for again as the server spells it`() throws {
        book.put("J%c3%b6rg.vcf")
        let isBroken = Locked(true)
        book.answer { request in
            guard request.body.contains("multiget"), request.body.contains("rg.vcf") else { return nil }
            return isBroken.withLock { $0 } ? FakeAddressBook.multistatus([]) : nil
        }
        #expect(trial.run().status.failed > 0)
        isBroken.withLock { $0 = false }
        #expect(trial.run().status.isComplete)
        #expect(try trial.cards().count == 4)
    }

    @Test
    func `another user or another server with the same paths and tags gets its own cards`() throws {
        trial.run()
        let other = try FakeAddressBook()
        for name in ["ada.vcf", "bob.vcf", "eve.vcf"] { other.put(name, FakeAddressBook.card(name, note: "other")) }
        var moved = trial
        moved.source.url = other.url
        #expect(moved.run().status.changed == 3)
        #expect(try trial.text("uid-bob.vcf.vcf").contains("other"))
        book.server.forget()
        moved.source.url = book.url
        (moved.source.user, moved.source.authentication) = ("eve", .none)
        #expect(moved.run().status.changed == 3)
        #expect(try trial.text("uid-bob.vcf.vcf") == FakeAddressBook.card("bob.vcf"))
        moved.source.user = "zoe"
        book.server.forget()
        moved.run()
        #expect(book.server.requests.contains { $0.body.contains("multiget") })
    }
}
