import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// The tag of a collection, which answers most runs.
struct CollectionTagTests {
    /// 2026-11-25 02:00:00.
    private let now = 1_795_572_000

    @Test(arguments: [
        "\"0b89ae9dbaab\"", "http://sabre.io/ns/sync/41", "7", "1795399199", "1795744801000", "2026-11-23",
    ])
    func `a tag that is no time near now is relied on`(tag: String) {
        #expect(CollectionTag(tag)?.reliable(at: now) == tag)
    }

    @Test(arguments: [
        "1795572000", "\"1795500000\"", "1795572000123", "x-1795572000123456-y", "1795640000000000000",
        "2026-11-25T01:59:59Z", "20261124T235959Z", "Thu, 26 Nov 2026 00:00:01 GMT",
    ])
    func `a tag that may be the time of a change a moment ago is not`(tag: String) {
        #expect(CollectionTag(tag)?.reliable(at: now) == nil)
    }

    @Test(arguments: [nil, ""])
    func `a server may have no tag`(tag: String?) { #expect(CollectionTag(tag) == nil) }

    @Test
    func `digits without end are no time`() {
        let tag = String(repeating: "9", count: 400)
        #expect(CollectionTag(tag)?.reliable(at: now) == tag)
    }
}

/// Runs against a server with tags.
@Suite(.blocking) struct TaggedCollectionTests {
    private let book: FakeAddressBook
    private let trial: MirrorTrial

    init() throws {
        book = try FakeAddressBook()
        trial = try MirrorTrial(book.url)
        for name in ["ada.vcf", "bob.vcf", "eve.vcf"] { book.put(name) }
        tags { "\"tag-\($0)\"" }
    }

    private func tags(_ tag: @escaping @Sendable (Int) -> String) { book.state.withLock { $0.tag = tag } }

    private func lines(of run: () -> Void) -> [String] {
        book.server.forget()
        run()
        return book.server.lines
    }

    @Test
    func `an unchanged run asks for the tag and for nothing else`() {
        trial.run()
        #expect(lines { trial.run() } == ["PROPFIND /ada/book/"])
        #expect(book.server.requests.first?.headers["depth"] == "0")
        #expect(book.server.requests.first?.body.contains("sync-token") == false)
    }

    @Test
    func `a tag that changed leads to a report, once`() throws {
        trial.run()
        book.put("zoe.vcf")
        book.remove("bob.vcf")
        let result = trial.run()
        #expect(result.status.added == 1 && result.status.removed == 1)
        #expect(lines { trial.run() } == ["PROPFIND /ada/book/"])
    }

    @Test
    func `a book that a failing server emptied comes back, whatever its token says`() throws {
        book.state.withLock { $0.tag = nil }
        trial.run()
        book.answer { request in
            guard request.body.contains("sync-collection") else { return nil }
            let gone = ["ada.vcf", "bob.vcf", "eve.vcf"].map { FakeAddressBook.status("/ada/book/\($0)", 404) }
            return FakeAddressBook.multistatus(gone, token: "4")
        }
        for _ in 0..<2 { trial.run() }
        #expect(try trial.cards() == [])
        // Since that token, nothing has changed.
        book.answer { _ in nil }
        #expect(trial.run().status.added == 3)
        #expect(try trial.cards().count == 3)
    }

    @Test
    func `what changes between the tag and the report is not lost`() throws {
        trial.run()
        book.put("zoe.vcf")
        let isFirst = Locked(true)
        book.answer { [book] request in
            guard request.body.contains("sync-collection"), isFirst.withLock({ $0 }) else { return nil }
            isFirst.withLock { $0 = false }
            // After the server has made its report.
            let reply = book.usual(request)
            book.put("late.vcf")
            return reply
        }
        trial.run()
        #expect(try trial.cards().count == 4)
        trial.run()
        #expect(try trial.cards().count == 5)
    }

    @Test
    func `a tag with the time of the last change does not hide a change within its second`() throws {
        tags { _ in "1795572000" }
        trial.run(now: 1_795_572_000)
        book.put("zoe.vcf")
        trial.run(now: 1_795_572_060)
        #expect(try trial.cards().count == 4)
    }

    @Test
    func `a server without a tag is not asked for one again`() {
        book.state.withLock { $0.tag = nil }
        trial.run()
        #expect(lines { trial.run() } == ["REPORT /ada/book/"])
    }

    @Test
    func `a file that was removed by hand comes back although the tag stands`() throws {
        trial.run()
        try trial.folder.remove("work/cards/uid-ada.vcf.vcf")
        trial.run()
        #expect(try trial.cards().count == 3)
    }

    @Test
    func `a card that failed is asked for again although the tag stands`() throws {
        book.put("page.vcf", "<html>")
        #expect(trial.run().status.failed == 1)
        book.state.withLock { $0.cards["/ada/book/page.vcf"]?.card = FakeAddressBook.card("page.vcf") }
        #expect(trial.run().status.failed == 0)
        #expect(try trial.cards().count == 4)
    }

    @Test
    func `withheld deletions are confirmed although the tag stands`() throws {
        trial.run()
        for name in ["ada.vcf", "bob.vcf", "eve.vcf"] { book.remove(name) }
        #expect(trial.run().status.withheld == 3)
        #expect(trial.run().status.removed == 3)
    }

    @Test
    func `each week everything is listed although the tag stands`() {
        let day = 86_400
        trial.run(now: 1_000 * day)
        #expect(lines { trial.run(now: 1_006 * day) } == ["PROPFIND /ada/book/"])
        #expect(lines { trial.run(now: 1_008 * day) }.count > 1)
    }

    @Test
    func `each week a server without reports is listed although the tag stands`() throws {
        let day = 86_400
        tags { _ in "constant" }
        book.answer { [book] request in
            if request.method == "REPORT", request.body.contains("sync-collection") { return ScriptedServer.Reply(501) }
            guard request.method == "PROPFIND" else { return nil }
            var reply = book.usual(request)
            let text = String(decoding: reply.body, as: UTF8.self).replacing(
                /<d:sync-token>[^<]*<.d:sync-token>/, with: "")
            reply.body = Array(text.utf8)
            return reply
        }
        trial.run(now: 1_000 * day)
        book.remove("bob.vcf")
        #expect(lines { trial.run(now: 1_006 * day) } == ["PROPFIND /ada/book/"])
        #expect(try trial.cards().count == 3)
        trial.run(now: 1_008 * day)
        #expect(try trial.cards().count == 2)
    }

    @Test
    func `versions are those of the listing, whatever other answers say`() {
        book.answer { [book] request in
            guard request.body.contains("multiget") else { return nil }
            var reply = book.usual(request)
            let text = String(decoding: reply.body, as: UTF8.self).replacing("<d:getetag>", with: "<d:getetag>W/other-")
            (reply.body, reply.headers) = (Array(text.utf8), [("ETag", "\"of-the-answer\"")])
            return reply
        }
        trial.run(now: 86_400)
        book.server.forget()
        #expect(trial.run(now: 9 * 86_400).error == nil)
        #expect(!book.server.requests.isEmpty)
        #expect(!book.server.requests.contains { $0.body.contains("multiget") })
    }

    @Test
    func `a book that is gone is found by its tag`() throws {
        trial.run()
        book.answer { request in
            request.method == "PROPFIND" && request.body.contains("getctag") ? ScriptedServer.Reply(404) : nil
        }
        #expect(lines { trial.run() }.count > 1)
        #expect(try trial.cards().count == 3)
    }
}
