/// What a Redis does when its memory is full, and whether that suits what is kept in it.
package struct RedisPolicy: Sendable, Equatable {
    /// What Tondo keeps in one Redis.
    package enum Role: String, Sendable, CaseIterable {
        /// Values that end, and may be evicted at any time.
        case cache
        /// Streams of work and events, which must not be evicted.
        case streams
    }

    /// Bytes; 0: no limit.
    package var maxMemory: Int
    /// The value of `maxmemory-policy`.
    package var name: String

    package init(maxMemory: Int, name: String) {
        self.maxMemory = maxMemory
        self.name = name
    }

    /// Reads the policy from the reply to INFO; nil if the reply has none.
    package init?(info: String) {
        var values: [Substring: Substring] = [:]
        for line in info.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard let limit = values["maxmemory"].flatMap({ Int($0) }), let name = values["maxmemory_policy"] else {
            return nil
        }
        self.init(maxMemory: limit, name: String(name))
    }

    /// Why the policy does not suit these roles of one instance, and what to change; nil if it does. Only values with a time
    /// to live are evicted under a `volatile` policy, and streams have none.
    package func problem(for roles: Set<Role>) -> String? {
        if roles.contains(.streams), name.hasPrefix("allkeys-") {
            let other = roles.contains(.cache) ? ", or use a second instance for one of them" : ""
            return "its maxmemory-policy \(name) evicts streams: set maxmemory-policy volatile-lru\(other)"
        }
        if roles.contains(.cache), name == "noeviction", maxMemory > 0 {
            let policy = roles.contains(.streams) ? "volatile-lru" : "allkeys-lru"
            return "its maxmemory-policy noeviction refuses avatars once it is full: set maxmemory-policy \(policy)"
        }
        return nil
    }

    /// What is permitted, and still unwise.
    package func warning(for roles: Set<Role>) -> String? {
        guard roles.contains(.cache), maxMemory == 0 else { return nil }
        return "it has no maxmemory, so that avatars take all of the machine's memory in the end"
    }
}

extension RedisPool {
    /// `time`: nil for that of the options.
    package func policy(within time: Duration? = nil) throws(RedisError) -> RedisPolicy {
        let reply = try call(RedisCommand("INFO", "memory"), within: time)
        guard let policy = reply.text.flatMap({ RedisPolicy(info: $0) }) else {
            throw .malformed("INFO without maxmemory")
        }
        return policy
    }

    /// The names of the commands that the user may not run, each once, of those given. They are run: their keys must be in
    /// no other use.
    package func forbidden(
        _ commands: [RedisCommand], within time: Duration? = nil
    ) throws(RedisError) -> [String] {
        let replies = try run(within: time) { connection, deadline throws(RedisError) in
            try connection.send(commands, by: deadline)
        }
        var names: [String] = []
        for (command, reply) in zip(commands, replies) {
            guard case .error(let text) = reply, text.contains("NOPERM") || text.contains("permission") else {
                continue
            }
            if !names.contains(command.name) { names.append(command.name) }
        }
        return names
    }
}
