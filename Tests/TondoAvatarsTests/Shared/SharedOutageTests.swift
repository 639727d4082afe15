import Testing
import TondoJobs
import TondoRedis
import TondoTestSupport

@testable import TondoAvatars

/// A Redis that does not answer costs time, 50 ms for each of three attempts, and never an avatar.
@Suite(.timeLimit(.minutes(15))) struct SharedOutageTests {
    private let server: RedisServer

    init() throws { server = try RedisServer() }

    private func usual(_ options: inout SharedInstance.Options) { options.time = .milliseconds(50) }

    @Test func `Without a server avatars are drawn, and soon nothing is attempted`() async throws {
        server.stop()
        let instance = try SharedInstance(server, usual)
        for shade: UInt8 in 1...20 { #expect(try await instance.avatar(shade).source == .rendered) }
        #expect(instance.drawings == 20 && instance.tier.counters.hits == 0)
        #expect(instance.tier.pool.counters.errors["suspended", default: 0] > 0)
    }

    @Test func `A server that stops answering harms no local hit, and what is missing is drawn`() async throws {
        let instance = try SharedInstance(server)
        let stored = try await instance.avatar(1)
        let other = try SharedInstance(server, usual)
        _ = try await other.avatar(1)
        server.pause()
        let calls = other.tier.pool.counters.calls
        for _ in 0..<100 { #expect(try await other.avatar(1).bytes == stored.bytes) }
        #expect(other.tier.pool.counters.calls == calls)
        let start = ContinuousClock.now
        for shade: UInt8 in 2...60 { #expect(try await other.avatar(shade).source == .rendered) }
        let errors = other.tier.pool.counters.errors
        // Three attempts open the breaker; then at most one probe a pause of 75 ms at least.
        let probes = Int((ContinuousClock.now - start) / .milliseconds(75))
        #expect(errors["timed-out", default: 0] <= 4 + probes && errors["suspended", default: 0] > 0)
        server.resume()
        #expect(try await recovers(other))
    }

    @Test func `A server that may not write costs nothing but time, and is used again when it may`() async throws {
        let instance = try SharedInstance(server, usual)
        try server.cli("REPLICAOF", "127.0.0.1", "1")
        for shade: UInt8 in 1...5 { #expect(try await instance.avatar(shade).source == .rendered) }
        #expect(instance.tier.counters.stored == 0 && instance.tier.counters.errors > 0)
        try server.cli("REPLICAOF", "NO", "ONE")
        #expect(try await recovers(instance))
        let other = try SharedInstance(server)
        #expect(try await other.avatar(200).source == .cache)
    }

    @Test func `After a restart the tier is used again`() async throws {
        let instance = try SharedInstance(server, usual)
        _ = try await instance.avatar(1)
        server.stop()
        for shade: UInt8 in 2...10 { _ = try await instance.avatar(shade) }
        try server.start()
        #expect(try await recovers(instance))
        let other = try SharedInstance(server)
        #expect(try await other.avatar(200).source == .cache)
    }

    /// Draws, once the tier answers, the avatar with the shade 200. Two seconds are promised; the rest is for a busy machine.
    private func recovers(_ instance: SharedInstance) async throws -> Bool {
        let start = ContinuousClock.now
        while (try? instance.tier.pool.call(RedisCommand("GET", "tondo:1:x"))) == nil {
            if .now - start > .seconds(5) { return false }
        }
        _ = try await instance.avatar(200)
        return instance.tier.pool.breaker == .closed
    }

    @Test func `A wrong password is a miss`() async throws {
        try server.cli("CONFIG", "SET", "requirepass", "right")
        let instance = try SharedInstance(server, usual)
        for shade: UInt8 in 1...5 { #expect(try await instance.avatar(shade).source == .rendered) }
        #expect(instance.tier.counters.stored == 0 && instance.tier.counters.errors > 0)
    }

    @Test func `A full server that evicts nothing is a miss`() async throws {
        let full = try RedisServer("--maxmemory", "1", "--maxmemory-policy", "noeviction")
        let instance = try SharedInstance(full)
        for shade: UInt8 in 1...5 { #expect(try await instance.avatar(shade).source == .rendered) }
        #expect(instance.tier.counters.stored == 0 && instance.tier.pool.breaker == .closed)
    }
}
