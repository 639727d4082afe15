internal import FoundationEssentials
package import TondoRedis

/// What is wrong with the Redis of a shared tier, found by asking it.
package struct SharedCheck: Sendable {
    package enum Problem: Sendable, Equatable {
        /// It does not answer, or refuses to speak to this user. It may do so later: no reason not to start.
        case unanswered(RedisError)
        /// The ACL lacks commands.
        case forbidden([String])
        /// It serves, and cannot be right.
        case policy(String)

        /// A restart of Redis or of the network cannot mend it.
        package var isPermanent: Bool { if case .policy = self { true } else { false } }
    }

    package private(set) var problems: [Problem] = []
    package private(set) var warnings: [String] = []

    /// Blocks for `time` at most. `roles`: those of the instance, `.cache` and maybe `.streams`.
    package init(_ pool: RedisPool, roles: Set<RedisPolicy.Role>, within time: Duration = .seconds(1)) {
        do throws(RedisError) {
            let forbidden = try pool.forbidden(SharedTier.probes, within: time)
            if !forbidden.isEmpty { problems.append(.forbidden(forbidden)) }
            guard !forbidden.contains("INFO") else { return }
            let policy = try pool.policy(within: time)
            if let problem = policy.problem(for: roles) { problems.append(.policy(problem)) }
            if let warning = policy.warning(for: roles) { warnings.append(warning) }
        } catch { problems.append(.unanswered(error)) }
    }
}

extension SharedCheck.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unanswered(let error): "it does not serve: \(error)"
        case .forbidden(let names):
            "its user may not run \(names.joined(separator: ", ")): the ACL needs \(SharedTier.accessRules)"
        case .policy(let problem): problem
        }
    }
}

extension SharedTier {
    /// The least rules of ACL SETUSER for the tier.
    package static let accessRules = "~tondo:1:* -@all +get +getex +set +del +eval +info"

    /// One of each command, on a key of its own that ends by itself.
    static var probes: [RedisCommand] {
        let key = RedisArgument.text("\(SharedKey.prefix)check:\(UUID().uuidString)")
        return [
            RedisCommand("INFO", "memory"), RedisCommand("SET", key, "x", "NX", "PX", 10_000),
            RedisCommand("GET", key), RedisCommand("GETEX", key, "EX", 10), RedisCommand("SET", key, "x", "EX", 10),
            SharedScript.compareAndDelete(SharedKey.prefix + "check:none", "x"), RedisCommand("DEL", key),
        ]
    }
}
