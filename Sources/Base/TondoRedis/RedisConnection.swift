/// One connection to a Redis, made with the first command and made again after an error.
///
/// All calls block until their deadline at most. After a time-out or a malformed reply the connection is closed, since a
/// late reply would be taken for the next command's.
package final class RedisConnection: @unchecked Sendable {
    // Safe because one thread at a time uses it: a pool lends it to one borrower, others keep it to one thread.
    /// A point in time, and no duration, so that one limit covers connecting and every reply.
    package typealias Deadline = ContinuousClock.Instant

    private struct Link {
        let socket: RedisSocket
        let reader: ReplyReader
    }

    package let address: RedisAddress
    private let limit: Int
    private var link: Link?
    /// Connections made so far.
    package private(set) var connects = 0

    /// `limit`: bytes of one reply. Does not connect.
    package init(to address: RedisAddress, limit: Int = 64 << 20) {
        self.address = address
        self.limit = limit
    }

    /// Whether there is a socket. The server may have closed its side: the next command checks that.
    package var isConnected: Bool { link != nil }

    /// Closes the socket at once; the next command connects again.
    package func close() { link = nil }

    /// Sends one command. An error of the server is thrown as `refused`.
    package func call(_ command: RedisCommand, by deadline: Deadline) throws(RedisError) -> RedisValue {
        let value = try send([command], by: deadline)[0]
        if case .error(let text) = value { throw .refused(text) }
        return value
    }

    /// Sends all commands at once, and returns their replies in order; errors of the server are among them.
    package func send(_ commands: [RedisCommand], by deadline: Deadline) throws(RedisError) -> [RedisValue] {
        try connect(by: deadline)
        return try exchange(commands, by: deadline)
    }

    private func connect(by deadline: Deadline) throws(RedisError) {
        // A server that closed an idle connection would make this command fail for nothing.
        if let isStale = link?.socket.isStale, isStale { close() }
        guard link == nil else { return }
        link = Link(socket: try RedisSocket(to: address.endpoint, by: deadline), reader: try ReplyReader(limit: limit))
        connects += 1
        for case .error(let text) in try exchange(address.greeting, by: deadline) {
            close()
            throw .denied(text)
        }
    }

    private func exchange(_ commands: [RedisCommand], by deadline: Deadline) throws(RedisError) -> [RedisValue] {
        do throws(RedisError) {
            guard !commands.isEmpty else { return [] }
            try write(commands, by: deadline)
            var replies: [RedisValue] = []
            while replies.count < commands.count { replies.append(try next(by: deadline)) }
            // A replica that was the master, say: the next connection may lead to the new one.
            if replies.contains(where: \.isOutage) { close() }
            return replies
        } catch {
            close()
            throw error
        }
    }

    private func write(_ commands: [RedisCommand], by deadline: Deadline) throws(RedisError) {
        let bytes = commands.count == 1 ? commands[0].encoded : commands.flatMap(\.encoded)
        guard let link else { throw .closed }
        try link.socket.send(bytes, by: deadline)
    }

    private func next(by deadline: Deadline) throws(RedisError) -> RedisValue {
        guard let link else { throw .closed }
        while true {
            if let value = try link.reader.next() { return value }
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
            defer { buffer.deallocate() }
            let count = try link.socket.receive(into: buffer, by: deadline)
            try link.reader.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}

extension RedisAddress {
    /// What every connection begins with.
    var greeting: [RedisCommand] {
        var commands: [RedisCommand] = []
        if let password { commands.append(RedisCommand("AUTH", (user.map { [.text($0)] } ?? []) + [.text(password)])) }
        if database != 0 { commands.append(RedisCommand("SELECT", .number(database))) }
        return commands
    }
}
