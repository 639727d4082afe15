internal import TondoRedis

/// The stream of events that several instances share, and the lease of its publisher. The id of an entry is the `seq` of its
/// event: an entry with a number that is taken, or lower than the last, is refused by Redis. So of two publishers one fails,
/// whatever the lease says. For one thread at a time; blocks.
final class SharedEventLog {
    struct Entry: Equatable {
        var seq: UInt64
        /// `begin` for the start of a range, which is no event.
        var name: String
        var json: String
        /// The version of the contact that the event is about.
        var version: ContactVersion?
    }

    enum Failure: Error, Equatable {
        /// The number is taken: another instance publishes.
        case overtaken
        /// The stream lacks the event before: Redis was flushed, or restarted without its last data.
        case lost
        case redis(RedisError)
    }

    static let begin = "begin"
    /// Events that the stream keeps, about.
    static let kept = 10_000
    /// Events of one reading.
    static let mostRead = 500

    private let connection: RedisConnection
    private let time = Duration.seconds(1)
    private let stream: String
    private let leaseName: String
    private let instance: String

    /// `books`: names the stream; instances with equal books share it. `instance`: unique.
    init(connection: RedisConnection, books: String, instance: String) {
        self.connection = connection
        self.instance = instance
        stream = "tondo:1:{events:\(books)}:log"
        leaseName = "tondo:1:{events:\(books)}:lease"
    }

    // MARK: The lease

    /// Takes or renews the lease. False: another instance has it.
    func hold(for time: Duration) throws(Failure) -> Bool {
        let milliseconds = RedisArgument.number(Int(time / .milliseconds(1)))
        let reply = try call(RedisCommand("SET", .text(leaseName), .text(instance), "NX", "PX", milliseconds))
        if !reply.isNull { return true }
        guard try call(RedisCommand("GET", .text(leaseName))).text == instance else { return false }
        // It may go to another between these two: then the numbers of events decide.
        return try call(RedisCommand("PEXPIRE", .text(leaseName), milliseconds)).integer == 1
    }

    func release() throws(Failure) {
        // Another instance may take the lease in between, and lose it here: then the numbers of events decide.
        guard try call(RedisCommand("GET", .text(leaseName))).text == instance else { return }
        _ = try call(RedisCommand("DEL", .text(leaseName)))
    }

    // MARK: Events

    /// The number of the last event; 0: there is none.
    func last() throws(Failure) -> UInt64 {
        let reply = try call(RedisCommand("XREVRANGE", .text(stream), "+", "-", "COUNT", 1))
        return Self.entries(of: reply).last?.seq ?? 0
    }

    /// KEYS: the stream. ARGV: about how many events it keeps, the number that the last one must have at least, then of each
    /// event the number of its words, its id and its fields. Ends with the first refusal: an event behind one that was refused
    /// would leave a gap that no client notices.
    private static let appending = """
        local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
        local number = last and tonumber(string.match(last[1], '^%d+')) or 0
        if number < tonumber(ARGV[2]) then return redis.error_reply('LOST the last event') end
        local at = 3
        while at <= #ARGV do
          local last = at + tonumber(ARGV[at])
          redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], unpack(ARGV, at + 1, last))
          at = last + 1
        end
        """

    /// Adds events in order, or none of them. Throws `overtaken` if the number of the first one is not free. `previous`: the
    /// number of the event before them; throws `lost` if the stream has lost it. 0: they begin a range.
    func append(_ entries: [Entry], after previous: UInt64 = 0) throws(Failure) {
        guard !entries.isEmpty else { return }
        let words = entries.flatMap { entry -> [RedisArgument] in
            let version: [RedisArgument] = entry.version.map { ["c", .text($0.text)] } ?? []
            let words = [.text("\(entry.seq)-0"), "e", .text(entry.name), "d", .text(entry.json)] + version
            return [.number(words.count)] + words
        }
        let command = RedisCommand(
            "EVAL", [.text(Self.appending), 1, .text(stream), .number(Self.kept), .text("\(previous)")] + words)
        do throws(Failure) { _ = try call(command) } catch {
            guard case .redis(.refused(let text)) = error else { throw error }
            // Redis has no code of its own for an id that is not above the last one, only this text.
            if text.contains("equal or smaller") { throw .overtaken }
            throw text.hasPrefix("LOST") ? .lost : error
        }
    }

    /// The events after a number, at most `mostRead`; waits for the first one for so long.
    func read(after seq: UInt64, waiting: Duration) throws(Failure) -> [Entry] {
        let command = RedisCommand(
            "XREAD", "COUNT", .number(Self.mostRead), "BLOCK", .number(Int(waiting / .milliseconds(1))), "STREAMS",
            .text(stream),
            .text("\(seq)-0"))
        let reply = try call(command, waiting: waiting)
        return reply.array?.first?.array?.last.map { Self.entries(of: $0) } ?? []
    }

    /// Lets the other thread of the instance end.
    func close() { connection.close() }

    private static func entries(of reply: RedisValue) -> [Entry] {
        (reply.array ?? []).compactMap { item -> Entry? in
            guard let parts = item.array, parts.count == 2, let seq = parts[0].text?.split(separator: "-").first,
                let number = UInt64(seq), let fields = parts[1].array, fields.count >= 4
            else { return nil }
            let version = fields.count >= 6 ? fields[5].text.flatMap { ContactVersion($0) } : nil
            return Entry(seq: number, name: fields[1].text ?? "", json: fields[3].text ?? "", version: version)
        }
    }

    private func call(_ command: RedisCommand, waiting: Duration = .zero) throws(Failure) -> RedisValue {
        do throws(RedisError) { return try connection.call(command, by: .now + time + waiting) } catch {
            throw .redis(error)
        }
    }
}
