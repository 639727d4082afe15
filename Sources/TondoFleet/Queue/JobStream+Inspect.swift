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
    }

    package func counts() throws(JobStreamError) -> Counts {
        var counts = Counts()
        let replies = try send([
            RedisCommand("XLEN", .text(names.work)), RedisCommand("XLEN", .text(names.dead)),
            RedisCommand("XINFO", "GROUPS", .text(names.work)),
        ])
        (counts.jobs, counts.dead) = (replies[0].integer ?? 0, replies[1].integer ?? 0)
        // An error: nothing was ever published.
        for group in replies[2].array ?? [] {
            let words = group.array ?? []
            var values: [String: RedisValue] = [:]
            for index in stride(from: 0, to: words.count - 1, by: 2) {
                values[words[index].text ?? ""] = words[index + 1]
            }
            guard values["name"]?.text == names.group else { continue }
            (counts.pending, counts.workers) = (values["pending"]?.integer ?? 0, values["consumers"]?.integer ?? 0)
        }
        return counts
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
        let entries = try send(
            rows.map { RedisCommand("XRANGE", .text(names.work), .text($0.id), .text($0.id), "COUNT", 1) })
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

    /// The oldest first.
    package func dead(_ count: Int) throws(JobStreamError) -> [Dead] {
        let reply = try call(RedisCommand("XRANGE", .text(names.dead), "-", "+", "COUNT", .number(count)))
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
        guard let entry = StreamEntry.all(reply).first, let job = try? DrawJob(fields: entry.fields) else {
            return false
        }
        let length = try length()
        guard length < options.mostJobs else { throw .full(length: length) }
        // Deleted first: of two that retry the same job, one adds it. Undone if there is no memory.
        guard try call(RedisCommand("XDEL", .text(names.dead), .text(id))).integer == 1 else { return false }
        do throws(JobStreamError) {
            _ = try call(RedisCommand("XADD", [.text(names.work), "*"] + job.fields.map { .bytes($0) }))
        } catch {
            _ = try? call(RedisCommand("XADD", [.text(names.dead), "*"] + entry.fields.map { .bytes($0) }))
            throw error
        }
        return true
    }

    /// Deletes a dead job, or a waiting or pending one. False: there is none with this id.
    package func drop(_ id: String) throws(JobStreamError) -> Bool {
        let replies = try send([
            RedisCommand("XDEL", .text(names.dead), .text(id)),
            RedisCommand("XACK", .text(names.work), .text(names.group), .text(id)),
            RedisCommand("XDEL", .text(names.work), .text(id)),
        ])
        return replies[0].integer == 1 || replies[2].integer == 1
    }
}
