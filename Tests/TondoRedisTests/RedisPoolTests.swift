import Dispatch
import Testing
import TondoRedis
import TondoTestSupport

struct RedisPoolTests {
    private let server: RedisServer
    private let changes = Recorder<RedisError?>()

    init() throws { server = try RedisServer() }

    private func pool(_ change: (inout RedisPool.Options) -> Void = { _ in }) -> RedisPool {
        var options = RedisPool.Options()
        options.onChange = { [changes] in changes.add($0) }
        change(&options)
        return RedisPool(address: RedisAddress("unix:\(server.socket)")!, options: options)
    }

    private func errors(_ pool: RedisPool, _ count: Int) -> [String] {
        (0..<count).map { _ in
            do throws(RedisError) {
                _ = try pool.call(RedisCommand("PING"))
                return "none"
            } catch { return error.code }
        }
    }

    @Test func `opens no connection before the first command, and keeps one for calls in turn`() throws {
        let pool = pool { $0.time = .seconds(20) }
        #expect(pool.counters.connects == 0)
        for _ in 0..<10 { #expect(try pool.call(RedisCommand("PING")) == .status("PONG")) }
        var expected = RedisPool.Counters()
        (expected.calls, expected.connects) = (10, 1)
        #expect(pool.counters == expected)
    }

    @Test func `Every call of a request ends after 50 ms, unless another time is given`() throws {
        #expect(RedisPool.Options().time == .milliseconds(50))
        server.pause()
        defer { server.resume() }
        #expect(errors(pool(), 1) == ["timed-out"])
    }

    @Test func `opens no more connections than permitted`() throws {
        let pool = pool { ($0.connections, $0.time) = (2, .seconds(20)) }
        let replies = Recorder<Bool>()
        DispatchQueue.concurrentPerform(iterations: 40) { _ in
            replies.add((try? pool.call(RedisCommand("PING"))) == .status("PONG"))
        }
        #expect(replies.all == [Bool](repeating: true, count: 40))
        #expect((1...2).contains(pool.counters.connects))
    }

    @Test func `a caller without a connection waits until its deadline, which is no outage`() throws {
        let pool = pool { $0.connections = 1 }
        let (taken, free) = (Gate(), Gate())
        DispatchQueue.global().async {
            try? pool.run(within: .seconds(20)) { _, _ in
                taken.open()
                free.pass()
            }
        }
        taken.pass()
        #expect(errors(pool, 5) == [String](repeating: "busy", count: 5))
        #expect(pool.breaker == .closed)
        free.open()
    }

    @Test func `stops asking a server that hangs, and recovers`() throws {
        let pool = pool()
        server.pause()
        #expect(errors(pool, 3) == ["timed-out", "timed-out", "timed-out"])
        #expect(errors(pool, 1) == ["suspended"])
        #expect(pool.breaker == .open)
        server.resume()
        let start = ContinuousClock.now
        // One second of back-off; the rest is for a busy machine.
        while errors(pool, 1) != ["none"], .now < start + .seconds(60) {}
        #expect(changes.all == [.timedOut, nil])
    }

    @Test func `a command that is refused closes no connection and opens no breaker`() throws {
        let pool = pool { $0.time = .seconds(20) }
        for _ in 0..<5 { #expect(throws: RedisError.self) { try pool.call(RedisCommand("NONSENSE")) } }
        #expect(pool.breaker == .closed && pool.counters.connects == 1)
        #expect(pool.counters.errors == ["refused": 5])
    }

    @Test func `a server that is not there costs three attempts, and then one at a time`() throws {
        let pool = pool()
        server.stop()
        let codes = errors(pool, 1_000)
        #expect(
            Set(codes) == ["unreachable", "suspended"]
                && codes.prefix(4) == ["unreachable", "unreachable", "unreachable", "suspended"])
        try server.start()
        let start = ContinuousClock.now
        while errors(pool, 1) != ["none"], .now < start + .seconds(20) {}
        #expect(pool.breaker == .closed)
    }
}
