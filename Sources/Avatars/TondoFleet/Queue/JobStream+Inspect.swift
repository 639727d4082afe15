internal import TondoRedis

/// What `tondo jobs` shows and changes.
extension JobStream {
    package struct Counts: Equatable, Sendable {
        /// Waiting and pending ones.
        package var jobs = 0
        /// Delivered to a worker, and not ended.
        package var pending = 0
        package var dead = 0
        /// Consumers that the group knows; one that was killed stays among them.
        package var workers = 0
        /// Jobs that were taken over from lost workers.
        package var claims = 0

        package var waiting: Int { max(jobs - pending, 0) }
    }

    package func counts() throws(JobStreamError) -> Counts {
        let replies = try send(Self.countingCommands(names))
        if case .error(let text) = replies[0] { throw .redis(.refused(text)) }
        return Counts(replies, names: names)
    }

    static func countingCommands(_ names: FleetNames) -> [RedisCommand] {
        [
            RedisCommand("XLEN", .text(names.work)), RedisCommand("XLEN", .text(names.dead)),
            RedisCommand("GET", .text(names.claims)), RedisCommand("XINFO", "GROUPS", .text(names.work)),
        ]
    }

    /// A job that a worker has, or had.
    package struct Pending: Equatable, Sendable {
        package var id: String
        package var worker: String
        package var idle: Duration
        package var deliveries: Int
        /// Nil: the entry is no job, or was deleted.
        package var job: DrawJob?
    }

    package func pending(_ count: Int) throws(JobStreamError) -> [Pending] {
        let reply = try inGroup(
            RedisCommand("XPENDING", .text(names.work), .text(names.group), "-", "+", .number(count)))
        let rows = (reply.array ?? []).compactMap { row -> Pending? in
            guard let parts = row.array, parts.count == 4, let id = parts[0].text, let worker = parts[1].text,
                let idle = parts[2].integer, let deliveries = parts[3].integer
            else { return nil }
            return Pending(id: id, worker: worker, idle: .milliseconds(idle), deliveries: deliveries)
        }
        guard !rows.isEmpty else { return [] }
        let entries: [RedisValue]
        do throws(JobStreamError) {
            entries = try send(
                rows.map { RedisCommand("XRANGE", .text(names.work), .text($0.id), .text($0.id), "COUNT", 1) })
        } catch {
            // An entry of another program that is too large to be read, and no job: the others are shown without details.
            guard case .redis(.malformed) = error else { throw error }
            return rows
        }
        return zip(rows, entries).map { row, reply in
            var row = row
            row.job = StreamEntry.all(reply).first.flatMap { try? DrawJob(fields: $0.fields) }
            return row
        }
    }

    /// A job that is not delivered any more.
    package struct Dead: Equatable, Sendable {
        package var id: String
        /// Stable, for scripts.
        package var code: String
        package var message: String
        package var deliveries: Int
        /// That moved it here.
        package var worker: String
        /// Milliseconds since 1970.
        package var time: Int
        package var job: DrawJob?
    }

    /// The oldest first. `after`: only those behind this id; `last`: only up to this one.
    package func dead(
        _ count: Int, after: String? = nil, upTo last: String? = nil
    ) throws(JobStreamError) -> [Dead] {
        let reply = try call(
            RedisCommand(
                "XRANGE", .text(names.dead), .text(after.map { "(" + $0 } ?? "-"), .text(last ?? "+"), "COUNT",
                .number(count)))
        return StreamEntry.all(reply).map { entry in
            Dead(
                id: entry.id, code: entry.text("code") ?? "", message: entry.text("message") ?? "",
                deliveries: entry.text("deliveries").flatMap { Int($0) } ?? 0, worker: entry.text("worker") ?? "",
                time: entry.milliseconds, job: try? DrawJob(fields: entry.fields))
        }
    }

    /// Publishes a dead job again. False: there is none with this id, or it is no job.
    package func retry(_ id: String) throws(JobStreamError) -> Bool {
        let reply = try call(RedisCommand("XRANGE", .text(names.dead), .text(id), .text(id), "COUNT", 1))
        guard let entry = StreamEntry.all(reply).first, var job = try? DrawJob(fields: entry.fields) else {
            return false
        }
        // Its requester has had its failure, and waits no longer. Without one, a second failure is dead again, and can be seen.
        job.run = ""
        let fields = job.fields.map { RedisArgument.bytes($0) }
        let reached = try call(
            RedisCommand(
                "EVAL",
                [
                    .text(StreamScript.retry), 2, .text(names.work), .text(names.dead), .number(options.mostJobs),
                    .text(id),
                ] + fields))
        // Its length, if there is no room.
        if let length = reached.text.flatMap({ Int($0) }) { throw .full(length: length) }
        return reached.integer == 1
    }

    /// Deletes a dead job, or a waiting or pending one, whose requester gets a failure: it would publish again what vanishes.
    /// False: there is none with this id.
    package func drop(_ id: String) throws(JobStreamError) -> Bool {
        let found = try? call(RedisCommand("XRANGE", .text(names.work), .text(id), .text(id), "COUNT", 1))
        let job = found.map { StreamEntry.all($0) }?.first.flatMap { try? DrawJob(fields: $0.fields) }
        let report = job.map { job in
            let result = JobResult(number: job.number, code: JobResult.dropped, message: "the job was dropped")
            return commandsToReport([
                Finished(delivery: Delivery(id: id, job: job, deliveries: 0), end: .complete, result: result)
            ])
        }
        // The report first: a job that a failure keeps in the stream is dropped by the next try.
        let replies = try send(
            (report ?? []) + [
                RedisCommand("XDEL", .text(names.dead), .text(id)),
                RedisCommand("XACK", .text(names.work), .text(names.group), .text(id)),
                RedisCommand("XDEL", .text(names.work), .text(id)),
            ])
        return replies.suffix(3).first?.integer == 1 || replies.last?.integer == 1
    }

    /// The id of the dead job that died last; nil: there is none.
    package func lastDead() throws(JobStreamError) -> String? {
        let reply = try call(RedisCommand("XREVRANGE", .text(names.dead), "+", "-", "COUNT", 1))
        return StreamEntry.all(reply).first?.id
    }
}

extension JobStream.Counts {
    /// `replies`: to `JobStream.countingCommands`.
    init(_ replies: [RedisValue], names: FleetNames) {
        jobs = replies[0].integer ?? 0
        dead = replies[1].integer ?? 0
        claims = replies[2].text.flatMap { Int($0) } ?? 0
        // An error: nothing was ever published.
        for group in replies[3].array ?? [] {
            let words = group.array ?? []
            var values: [String: RedisValue] = [:]
            for index in stride(from: 0, to: words.count - 1, by: 2) {
                values[words[index].text ?? ""] = words[index + 1]
            }
            guard values["name"]?.text == names.group else { continue }
            pending = values["pending"]?.integer ?? 0
            workers = values["consumers"]?.integer ?? 0
        }
    }
}
