internal import TondoRedis

/// How jobs leave the work stream: together with their results.
extension JobStream {
    /// A job that a worker is done with.
    package struct Finished: Equatable, Sendable {
        package enum End: Equatable, Sendable { case complete, deadLetter }

        package var delivery: Delivery
        package var end: End
        package var result: JobResult

        package init(delivery: Delivery, end: End, result: JobResult) {
            self.delivery = delivery
            self.end = end
            self.result = result
        }
    }

    /// Acknowledges and deletes these jobs and passes their results on, in one transaction, and moves the dead ones to their
    /// stream, each in one command. After an error it may be called again: a job that is gone is not buried again, and a requester
    /// ignores a second result.
    package func finish(_ jobs: [Finished], as consumer: String) throws(JobStreamError) {
        try complete(jobs.filter { $0.end == .complete })
        for job in jobs where job.end == .deadLetter { try deadLetter(job, by: consumer) }
    }

    private func complete(_ jobs: [Finished]) throws(JobStreamError) {
        guard !jobs.isEmpty else { return }
        if try perform(commandsToRemove(jobs) + commandsToReport(jobs)) { return }
        // No memory for results, nor for any transaction. Without them the stream still shrinks, and requesters publish what
        // vanished again, which is in the cache by then. Deleted first: an entry that is pending and gone is forgotten, one that
        // is acknowledged and there would stay.
        let replies = try send(commandsToRemove(jobs).reversed())
        for case .error(let text) in replies { throw .redis(.refused(text)) }
    }

    /// In one transaction. False: nothing was done, because Redis has no memory. The group is gone with a flush: then XACK
    /// answers 0, and nothing fails.
    private func perform(_ commands: [RedisCommand]) throws(JobStreamError) -> Bool {
        let replies = try send([RedisCommand("MULTI")] + commands + [RedisCommand("EXEC")])
        // Done, and not to be repeated, also if a list of results turned out to be something else.
        if replies.last?.array != nil { return true }
        let errors = replies.compactMap { if case .error(let text) = $0 { text } else { nil } }
        if errors.contains(where: { $0.hasPrefix("OOM") }) { return false }
        if let error = errors.first { throw .redis(.refused(error)) }
        return true
    }

    /// One command for all jobs wherever Redis has one, since a command costs more than an argument.
    private func commandsToRemove(_ jobs: [Finished]) -> [RedisCommand] {
        let ids = jobs.map { RedisArgument.text($0.delivery.id) }
        return [
            RedisCommand("XACK", [.text(names.work), .text(names.group)] + ids),
            RedisCommand("XDEL", [.text(names.work)] + ids),
        ]
    }

    /// Without memory a dead job stays pending. Without the group all jobs are gone.
    private func deadLetter(_ job: Finished, by consumer: String) throws(JobStreamError) {
        do throws(JobStreamError) {
            _ = try call(commandToBury(job, by: consumer))
        } catch .redis(.refused(let text)) where text.contains("OOM") || text.contains("NOGROUP") {}
    }

    private func commandToBury(_ job: Finished, by consumer: String) -> RedisCommand {
        let run = (try? job.delivery.job.get())?.run ?? ""
        let reason: [RedisArgument] = [
            "code", .text(job.result.code ?? JobResult.workerLost), "message", .text(job.result.message), "deliveries",
            .number(job.delivery.deliveries), "worker", .text(consumer), "entry", .text(job.delivery.id),
        ]
        return RedisCommand(
            "EVAL",
            [
                .text(StreamScript.deadLetter), 3, .text(names.work), .text(names.dead), .text(names.results(run)),
                .number(options.mostDead), .text(names.group), .text(consumer), .text(job.delivery.id),
                .text(run.isEmpty ? "" : job.result.text), .number(options.resultLife),
            ] + job.delivery.fields.map { .bytes($0) } + reason)
    }

    func commandsToReport(_ jobs: [Finished]) -> [RedisCommand] {
        var runs: [String] = []
        var texts: [String: [RedisArgument]] = [:]
        for job in jobs {
            guard case .success(let found) = job.delivery.job, !found.run.isEmpty else { continue }
            if texts[found.run] == nil { runs.append(found.run) }
            texts[found.run, default: []].append(.text(job.result.text))
        }
        return runs.flatMap { run in
            let results = RedisArgument.text(names.results(run))
            return [
                RedisCommand("RPUSH", [results] + (texts[run] ?? [])),
                RedisCommand("EXPIRE", results, .number(options.resultLife)),
            ]
        }
    }
}
