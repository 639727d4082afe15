import Glibc
import Testing
import TondoTestSupport

@testable import TondoRedis

@Suite(.timeLimit(.minutes(15)), .blocking) struct RedisPipelineTests {
    private let server: RedisServer
    private let replies = Recorder<String>()

    init() throws { server = try RedisServer() }

    private func pool(_ change: (inout RedisPool.Options) -> Void = { _ in }) -> RedisPool {
        var options = RedisPool.Options()
        options.time = .seconds(20)
        change(&options)
        return RedisPool(address: RedisAddress("unix:\(server.socket)")!, options: options)
    }

    /// Records the text of each reply, or the code of the error.
    private func call(_ command: RedisCommand) -> RedisPipeline.Call {
        RedisPipeline.Call(command: command) { [replies] result in
            switch result {
            case .success(.error(let text)): replies.add(text)
            case .success(let value): replies.add(value.text ?? value.integer.map(String.init) ?? "none")
            case .failure(let error): replies.add(error.code)
            }
        }
    }

    /// All replies, once there are so many.
    private func replied(_ count: Int) -> [String] {
        for _ in 0..<4_000 where replies.all.count < count { usleep(5_000) }
        return replies.all
    }

    private func submit(_ command: RedisCommand, to pipeline: RedisPipeline) -> Bool {
        let call = call(command)
        return pipeline.submit { call }
    }

    @Test func `replies keep the order of their commands, on one connection`() throws {
        let pool = pool()
        let pipeline = try #require(RedisPipeline(pool: pool))
        for number in 0..<1_000 {
            #expect(submit(RedisCommand("ECHO", .text(String(number))), to: pipeline))
        }
        #expect(replied(1_000) == (0..<1_000).map(String.init))
        #expect(pool.counters.connects == 1 && pool.counters.calls == 1_000 && pool.counters.errors.isEmpty)
    }

    @Test(arguments: [0, 1, 15_000, 131_060, 131_072, 131_080, 600_000])
    func `values of any size and kinds of replies in between come whole`(size: Int) throws {
        let value = [UInt8]((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let pool = pool()
        _ = try pool.call(RedisCommand("SET", "key", .bytes(value)))
        let pipeline = try #require(RedisPipeline(pool: pool, depth: 40))
        let found = Recorder<Bool>()
        for _ in 0..<8 {
            let isAccepted = pipeline.submit {
                RedisPipeline.Call(command: RedisCommand("GET", "key")) { found.add((try? $0.get()) == .bulk(value)) }
            }
            #expect(isAccepted && submit(RedisCommand("GET", "none"), to: pipeline))
            #expect(submit(RedisCommand("STRLEN", "key"), to: pipeline))
            #expect(submit(RedisCommand("NONSENSE"), to: pipeline))
        }
        #expect(found.wait(for: 8) == [Bool](repeating: true, count: 8))
        let others = replied(24)
        #expect(others.count { $0 == "none" } == 8 && others.count { $0 == String(size) } == 8)
        #expect(others.count { $0.hasPrefix("ERR") } == 8 && pool.counters.connects == 2)
    }

    @Test func `work without a command ends without a connection, and makes room`() throws {
        let pool = pool()
        let pipeline = try #require(RedisPipeline(pool: pool, depth: 1))
        for _ in 0..<100 {
            let done = Gate()
            while !pipeline.submit({
                done.open()
                return nil
            }) {}
            done.pass()
        }
        #expect(pool.counters.calls == 0 && pool.counters.connects == 0)
    }

    @Test func `more than the depth is refused, and accepted again after the replies`() throws {
        let pipeline = try #require(RedisPipeline(pool: pool(), depth: 3))
        server.pause()
        for _ in 0..<3 { #expect(submit(RedisCommand("PING"), to: pipeline)) }
        #expect(!submit(RedisCommand("PING"), to: pipeline))
        server.resume()
        #expect(replied(3) == ["PONG", "PONG", "PONG"])
        while !submit(RedisCommand("PING"), to: pipeline) {}
        #expect(replied(4).count == 4)
    }

    @Test func `a server that hangs costs every caller the time of one call at most, and soon nothing`() throws {
        let pool = pool { $0.time = .milliseconds(50) }
        let pipeline = try #require(RedisPipeline(pool: pool))
        server.pause()
        for count in 1...20 {
            let start = ContinuousClock.now
            for _ in 0..<10 { #expect(submit(RedisCommand("PING"), to: pipeline)) }
            #expect(replied(10 * count).count == 10 * count)
            // 50 ms; the rest is for a busy machine. Without a limit no caller would be answered.
            #expect(.now - start < .seconds(60))
        }
        #expect(Set(replies.all) == ["timed-out", "suspended"] && pool.breaker == .open)
        server.resume()
        var last = replies.all.count
        let start = ContinuousClock.now
        repeat {
            #expect(submit(RedisCommand("PING"), to: pipeline))
            last += 1
        } while replied(last).last != "PONG" && .now - start < .seconds(60)
        #expect(pool.breaker == .closed && replies.all.last == "PONG")
    }

    @Test func `work goes on while a server hangs`() throws {
        let pipeline = try #require(RedisPipeline(pool: pool()))
        server.pause()
        #expect(submit(RedisCommand("PING"), to: pipeline))
        let done = Recorder<Int>()
        for number in 0..<20 {
            #expect(
                pipeline.submit {
                    done.add(number)
                    return nil
                })
        }
        #expect(done.wait(for: 20) == Array(0..<20) && replies.all.isEmpty)
        server.resume()
        #expect(replied(1) == ["PONG"])
    }

    /// The thread of a pipeline without calls ends after a second.
    @Test func `a reply that comes after more than a second is taken`() throws {
        let pipeline = try #require(RedisPipeline(pool: pool()))
        let call = call(RedisCommand("BLPOP", "nothing", "1.3"))
        #expect(pipeline.submit { call })
        #expect(replied(1) == ["none"])
    }

    /// Whether a call ends while there is always more work without a command, so that the thread never has to sleep.
    private func ends(_ command: RedisCommand, of pipeline: RedisPipeline) -> Bool {
        let isOver = Gate()
        let start = ContinuousClock.now
        @Sendable func work() -> RedisPipeline.Call? {
            if replies.all.isEmpty, .now - start < .seconds(20) {
                _ = pipeline.submit(work)
            } else {
                isOver.open()
            }
            return nil
        }
        #expect(pipeline.submit(work) && submit(command, to: pipeline))
        isOver.pass()
        return !replies.all.isEmpty
    }

    @Test func `a reply is taken however much other work comes`() throws {
        let pipeline = try #require(RedisPipeline(pool: pool()))
        #expect(ends(RedisCommand("PING"), of: pipeline))
        #expect(replied(1) == ["PONG"])
    }

    @Test func `a late call ends however much other work comes`() throws {
        let pipeline = try #require(RedisPipeline(pool: pool { $0.time = .milliseconds(50) }))
        server.pause()
        #expect(ends(RedisCommand("PING"), of: pipeline))
        #expect(replied(1) == ["timed-out"])
    }

    @Test func `a killed server ends all calls, and the next server is used`() throws {
        let pool = pool()
        let pipeline = try #require(RedisPipeline(pool: pool))
        #expect(submit(RedisCommand("PING"), to: pipeline))
        #expect(replied(1) == ["PONG"])
        server.pause()
        for _ in 0..<50 { #expect(submit(RedisCommand("PING"), to: pipeline)) }
        server.stop()
        #expect(replied(51).dropFirst().allSatisfy { ["closed", "unreachable"].contains($0) })
        try server.start()
        #expect(submit(RedisCommand("PING"), to: pipeline))
        #expect(replied(52).last == "PONG" && pool.breaker == .closed)
    }

    @Test func `a connection that the server closes while nothing is asked is no error`() throws {
        let pool = pool()
        let pipeline = try #require(RedisPipeline(pool: pool))
        for count in 1...5 {
            #expect(submit(RedisCommand("PING"), to: pipeline))
            #expect(replied(count).last == "PONG")
            try server.cli("CLIENT", "KILL", "TYPE", "normal")
        }
        #expect(pool.counters.errors.isEmpty)
    }

    @Test func `logs in, selects its database, and reports a refused password as an error`() throws {
        try server.cli("CONFIG", "SET", "requirepass", "right")
        for (password, expected) in [("right", "OK"), ("wrong", "refused")] {
            var address = RedisAddress("unix:\(server.socket)")!
            (address.password, address.database) = (password, 3)
            var options = RedisPool.Options()
            options.time = .seconds(20)
            let pool = RedisPool(address: address, options: options)
            let pipeline = try #require(RedisPipeline(pool: pool))
            let count = replies.all.count
            #expect(submit(RedisCommand("SET", "key", "value"), to: pipeline))
            #expect(replied(count + 1).last == expected)
        }
        #expect(try server.run(["-a", "right", "--no-auth-warning", "-n", "3", "GET", "key"]) == "value")
    }
}
