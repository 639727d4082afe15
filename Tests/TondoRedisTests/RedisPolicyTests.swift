import Testing
import TondoRedis
import TondoTestSupport

struct RedisPolicyTests {
    private func policy(_ name: String, _ limit: Int = 1 << 30) -> RedisPolicy {
        RedisPolicy(maxMemory: limit, name: name)
    }

    @Test(arguments: ["allkeys-lru", "allkeys-lfu", "allkeys-random"])
    func `a policy that evicts everything suits avatars alone`(name: String) {
        #expect(policy(name).problem(for: [.cache]) == nil)
        #expect(policy(name).problem(for: [.streams])?.contains("volatile-lru") == true)
        #expect(policy(name).problem(for: [.streams, .cache])?.contains("second instance") == true)
    }

    @Test(arguments: ["volatile-lru", "volatile-lfu", "volatile-ttl", "volatile-random"])
    func `a policy that evicts what ends suits both`(name: String) {
        #expect(policy(name).problem(for: [.cache, .streams]) == nil)
    }

    @Test func `a policy that evicts nothing suits streams, and avatars only without a limit`() {
        #expect(policy("noeviction").problem(for: [.streams]) == nil)
        #expect(policy("noeviction").problem(for: [.cache])?.contains("allkeys-lru") == true)
        #expect(policy("noeviction").problem(for: [.cache, .streams])?.contains("volatile-lru") == true)
        #expect(policy("noeviction", 0).problem(for: [.cache]) == nil)
        #expect(policy("noeviction", 0).warning(for: [.cache]) != nil)
    }

    @Test func `reads what a server says`() throws {
        let server = try RedisServer("--maxmemory", "100mb", "--maxmemory-policy", "volatile-ttl")
        let pool = RedisPool(address: RedisAddress("unix:\(server.socket)")!)
        #expect(try pool.policy(within: .seconds(20)) == policy("volatile-ttl", 100 << 20))
        #expect(RedisPolicy(info: "maxmemory:1\r\n") == nil && RedisPolicy(info: "") == nil)
    }

    @Test func `names the commands that the user may not run`() throws {
        let server = try RedisServer()
        try server.cli("ACL", "SETUSER", "default", "-getex", "-eval")
        let pool = RedisPool(address: RedisAddress("unix:\(server.socket)")!)
        let commands = [
            RedisCommand("SET", "a", 1), RedisCommand("GETEX", "a"), RedisCommand("GETEX", "b"),
            RedisCommand("EVAL", "return 1", 0), RedisCommand("LPUSH", "a", 1),
        ]
        #expect(try pool.forbidden(commands, within: .seconds(20)) == ["GETEX", "EVAL"])
    }
}
