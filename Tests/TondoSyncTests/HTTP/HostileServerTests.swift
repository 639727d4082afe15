import Foundation
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Servers that send without end: each run ends with an error, in bounded memory, and keeps the mirror.
@Suite(.blocking) struct HostileServerTests {
    private let book: FakeAddressBook
    private let trial: MirrorTrial

    init() throws {
        book = try FakeAddressBook()
        trial = try MirrorTrial(book.url)
        for name in ["ada.vcf", "bob.vcf"] { book.put(name) }
        #expect(trial.run().error == nil)
    }

    private func failure(_ reply: ScriptedServer.Reply) throws -> String? {
        book.answer { _ in reply }
        let code = trial.run().error?.code
        #expect(try trial.cards().count == 2)
        return code
    }

    @Test
    func `a head of many fields`() throws {
        let fields = (0..<20_000).map { ("X-\($0)", String(repeating: "a", count: 50)) }
        #expect(try failure(ScriptedServer.Reply(207, "", headers: fields)) == "response-too-large")
    }

    @Test
    func `a field of megabytes`() throws {
        let field = ("X-A", String(repeating: "a", count: 4 << 20))
        let code = try failure(ScriptedServer.Reply(207, "", headers: [field]))
        #expect(["response-too-large", "connection-broken"].contains(code))
    }

    @Test
    func `an error page of many megabytes`() throws {
        var reply = ScriptedServer.Reply(404)
        reply.body = [UInt8](repeating: 0x20, count: 80 << 20)
        #expect(try failure(reply) != nil)
    }

    @Test
    func `more members than anyone has`() {
        var listing = CollectionListing(of: WebURL("http://127.0.0.1/book/")!, most: 100)
        var taken = 0
        #expect(throws: SyncError.self) {
            for number in 0..<1_000 {
                var response = DAVResponse()
                (response.hrefs, response.status) = (["/book/\(number)"], number.isMultiple(of: 2) ? 200 : 404)
                try listing.take(response)
                taken += 1
            }
        }
        #expect(taken == 100 && listing.members.count == 50)
    }

    @Test
    func `a name of a book cannot command a terminal`() {
        #expect(AccountSetup.printable("A\u{1B}[31m\u{9B}2J\u{202E}b\u{7}") == "A[31m2Jb")
    }

    @Test
    func `large cards are stored while the rest of their answer arrives`() throws {
        let note = String(repeating: "n", count: 3 << 20)
        for number in 0..<6 { book.put("l\(number).vcf", FakeAddressBook.card("l\(number).vcf", note: note)) }
        book.answer { _ in nil }
        let result = trial.run()
        #expect(result.error == nil && result.status.added == 6 && result.status.failed == 0)
        #expect(try trial.cards().count == 8)
        #expect(try trial.text("uid-l5.vcf.vcf").utf8.count > 3 << 20)
    }
}

/// Servers that send a byte now and then, which no limit on silence ends.
@Suite(.blocking) struct DrippingServerTests {
    private let server: ScriptedServer

    init() throws {
        server = try ScriptedServer { _ in
            var reply = ScriptedServer.Reply(207, String(repeating: " ", count: 1_000_000))
            reply.pause = 20_000
            return reply
        }
    }

    private var request: HTTPRequest {
        get throws { HTTPRequest(method: "REPORT", url: try #require(WebURL(server.url + "/"))) }
    }

    @Test
    func `the time of a whole request is bounded, although bytes arrive`() throws {
        var request = try request
        var received = 0
        // On a busy machine no byte may come in a second.
        for seconds in [1, 10, 100] where received == 0 {
            request.timeout = .seconds(seconds)
            #expect(throws: HTTPError.timeout(host: "127.0.0.1")) {
                try HTTPClient(options: .init()).send(request, to: { received += $0.count })
            }
        }
        #expect(received > 0)
    }

    @Test
    func `an interruption ends it meanwhile`() throws {
        let received = Locked(0)
        var options = HTTPClient.Options()
        options.isCancelled = { received.withLock { $0 } > 3 }
        let request = try request
        #expect(throws: HTTPError.cancelled) {
            try HTTPClient(options: options).send(request, to: { piece in received.withLock { $0 += piece.count } })
        }
    }
}
