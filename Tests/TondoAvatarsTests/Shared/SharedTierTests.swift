import Foundation
import Testing
import TondoCache
import TondoImage
import TondoJobs
import TondoRedis
import TondoTestSupport

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(15))) struct SharedTierTests {
    private let server: RedisServer

    init() throws { server = try RedisServer() }

    @Test func `An avatar that one instance drew is a hit of the next, which keeps it`() async throws {
        let (one, two) = (try SharedInstance(server), try SharedInstance(server))
        let drawn = try await one.avatar(1)
        let shared = try await two.avatar(1)
        #expect(drawn.source == .rendered && shared.source == .cache && shared.isStored)
        #expect(drawn.bytes == shared.bytes && drawn.key == shared.key)
        #expect(one.drawings == 1 && two.drawings == 0)
        #expect(one.tier.counters.stored == 1 && two.tier.counters.hits == 1)
        let calls = two.tier.pool.counters.calls
        #expect(try await two.avatar(1).bytes == drawn.bytes)
        #expect(two.tier.pool.counters.calls == calls, "A hit in the folder asks nobody else")
    }

    @Test func `Values end some time after their last use, and name no contacts`() async throws {
        let one = try SharedInstance(server)
        let avatar = try await one.avatar(1, contact: "ada@example.org")
        let key = SharedKey.avatar(avatar.key)
        #expect(Int(try server.cli("TTL", key)).map { (2_591_000...2_592_000).contains($0) } == true)
        #expect(!(try server.cli("GET", key)).contains("ada"))
        try server.cli("EXPIRE", key, "100")
        let two = try SharedInstance(server)
        _ = try await two.avatar(1, contact: "grace")
        #expect(Int(try server.cli("TTL", key)).map { $0 > 2_000_000 } == true, "A use renews the time")
        #expect(try two.cache.entry(avatar.key)?.contacts == ["grace"])
    }

    @Test func `Another key's value is deleted and reported, and the avatar is drawn`() async throws {
        let one = try SharedInstance(server)
        let (first, second) = (try await one.avatar(1), try await one.avatar(2))
        try server.cli("COPY", SharedKey.avatar(first.key), SharedKey.avatar(second.key), "REPLACE")
        let two = try SharedInstance(server)
        let drawn = try await two.avatar(2)
        #expect(drawn.bytes == second.bytes && drawn.source == .rendered)
        #expect(two.altered.all == ["the checksum differs"] && two.tier.counters.altered == 1)
        #expect(one.tier.contains(second.key), "Stored again")
    }

    @Test(arguments: [("SETRANGE", "60", "x"), ("SET", "foreign", ""), ("APPEND", "tail", "")])
    func `An altered value is deleted and reported, and the avatar is drawn`(
        command: (String, String, String)
    ) async throws {
        let one = try SharedInstance(server)
        let avatar = try await one.avatar(1)
        let key = SharedKey.avatar(avatar.key)
        if command.2.isEmpty {
            try server.cli(command.0, key, command.1)
        } else {
            try server.cli(command.0, key, command.1, command.2)
        }
        #expect(!one.tier.contains(avatar.key))
        let two = try SharedInstance(server)
        #expect(try await two.avatar(1).bytes == avatar.bytes)
        #expect(two.drawings == 1 && two.altered.all.count == 1)
        #expect(one.tier.contains(avatar.key))
    }

    @Test func `A value that was cut short is deleted, and one that has ended is a miss`() async throws {
        let one = try SharedInstance(server)
        let avatar = try await one.avatar(1)
        let key = SharedKey.avatar(avatar.key)
        let cut = "redis.call('SET', KEYS[1], string.sub(redis.call('GET', KEYS[1]), 1, 50))"
        try server.cli("EVAL", cut, "1", key)
        let two = try SharedInstance(server)
        #expect(try await two.avatar(1).bytes == avatar.bytes && two.drawings == 1 && two.altered.all.count == 1)
        try server.cli("PEXPIRE", key, "1")
        #expect(await eventually { (try? server.cli("EXISTS", key)) == "0" })
        let three = try SharedInstance(server)
        #expect(try await three.avatar(1).bytes == avatar.bytes && three.drawings == 1 && three.altered.all.isEmpty)
    }

    @Test(arguments: [-86_400.0, 86_400]) func `The clock of another machine may be wrong by a day`(_ skew: Double) {
        let tier = SharedTier(RedisPool(address: RedisAddress("unix:\(server.socket)")!))
        let then = Date().addingTimeInterval(skew)
        let drawing = SharedDrawing(tier, lock: nil)
        drawing.add(
            Failure(
                subject: "s", stage: "decode", code: "decoder-crashed", reason: "it crashed", since: then,
                until: then.addingTimeInterval(60)))
        drawing.end()
        let failure = tier.claim([], of: "s", locking: false).failure
        #expect(failure?.holds(at: Date(), memoryLimit: 1) == true)
        #expect(failure?.holds(at: Date().addingTimeInterval(61), memoryLimit: 1) == false)
    }

    @Test func `A value of another type is an error, and the avatar is drawn`() async throws {
        let one = try SharedInstance(server)
        let avatar = try await one.avatar(1)
        try server.cli("DEL", SharedKey.avatar(avatar.key))
        try server.cli("LPUSH", SharedKey.avatar(avatar.key), "x")
        let two = try SharedInstance(server)
        #expect(try await two.avatar(1).bytes == avatar.bytes)
        #expect(two.tier.counters.errors > 0)
    }

    @Test func `Deleting an altered value spares the one that replaced it`() throws {
        let pool = SharedTier(RedisPool(address: RedisAddress("unix:\(server.socket)")!))
        try server.cli("SET", "tondo:1:a", "new")
        #expect(pool.sent([SharedScript.compareAndDelete("tondo:1:a", value: "old")]) == [.integer(0)])
        #expect(try server.cli("GET", "tondo:1:a") == "new")
        #expect(pool.sent([SharedScript.compareAndDelete("tondo:1:a", value: "new")]) == [.integer(1)])
    }

    @Test func `A photo that one instance failed at is not tried by the next for a while`() async throws {
        let broken = [UInt8](try Repository.data(Repository.truncated))
        let (one, two) = (try SharedInstance(server), try SharedInstance(server))
        let first = await one.result(broken)
        guard case .failure(let failure) = first else { return }
        guard case .failure(let shared) = await two.result(broken) else {
            Issue.record("drawn")
            return
        }
        #expect(shared.code == failure.code && two.drawings == 0 && two.tier.counters.failures == 1)
        let name = try server.cli("--scan", "--pattern", "tondo:1:failure:*")
        #expect(Int(try server.cli("TTL", name)).map { (1...60).contains($0) } == true)
        #expect(try server.cli("--scan", "--pattern", "tondo:1:lock:*") == "", "The lock is released")
    }

    @Test func `A damaged negative entry is deleted, and the photo is tried`() async throws {
        let instance = try SharedInstance(server)
        let subject = SharedInstance.subject(SmallBook.image(1))
        try server.cli("SET", SharedKey.failure(subject), "nonsense")
        #expect(try await instance.avatar(1).source == .rendered)
        #expect(instance.altered.all == ["a damaged negative entry"])
        #expect(try server.cli("EXISTS", SharedKey.failure(subject)) == "0")
    }

    @Test func `What is fetched is given out even when the folder cannot store it`() async throws {
        let (one, two) = (try SharedInstance(server), try SharedInstance(server))
        let drawn = try await one.avatar(1)
        try FileManager.default.removeItem(atPath: two.folder.pathString + "/cache/objects")
        try two.folder.write("", to: "cache/objects")
        let fetched = try await two.avatar(1)
        #expect(fetched.bytes == drawn.bytes && two.drawings == 0)
    }

    @Test func `After a flush avatars are drawn and shared again`() async throws {
        let one = try SharedInstance(server)
        let drawn = try await one.avatar(1)
        try server.cli("FLUSHALL")
        #expect(try await one.avatar(1).source == .cache)
        let two = try SharedInstance(server)
        #expect(try await two.avatar(1).bytes == drawn.bytes)
        #expect(two.drawings == 1 && two.tier.contains(drawn.key))
    }
}
