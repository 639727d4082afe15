package import TondoRedis

/// The work queue of several machines: a stream of Redis with one consumer group, and a stream of dead jobs.
///
/// The work stream has no MAXLEN, which would drop jobs: it is published into only while it has room. A job leaves it together
/// with its result, in one transaction. The group is made again when Redis lost it. For one thread at a time; every call
/// blocks, for `Options.time` at most, longer only by the time it is asked to wait.
package final class JobStream {
    package struct Options: Sendable {
        package var names = FleetNames()
        /// Jobs that may be in the stream, however many publish at the same time.
        package var mostJobs = 100_000
        /// The longest time of one call.
        package var time = Duration.seconds(2)
        /// Seconds for which a result waits for its requester.
        package var resultLife = 3_600
        /// Dead jobs that are kept, about.
        package var mostDead = 100_000

        package init() {}
    }

    let connection: RedisConnection
    package let options: Options
    private var knowsGroup = false
    /// Where the search for abandoned jobs goes on: those before were looked at a moment ago.
    private var claimCursor = "0-0"
    var names: FleetNames { options.names }

    /// Takes the connection over. Does not connect.
    package init(_ connection: RedisConnection, options: Options = Options()) {
        self.connection = connection
        self.options = options
    }

    // MARK: Publishing

    /// Jobs in the stream, running ones included.
    package func length() throws(JobStreamError) -> Int {
        try call(RedisCommand("XLEN", .text(names.work))).integer ?? 0
    }

    /// What one requester publishes at once.
    package struct Batch: Sendable {
        /// Unique to the requester.
        package var run: String
        /// Grows with each batch, also after one that the stream had no room for: it may be on its way yet.
        package var number: Int

        /// After all others.
        static let end = 1 << 53

        package init(_ run: String, number: Int) {
            self.run = run
            self.number = number
        }
    }

    /// Publishes these jobs, and returns the ids of those that were taken, in order. Throws `full` if the first one was not.
    /// After an error of the connection it may be called again with the same batch: jobs that were taken are not added twice.
    package func publish(_ jobs: [DrawJob], as batch: Batch) throws(JobStreamError) -> [String] {
        guard !jobs.isEmpty else { return [] }
        let words = jobs.flatMap { job in
            let fields = job.fields
            return [RedisArgument.number(fields.count)] + fields.map { .bytes($0) }
        }
        let reply: RedisValue
        do throws(JobStreamError) {
            reply = try call(
                RedisCommand(
                    "EVAL",
                    [
                        .text(StreamScript.publish), 2, .text(names.work), .text(names.batch(batch.run)),
                        .number(options.mostJobs), .number(batch.number), .number(options.resultLife),
                    ] + words))
        } catch {
            // A server with `noeviction` at its limit of memory.
            if case .redis(.refused(let text)) = error, text.contains("OOM") { throw .full(length: try length()) }
            throw error
        }
        guard let parts = reply.array, parts.count == 2, let length = parts[0].integer, let ids = parts[1].array else {
            throw .redis(.malformed("EVAL"))
        }
        guard !ids.isEmpty else { throw .full(length: length) }
        return ids.compactMap(\.text)
    }

    /// Which of these ids are no longer in the stream.
    package func missing(_ ids: [String]) throws(JobStreamError) -> [String] {
        let replies = try send(
            ids.map { RedisCommand("XRANGE", .text(names.work), .text($0), .text($0), "COUNT", 1) })
        return zip(ids, replies).filter { $1.array?.isEmpty == true }.map(\.0)
    }

    /// Takes the results that have come for a requester, at most `count`.
    package func results(of run: String, count: Int) throws(JobStreamError) -> [JobResult] {
        let reply = try call(RedisCommand("LPOP", .text(names.results(run)), .number(count)))
        return (reply.array ?? []).compactMap { $0.text.flatMap { JobResult($0) } }
    }

    /// How many results wait for a requester now, with one that is none: RPUSH returns the length, and needs no further
    /// permission.
    func countResults(of run: String) throws(JobStreamError) -> Int {
        let results = RedisArgument.text(names.results(run))
        let replies = try send([
            RedisCommand("RPUSH", results, ""), RedisCommand("EXPIRE", results, .number(options.resultLife)),
        ])
        for case .error(let text) in replies { throw .redis(.refused(text)) }
        return replies.first?.integer ?? 0
    }

    /// The requester has ended. What it published, and is still on its way for a minute, is not taken any more.
    package func forget(_ run: String) throws(JobStreamError) {
        let batch = RedisCommand("SET", .text(names.batch(run)), "\(Batch.end) ", "EX", 60)
        let replies = try send([RedisCommand("DEL", .text(names.results(run))), batch])
        for case .error(let text) in replies { throw .redis(.refused(text)) }
    }

    // MARK: Working

    /// A delivered job.
    package struct Delivery: Equatable, Sendable {
        package var id: String
        package var job: Result<DrawJob, DrawJob.Malformed>
        /// As they are in the stream.
        var fields: [[UInt8]]
        /// Including this one.
        package var deliveries: Int

        init(id: String, job: DrawJob, deliveries: Int) {
            self.id = id
            self.job = .success(job)
            fields = job.fields
            self.deliveries = deliveries
        }

        init(entry: StreamEntry, deliveries: Int) {
            id = entry.id
            fields = entry.fields
            self.deliveries = deliveries
            do throws(DrawJob.Malformed) {
                job = .success(try DrawJob(fields: entry.fields))
            } catch {
                job = .failure(error)
                // Of a large one the beginning is enough for people.
                if error == .size { fields = fields.prefix(DrawJob.mostFields).map { Array($0.prefix(100)) } }
            }
        }

        init(unreadable id: String) {
            self.id = id
            job = .failure(.size)
            fields = []
            deliveries = 1
        }
    }

    /// New jobs, at most `count`; waits for the first one for so long.
    package func read(_ count: Int, as consumer: String, waiting: Duration?) throws(JobStreamError) -> [Delivery] {
        var words: [RedisArgument] = ["GROUP", .text(names.group), .text(consumer), "COUNT", .number(count)]
        if let waiting { words += ["BLOCK", .number(max(1, Int(waiting / .milliseconds(1))))] }
        words += ["STREAMS", .text(names.work), ">"]
        let reply = try inGroup(RedisCommand("XREADGROUP", words), waiting: waiting ?? .zero)
        let entries = reply.array?.first?.array?.last.map { StreamEntry.all($0) } ?? []
        return entries.map { Delivery(entry: $0, deliveries: 1) }
    }

    /// Whether a job has been pending for so long.
    package func hasAbandoned(_ idle: Duration) throws(JobStreamError) -> Bool {
        let reply = try inGroup(
            RedisCommand(
                "XPENDING", .text(names.work), .text(names.group), "IDLE", .number(Self.milliseconds(idle)), "-", "+", 1
            ))
        return reply.array?.isEmpty == false
    }

    /// Takes over one job that has been pending for so long; nil: there is none. Pending jobs whose entry was deleted are
    /// forgotten.
    package func claim(as consumer: String, idle: Duration) throws(JobStreamError) -> Delivery? {
        var isFromStart = claimCursor == "0-0"
        while true {
            let reply: RedisValue
            do throws(JobStreamError) {
                reply = try inGroup(
                    RedisCommand(
                        "XAUTOCLAIM", .text(names.work), .text(names.group), .text(consumer),
                        .number(Self.milliseconds(idle)), .text(claimCursor), "COUNT", 1))
            } catch {
                guard case .redis(.malformed) = error else { throw error }
                return try unreadable(of: consumer)
            }
            guard let parts = reply.array, parts.count >= 2 else { return nil }
            claimCursor = parts[0].text ?? "0-0"
            if let entry = StreamEntry.all(parts[1]).first {
                // For people: it is no loss if there is no memory for it.
                _ = try? call(RedisCommand("INCR", .text(names.claims)))
                return Delivery(entry: entry, deliveries: try deliveries(of: entry.id))
            }
            guard claimCursor == "0-0" else { continue }
            if isFromStart { return nil }
            isFromStart = true
        }
    }

    /// The entry that this consumer has just claimed, and that is longer than a reply may be: no job. Another program wrote it.
    private func unreadable(of consumer: String) throws(JobStreamError) -> Delivery? {
        let reply = try inGroup(
            RedisCommand("XPENDING", .text(names.work), .text(names.group), "-", "+", 1_000, .text(consumer)))
        let rows = (reply.array ?? []).compactMap { row -> (id: String, idle: Int)? in
            guard let parts = row.array, parts.count == 4, let id = parts[0].text, let idle = parts[2].integer else {
                return nil
            }
            return (id, idle)
        }
        return rows.min { $0.idle < $1.idle }.map { Delivery(unreadable: $0.id) }
    }

    private func deliveries(of id: String) throws(JobStreamError) -> Int {
        let reply = try inGroup(
            RedisCommand("XPENDING", .text(names.work), .text(names.group), .text(id), .text(id), 1))
        return reply.array?.first?.array?.last?.integer ?? 1
    }

    /// The consumer is still drawing these: they are not abandoned. Deliveries are not counted.
    package func renew(_ ids: [String], as consumer: String) throws(JobStreamError) {
        try claimOwn(ids, as: consumer, options: ["JUSTID"])
    }

    /// Another worker gets this job at its next look at abandoned ones, and this delivery does not count.
    package func handBack(_ delivery: Delivery, as consumer: String) throws(JobStreamError) {
        try claimOwn(
            [delivery.id], as: consumer,
            options: ["IDLE", .number(86_400_000), "RETRYCOUNT", .number(max(delivery.deliveries - 1, 0)), "JUSTID"])
    }

    private func claimOwn(
        _ ids: [String], as consumer: String, options: [RedisArgument]
    ) throws(JobStreamError) {
        guard !ids.isEmpty else { return }
        _ = try inGroup(
            RedisCommand(
                "EVAL",
                [
                    .text(StreamScript.claimOwn), 1, .text(names.work), .text(names.group), .text(consumer),
                    .number(ids.count),
                ] + ids.map { .text($0) } + options))
    }

    /// A worker begins: it counts from now on, and those that have been silent for so long do so no longer.
    package func join(_ consumer: String, forgetting silence: Duration = .seconds(3_600)) throws(JobStreamError) {
        _ = try inGroup(
            RedisCommand(
                "EVAL", .text(StreamScript.join), 1, .text(names.work), .text(names.group), .text(consumer),
                .number(Self.milliseconds(silence))))
    }

    /// The consumer ends. Its pending jobs would be forgotten with it, so it stays while it has any.
    package func leave(_ consumer: String) throws(JobStreamError) {
        let reply = try inGroup(
            RedisCommand("XPENDING", .text(names.work), .text(names.group), "-", "+", 1, .text(consumer)))
        guard reply.array?.isEmpty == true else { return }
        _ = try inGroup(RedisCommand("XGROUP", "DELCONSUMER", .text(names.work), .text(names.group), .text(consumer)))
    }

    private static func milliseconds(_ time: Duration) -> Int { max(0, Int(time / .milliseconds(1))) }

    // MARK: Commands

    /// Makes the group if it does not exist, or no longer. UNBLOCKED: the stream was deleted while the call waited.
    func inGroup(_ command: RedisCommand, waiting: Duration = .zero) throws(JobStreamError) -> RedisValue {
        if !knowsGroup { try makeGroup() }
        do throws(JobStreamError) { return try call(command, waiting: waiting) } catch {
            // The error of a script stands behind its own words.
            guard case .redis(.refused(let text)) = error, text.contains("NOGROUP") || text.hasPrefix("UNBLOCKED")
            else {
                throw error
            }
            try makeGroup()
            return try call(command, waiting: waiting)
        }
    }

    /// From the first entry: jobs that were published before any worker came are delivered, too.
    private func makeGroup() throws(JobStreamError) {
        do throws(JobStreamError) {
            _ = try call(RedisCommand("XGROUP", "CREATE", .text(names.work), .text(names.group), "0", "MKSTREAM"))
        } catch {
            guard case .redis(.refused(let text)) = error, text.hasPrefix("BUSYGROUP") else { throw error }
        }
        knowsGroup = true
    }

    func call(_ command: RedisCommand, waiting: Duration = .zero) throws(JobStreamError) -> RedisValue {
        do throws(RedisError) {
            return try connection.call(command, by: .now + options.time + waiting)
        } catch { throw .redis(error) }
    }

    func send(_ commands: [RedisCommand]) throws(JobStreamError) -> [RedisValue] {
        do throws(RedisError) {
            return try connection.send(commands, by: .now + options.time)
        } catch { throw .redis(error) }
    }
}
