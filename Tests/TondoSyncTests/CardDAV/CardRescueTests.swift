import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// A server that refuses requests for several cards, and is asked for each by GET.
@Suite(.blocking) struct CardRescueTests {
    private let book: FakeAddressBook
    private let trial: MirrorTrial
    /// Cards whose names come before all others.
    private let bad = (10..<22).map { "a\($0).vcf" }
    private let good = (10..<20).map { "c\($0).vcf" }

    /// The connection ends within the card.
    private static let cut = ScriptedServer.Reply(200, String(repeating: "x", count: 100)).cut(after: 80)

    init() throws {
        book = try FakeAddressBook()
        trial = try MirrorTrial(book.url)
        for name in bad + good { book.put(name) }
    }

    /// `answer`: of a GET for one of the bad cards; nil: the card.
    private func serve(_ answer: @escaping @Sendable (_ name: String) -> ScriptedServer.Reply?) {
        book.answer { [book, bad] request in
            if request.body.contains("multiget") { return ScriptedServer.Reply(403) }
            guard request.method == "GET" else { return nil }
            let name = String(request.path.dropFirst(FakeAddressBook.path.count))
            if bad.contains(name), let reply = answer(name) { return reply }
            let card = book.state.withLock { $0.cards[request.path]?.card }
            return card.map { ScriptedServer.Reply(200, $0) } ?? ScriptedServer.Reply(404)
        }
    }

    @Test(arguments: [ScriptedServer.Reply(404), ScriptedServer.Reply(200, "<html>")])
    func `cards that are gone or unreadable keep no other card out`(reply: ScriptedServer.Reply) throws {
        serve { _ in reply }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == bad.count)
        #expect(try trial.cards().count == good.count)
    }

    @Test
    func `a card that is refused keeps no other card out`() throws {
        serve { $0 == "a10.vcf" ? ScriptedServer.Reply(403) : nil }
        let result = trial.run()
        #expect(result.error == nil && result.status.missing?.map(\.card) == ["/ada/book/a10.vcf"])
        #expect(try trial.cards().count == bad.count + good.count - 1)
    }

    @Test(arguments: [ScriptedServer.Reply(403), ScriptedServer.Reply(500), Self.cut])
    func `a run begins with the cards that the last one did not come to`(reply: ScriptedServer.Reply) throws {
        serve { _ in reply }
        var runs = 0
        // A lost connection ends a run at once, eight refusals end it, too.
        while try trial.cards().count < good.count, runs < bad.count + 1 {
            runs += 1
            let result = trial.run()
            #expect(result.error == nil)
            #expect(result.status.failed == bad.count + good.count - (try trial.cards().count))
        }
        #expect(try trial.cards().count == good.count)
        // Those that failed have their turn again.
        serve { _ in nil }
        #expect(trial.run().status.isComplete)
        #expect(try trial.cards().count == bad.count + good.count)
    }

    @Test(arguments: [401, 405, 429, 501, 503])
    func `a server that wants no such requests is asked once, and the run fails`(status: Int) throws {
        serve { _ in ScriptedServer.Reply(status) }
        #expect(trial.run().error != nil)
        #expect(book.server.lines.count { $0.hasPrefix("GET") } == 1)
    }

    @Test
    func `what failed in the last run is fetched behind all others`() throws {
        serve { _ in ScriptedServer.Reply(404) }
        trial.run()
        book.put("z.vcf")
        book.server.forget()
        trial.run()
        #expect(book.server.lines.first { $0.hasPrefix("GET") } == "GET /ada/book/z.vcf")
    }
}
