import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Many cards, which two requests fetch at a time.
@Suite(.blocking) struct CardFetchTests {
    private let book: FakeAddressBook
    private let trial: MirrorTrial
    private let count = 700

    init() throws {
        book = try FakeAddressBook()
        trial = try MirrorTrial(book.url)
        for number in 0..<count { book.put("c\(number).vcf") }
    }

    private func isForCards(_ request: ScriptedServer.Request) -> Bool { request.body.contains("multiget") }

    @Test
    func `two requests run at a time, and no card is fetched twice`() throws {
        let (running, most) = (Locked(0), Locked(0))
        let both = Gate()
        book.answer { [book] request in
            guard request.body.contains("multiget") else { return nil }
            let now = running.withLock { running in
                running += 1
                return running
            }
            most.withLock { $0 = max($0, now) }
            if now == 2 { both.open() }
            // The first request is alone; each of the others may wait for a second one.
            if !request.body.contains("/c0.vcf<") { both.pass() }
            defer { running.withLock { $0 -= 1 } }
            return book.usual(request)
        }
        let result = trial.run()
        #expect(result.error == nil && result.status.added == count)
        #expect(most.withLock { $0 } == 2)
        let asked = book.server.requests.filter(isForCards).map { $0.body.matches(of: /<href>/).count }
        #expect(asked.reduce(0, +) == count)
        #expect(result.status.requests == book.server.requests.count)
    }

    @Test
    func `a few cards are fetched by one connection`() throws {
        let trial = try MirrorTrial(book.url)
        for number in 60..<count { book.remove("c\(number).vcf") }
        let (running, most) = (Locked(0), Locked(0))
        book.answer { [book] request in
            running.withLock { $0 += 1 }
            most.withLock { $0 = max($0, running.withLock { $0 }) }
            defer { running.withLock { $0 -= 1 } }
            return book.usual(request)
        }
        #expect(trial.run().status.added == 60)
        #expect(most.withLock { $0 } == 1)
    }

    @Test(arguments: [2, 3, 4, 6])
    func `a request that is refused ends the run, and what arrived stays`(refused: Int) throws {
        let seen = Locked(0)
        book.answer { request in
            guard request.body.contains("multiget") else { return nil }
            let number = seen.withLock { seen in
                seen += 1
                return seen
            }
            return number == refused ? ScriptedServer.Reply(403) : nil
        }
        let result = trial.run()
        #expect(result.error != nil)
        // Those of both connections; the one that was given up may not have arrived.
        #expect(result.status.requests >= book.server.requests.count)
        let before = try trial.cards().count
        #expect(before >= 25 && before < count)
        book.answer { _ in nil }
        #expect(trial.run().status.added == count - before)
        #expect(try trial.cards().count == count)
    }

    @Test
    func `a server that serves one connection at a time is not waited for`() throws {
        let book = try FakeAddressBook(isSerial: true)
        for number in 0..<count { book.put("c\(number).vcf") }
        let start = ContinuousClock.now
        let result = try MirrorTrial(book.url).run()
        #expect(result.error == nil && result.status.added == count && result.status.failed == 0)
        #expect(result.status.requests == book.server.requests.count)
        #expect(ContinuousClock.now - start < .seconds(400))
    }

    @Test(arguments: [ScriptedServer.Reply(503), ScriptedServer.Reply(207).cut(after: 10)])
    func `a second connection that is refused leaves all to the first`(reply: ScriptedServer.Reply) throws {
        let refused = Locked(0)
        // All three attempts. After them, the first one may have another connection.
        book.answer { request in
            guard request.body.contains("multiget"), request.connection != 1 else { return nil }
            return refused.withLock { refused in
                refused += 1
                return refused <= 3 ? reply : nil
            }
        }
        let result = trial.run()
        #expect(refused.withLock { $0 } >= 3)
        #expect(result.error == nil && result.status.added == count && result.status.failed == 0)
        #expect(result.status.requests == book.server.requests.count)
    }

    @Test
    func `bad cards at the start of the second connection's work end no run`() throws {
        let bad = Locked<[String]>([])
        book.answer { request in
            guard request.body.contains("multiget") else { return nil }
            let hrefs = request.body.matches(of: /<href>([^<]*)</).map { String($0.1) }
            if request.connection == 2 { bad.withLock { if $0.isEmpty { $0 = Array(hrefs.prefix(3)) } } }
            return Set(hrefs).isDisjoint(with: bad.withLock { $0 }) ? nil : ScriptedServer.Reply(400)
        }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 3)
        #expect(try trial.cards().count == count - 3)
    }

    @Test
    func `a server that breaks meanwhile is not asked for each card`() throws {
        let seen = Locked(0)
        book.answer { request in
            guard request.body.contains("multiget") else { return nil }
            let number = seen.withLock { seen in
                seen += 1
                return seen
            }
            return number > 3 ? ScriptedServer.Reply(500) : nil
        }
        let client = DAVClient(client: HTTPClient(options: .init())) { _ in true }
        let source = CardDAVSource(
            url: try #require(WebURL(book.url)), client: client, discovery: Discovery(client),
            mirror: try MirrorFolder(layout: trial.layout), allowsDeletion: false)
        #expect(throws: SyncError.self) { try source.run() }
        // Three attempts for each of the halves, of two connections.
        #expect(seen.withLock { $0 } < 400)
        #expect(try trial.cards().count >= 25)
    }

    @Test
    func `a pause that the server asks for is kept by both connections`() throws {
        let pauses = Locked<[Duration]>([])
        let isFirst = Locked(true)
        book.answer { _ in
            let first = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return first ? ScriptedServer.Reply(503, "", headers: [("Retry-After", "10")]) : nil
        }
        let client = DAVClient(client: HTTPClient(options: .init())) { pause in
            pauses.withLock { $0.append(pause) }
            return true
        }
        let other = client.another { false }
        let url = try #require(WebURL(book.url))
        for client in [client, other] { _ = try client.propfind(url, depth: 0, body: DAVBody.tag) { _ in } }
        #expect(pauses.withLock { $0 }.count == 2)
        #expect(pauses.withLock { $0 }.allSatisfy { $0 > .seconds(1) && $0 <= .seconds(10) })
    }

    @Test
    func `a token that expires meanwhile is renewed by each connection`() throws {
        let seen = Locked(0)
        book.answer { request in
            if request.body.contains("multiget") { seen.withLock { $0 += 1 } }
            let isOver = seen.withLock { $0 } > 3
            return (request.headers["authorization"] == "Bearer 1") == isOver ? ScriptedServer.Reply(401) : nil
        }
        var trial = trial
        trial.source.authentication = .bearer
        trial.source.secret.command = [
            try trial.folder.write(
                "#!/bin/sh\nif mkdir \"$0.used\" 2>/dev/null; then echo 1; else echo 2; fi\n", to: "token", mode: 0o700)
        ]
        let result = trial.run()
        #expect(result.error == nil && result.status.added == count)
    }

    @Test
    func `both connections answer a challenge`() throws {
        book.answer { request in
            if request.headers["authorization"]?.hasPrefix("Digest") == true { return nil }
            return ScriptedServer.Reply(
                401, "", headers: [("WWW-Authenticate", #"Digest realm="x", nonce="abc", qop="auth""#)])
        }
        var trial = trial
        trial.source.user = "ada"
        trial.source.secret.file = try trial.folder.write("pw\n", to: "secret")
        #expect(trial.run().status.added == count)
        #expect(book.server.requests.contains { $0.connection != 1 })
    }

    @Test
    func `a card that a second attempt brings has not failed`() throws {
        let book = try FakeAddressBook()
        let trial = try MirrorTrial(book.url)
        let note = String(repeating: "n", count: 3 << 20)
        for number in 0..<4 { book.put("l\(number).vcf", FakeAddressBook.card("l\(number).vcf", note: note)) }
        let isFirst = Locked(true)
        book.answer { [book] request in
            guard request.body.contains("multiget"), isFirst.withLock({ $0 }) else { return nil }
            isFirst.withLock { $0 = false }
            // What was read of the first attempt is stored before its end.
            let reply = book.usual(request)
            let text = String(decoding: reply.body, as: UTF8.self).replacing(
                "BEGIN:VCARD\nVERSION:3.0\nUID:uid-l0", with: "-")
            return ScriptedServer.Reply(207, text).cut(after: 10 << 20)
        }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 0)
        #expect(try trial.cards().count == 4)
    }

    @Test
    func `a card that breaks its answer costs no other one`() throws {
        for bad in ["c200.vcf", "c650.vcf"] { book.put(bad, "<html>") }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 2)
        #expect(try trial.cards().count == count - 2)
    }
}
