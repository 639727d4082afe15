internal import FoundationEssentials
package import TondoRedis

/// What is wrong with a Redis that instances share, found by asking it.
package struct SharedCheck: Sendable {
    package enum Problem: Sendable, Equatable {
        /// It does not answer, or refuses to speak to this user. It may do so later: no reason not to start.
        case unanswered(RedisError)
        /// The ACL lacks commands. `rules`: what it needs.
        case forbidden([String], rules: String)
        /// It serves, and cannot be right.
        case policy(String)

        /// A restart of Redis or of the network cannot mend it.
        package var isPermanent: Bool { if case .policy = self { true } else { false } }
    }

    package private(set) var problems: [Problem] = []
    package private(set) var warnings: [String] = []

    /// Asks a few times, and blocks for `time` at most each time. `roles`: those of the instance. `probes`: one of each command
    /// that it has to permit, `rules`: the same for ACL SETUSER; by default, those of the shared tier.
    package init(
        pool: RedisPool, roles: Set<RedisPolicy.Role>, probes: [RedisCommand] = SharedTier.probes,
        rules: String = SharedTier.accessRules, within time: Duration = .seconds(1)
    ) {
        do throws(RedisError) {
            let forbidden = try pool.forbidden(probes, within: time)
            if !forbidden.isEmpty { problems.append(.forbidden(forbidden, rules: rules)) }
            guard !forbidden.contains("INFO") else { return }
            let policy = try pool.policy(within: time)
            if let problem = policy.problem(for: roles) { problems.append(.policy(problem)) }
            if let warning = policy.warning(for: roles) { warnings.append(warning) }
        } catch {
            // A connection to a database other than 0 begins with SELECT, which no probe reaches.
            if case .denied(let text) = error, text.hasPrefix("NOPERM"), text.contains("'select'") {
                problems.append(.forbidden(["SELECT"], rules: rules + " +select"))
            } else {
                problems.append(.unanswered(error))
            }
        }
    }
}

extension SharedCheck.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unanswered(let error): "it does not serve: \(error)"
        case .forbidden(let names, let rules):
            "its user may not run \(names.joined(separator: ", ")): the ACL needs \(rules)"
        case .policy(let problem): problem
        }
    }
}

extension SharedTier {
    /// The least rules of ACL SETUSER for the tier.
    package static let accessRules = "~tondo:1:* -@all +get +getex +set +del +eval +info"

    /// One of each command, on a key of its own that ends by itself.
    package static var probes: [RedisCommand] {
        let key = RedisArgument.text("\(SharedKey.prefix)check:\(UUID().uuidString)")
        return [
            RedisCommand("INFO", "memory"), RedisCommand("SET", key, "x", "NX", "PX", 10_000),
            RedisCommand("GET", key), RedisCommand("GETEX", key, "EX", 10), RedisCommand("SET", key, "x", "EX", 10),
            SharedScript.compareAndDelete(SharedKey.prefix + "check:none", value: "x"), RedisCommand("DEL", key),
        ]
    }
}
