import Testing
import TondoCache
import TondoRedis
import TondoTestSupport

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(15))) struct SharedCheckTests {
    private func check(
        _ server: RedisServer, roles: Set<RedisPolicy.Role> = [.cache], user: String? = nil, password: String? = nil
    ) -> SharedCheck {
        SharedCheck(pool: RedisPool(address: address(server, user, password)), roles: roles, within: .seconds(20))
    }

    private func address(_ server: RedisServer, _ user: String?, _ password: String?) -> RedisAddress {
        var address = RedisAddress("unix:\(server.socket)")!
        (address.user, address.password) = (user, password)
        return address
    }

    /// As the documentation says.
    private func addUser(_ server: RedisServer, without command: String? = nil) throws {
        var rules = SharedTier.accessRules.split(separator: " ").map(String.init)
        if let command { rules.removeAll { $0 == "+" + command } }
        let words = ["ACL", "SETUSER", "tondo", "reset", "on", ">secret"] + rules
        #expect(try server.run(words) == "OK")
    }

    @Test func `The documented commands suffice, for avatars, failures and locks`() async throws {
        let server = try RedisServer("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
        try addUser(server)
        let result = check(server, user: "tondo", password: "secret")
        #expect(result.problems.isEmpty && result.warnings.isEmpty)
        let set = { (options: inout SharedInstance.Options) in (options.user, options.password) = ("tondo", "secret") }
        let (one, two) = (try SharedInstance(server, set), try SharedInstance(server, set))
        let avatar = try await one.avatar(1)
        #expect(try await two.avatar(1).source == .cache)
        // A lock is taken and released.
        let waited = CacheKey(recipe: "waited")
        let lock = try #require(one.tier.claim([waited], of: "waited", locking: true).lock)
        #expect(two.tier.claim([waited], of: "waited", locking: true).isElsewhere)
        SharedDrawing(one.tier, lock: lock).end()
        #expect(try server.cli("GET", lock.key) == "")
        try server.cli("SETRANGE", SharedKey.avatar(avatar.key), "60", "x")
        let three = try SharedInstance(server, set)
        _ = try await three.avatar(1)
        _ = await three.result([UInt8](try Repository.data(Repository.truncated)))
        let counters = [one, two, three].map(\.tier.counters)
        #expect(counters.allSatisfy { $0.errors == 0 } && counters[2].altered == 1)
        #expect(try server.cli("ACL", "LOG") == "", "Nothing was refused")
    }

    @Test(arguments: ["get", "getex", "set", "del", "eval", "info"])
    func `A missing command is named`(command: String) throws {
        let server = try RedisServer()
        try addUser(server, without: command)
        let problems = check(server, user: "tondo", password: "secret").problems
        guard case .forbidden(let names, _) = problems.first else {
            Issue.record("\(problems)")
            return
        }
        #expect(names.contains(command.uppercased()) && !problems[0].isPermanent)
        #expect(problems[0].description.contains(SharedTier.accessRules))
    }

    @Test func `A database other than 0 needs SELECT`() async throws {
        let server = try RedisServer()
        let numbered = { (user: String) in
            var address = self.address(server, user, "secret")
            address.database = 3
            return RedisPool(address: address)
        }
        try addUser(server)
        let refused = SharedCheck(pool: numbered("tondo"), roles: [.cache], within: .seconds(20)).problems
        #expect(refused == [.forbidden(["SELECT"], rules: SharedTier.accessRules + " +select")])
        let documented = String(decoding: try Repository.data("docs/scaling.md"), as: UTF8.self)
        #expect(documented.contains("`+select`"))
        #expect(try server.run(["ACL", "SETUSER", "tondo", "+select"]) == "OK")
        #expect(SharedCheck(pool: numbered("tondo"), roles: [.cache], within: .seconds(20)).problems.isEmpty)
        let one = try SharedInstance(server) { ($0.user, $0.password, $0.database) = ("tondo", "secret", 3) }
        let avatar = try await one.avatar(1)
        #expect(one.tier.counters.errors == 0)
        #expect(try server.cli("-n", "3", "EXISTS", SharedKey.avatar(avatar.key)) == "1")
    }

    @Test func `A user that may not choose the database is an outage, which is not asked again for each request`()
        throws
    {
        let server = try RedisServer()
        try addUser(server)
        var address = address(server, "tondo", "secret")
        address.database = 3
        let pool = RedisPool(address: address)
        for _ in 0..<20 {
            #expect(throws: RedisError.self) { try pool.send([RedisCommand("GET", "x")], within: .seconds(20)) }
        }
        #expect(throws: RedisError.suspended) { try pool.send([RedisCommand("GET", "x")], within: .seconds(20)) }
    }

    @Test func `A policy that fits not both roles of an instance is an error that says what to change`() throws {
        let server = try RedisServer("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
        #expect(check(server).problems.isEmpty)
        let problems = check(server, roles: [.cache, .streams]).problems
        #expect(problems.count == 1 && problems[0].isPermanent && problems[0].description.contains("volatile-lru"))
        try server.cli("CONFIG", "SET", "maxmemory-policy", "noeviction")
        #expect(check(server).problems.first?.isPermanent == true)
    }

    @Test func `A server that is away or knows another password is no reason to stop`() throws {
        let server = try RedisServer("--requirepass", "right")
        let wrong = check(server, password: "wrong").problems
        #expect(wrong.count == 1 && !wrong[0].isPermanent && wrong[0].description.contains("WRONGPASS"))
        let none = check(server).problems
        #expect(none.count == 1 && !none[0].isPermanent)
        server.stop()
        let away = check(server).problems
        #expect(away.count == 1 && !away[0].isPermanent)
    }
}
