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
