import Glibc
import Testing
import TondoRedis
import TondoTestSupport

struct RedisConnectionTests {
    private let server: RedisServer
    private let connection: RedisConnection
    private var soon: ContinuousClock.Instant { .now + .seconds(20) }

    init() throws {
        server = try RedisServer()
        connection = RedisConnection(to: RedisAddress("unix:\(server.socket)")!)
    }

    @Test func `keeps any bytes, in keys and values`() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let key: RedisArgument = .bytes([0, 13, 10, 255])
        #expect(try connection.call(RedisCommand("SET", key, .bytes(bytes)), by: soon) == .status("OK"))
        #expect(try connection.call(RedisCommand("GET", key), by: soon).bytes == bytes)
        #expect(try connection.call(RedisCommand("GET", "absent"), by: soon) == .null)
    }

    @Test func `returns the replies of a pipeline in order, errors among them`() throws {
        let replies = try connection.send(
            [
                RedisCommand("SET", "a", 1), RedisCommand("LPUSH", "a", "x"), RedisCommand("INCR", "a"),
                RedisCommand("MGET", "a", "b"),
            ], by: soon)
        #expect(replies.count == 4 && replies[0] == .status("OK") && replies[2] == .integer(2))
        #expect(replies[3] == .array([.bulk(Array("2".utf8)), .null]))
        guard case .error(let text) = replies[1] else { throw RedisError.malformed("no error") }
        #expect(text.hasPrefix("WRONGTYPE"))
        #expect(throws: RedisError.refused(text)) { try connection.call(RedisCommand("LPUSH", "a", "x"), by: soon) }
        #expect(connection.connects == 1, "A refused command costs no connection")
    }

    @Test func `ends at the deadline when the server hangs, and connects again`() throws {
        _ = try connection.call(RedisCommand("SET", "a", "old"), by: soon)
        server.pause()
        #expect(throws: RedisError.timedOut) {
            try connection.call(RedisCommand("GET", "a"), by: .now + .milliseconds(30))
        }
        #expect(!connection.isConnected)
        server.resume()
        #expect(try connection.call(RedisCommand("PING"), by: soon) == .status("PONG"), "Not the late reply of GET")
        #expect(connection.connects == 2)
    }

    @Test func `connects again after a reply of a server that cannot serve, and only then`() throws {
        try server.cli("REPLICAOF", "127.0.0.1", "1")
        #expect(throws: RedisError.self) { try connection.call(RedisCommand("SET", "a", 1), by: soon) }
        #expect(!connection.isConnected)
        let outages = ["LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "NOAUTH", "WRONGPASS"]
        for code in outages { #expect(RedisError.refused(code + " text").isOutage, "\(code)") }
        for text in ["MOVED 3999 127.0.0.1:1", "OOM command", "NOPERM this", "BUSYGROUP Consumer", "NOGROUP No"] {
            #expect(!RedisError.refused(text).isOutage, "\(text)")
        }
    }

    @Test func `notices a restart before it sends`() throws {
        _ = try connection.call(RedisCommand("PING"), by: soon)
        server.stop()
        #expect(throws: RedisError.self) { try connection.call(RedisCommand("PING"), by: soon) }
        try server.start()
        #expect(try connection.call(RedisCommand("PING"), by: soon) == .status("PONG"))
    }

    @Test func `an absent socket is an error with its reason`() {
        let absent = RedisConnection(to: RedisAddress("unix:/nowhere/redis.sock")!)
        #expect(throws: RedisError.unreachable(reason: "No such file or directory")) {
            try absent.call(RedisCommand("PING"), by: soon)
        }
    }

    @Test func `a reply beyond the limit is refused before it is in memory`() throws {
        _ = try connection.call(RedisCommand("SET", "a", .bytes([UInt8](repeating: 7, count: 300_000))), by: soon)
        let small = RedisConnection(to: connection.address, limit: 100_000)
        #expect(throws: RedisError.malformed("longer than 100000 bytes")) {
            try small.call(RedisCommand("GET", "a"), by: soon)
        }
        #expect(!small.isConnected)
    }

    @Test func `speaks as the user and in the database of its address`() throws {
        try server.cli("ACL", "SETUSER", "ada", "on", ">secret", "~*", "+@all")
        var address = connection.address
        (address.user, address.password, address.database) = ("ada", "secret", 3)
        _ = try RedisConnection(to: address).call(RedisCommand("SET", "a", "x"), by: soon)
        #expect(try server.cli("-n", "3", "GET", "a") == "x")
        address.password = "wrong"
        let error = #expect(throws: RedisError.self) {
            try RedisConnection(to: address).call(RedisCommand("PING"), by: soon)
        }
        #expect(error?.isOutage == true)
    }
}
