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
        #expect(trial.run().error != nil)
        let before = try trial.cards().count
        #expect(before >= 25 && before < count)
        book.answer { _ in nil }
        #expect(trial.run().status.added == count - before)
        #expect(try trial.cards().count == count)
    }

    @Test
    func `a card that breaks its answer costs no other one`() throws {
        for bad in ["c200.vcf", "c650.vcf"] { book.put(bad, "<html>") }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 2)
        #expect(try trial.cards().count == count - 2)
    }
}
