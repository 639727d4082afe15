import ArgumentParser
import TondoFleet

/// `tondo jobs`: the jobs of a work queue that do not end by themselves.
struct Jobs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Inspects the jobs of a work queue in Redis.",
        discussion: """
            EXAMPLES
              tondo jobs ls                          the running and the dead jobs
              tondo jobs retry --all                 publish all dead jobs again
              tondo jobs drop 1764021600000-3        delete one

            A job is pending while a worker draws it. One whose workers ended three times, or whose photo failed three times \
            for a reason that may pass, is dead: it is not drawn any more, and kept until it is retried or dropped.

            \(Jobs.exitStatus)
            """, subcommands: [JobsList.self, JobsRetry.self, JobsDrop.self])

    static let exitStatus = ExitStatusText.lines([
        (0, "done"), (1, "retry, drop: no job has this id"), (64, "wrong usage"),
        (ExitCode.unavailable.rawValue, "the Redis of the queue does not answer, or the queue is full"),
        (ExitCode.misconfigured.rawValue, "an error in the configuration, or no work queue in it"),
        (ExitCode.readerGone.rawValue, ExitStatusText.readerGone),
    ])
}

/// The work queue of the configuration.
struct JobsLocation: ParsableArguments {
    @OptionGroup var fleet: FleetOptions
    @OptionGroup var shared: SharedOptions

    /// Calls `body` with the stream, or ends the command with the reason.
    func with<Result>(_ body: (JobStream) throws(JobStreamError) -> Result) throws -> Result {
        let addresses = try FleetAddresses(try fleet.configuration(shared))
        return try addresses.reporting { () throws(JobStreamError) in try body(addresses.stream) }
    }
}

/// Jobs by their ids, or all dead ones.
struct JobSelection: ParsableArguments {
    @Argument(help: ArgumentHelp("Ids of jobs, as 'tondo jobs ls' shows them.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "All dead jobs.")
    var all = false

    func validate() throws {
        if ids.isEmpty != all { throw ValidationError("Name the ids of jobs, or --all.") }
        for id in ids where !Self.isID(id) { throw ValidationError("\(id): no id of a job.") }
    }

    private static func isID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { UInt64($0) != nil }
    }

    /// Calls `body` for each job; false: there is none with this id. Returns the ids without a job, and the number of the others.
    func forEach(
        _ stream: JobStream, body: (String) throws(JobStreamError) -> Bool
    ) throws(JobStreamError) -> (missing: [String], done: Int) {
        var (missing, done): ([String], Int) = ([], 0)
        for id in ids { if try body(id) { done += 1 } else { missing.append(id) } }
        guard all else { return (missing, done) }
        // Those that die again meanwhile are behind the last one.
        guard let last = try stream.lastDead() else { return (missing, done) }
        var after: String?
        // In pages: there may be more dead jobs than fit into one reply.
        while true {
            let dead = try stream.dead(1_000, after: after, upTo: last).map(\.id)
            if dead.isEmpty { return (missing, done) }
            for id in dead where try body(id) { done += 1 }
            after = dead.last
        }
    }

    /// Prints what was done, and fails if an id was unknown.
    func report(_ verb: String, found: (missing: [String], done: Int), isJSON: Bool) throws {
        for id in found.missing { Terminal.reportError("\(id): no such job") }
        if isJSON {
            try StandardOutput.write(report: Report(action: verb, jobs: found.done, missing: found.missing))
        } else {
            try StandardOutput.write("\(found.done) \(found.done == 1 ? "job" : "jobs") \(verb)\n")
        }
        if !found.missing.isEmpty { throw ExitCode.failure }
    }

    private struct Report: Encodable {
        var action: String
        var jobs: Int
        var missing: [String]
    }
}

/// What `tondo jobs retry` and `tondo jobs drop` have in common.
struct JobChange: ParsableArguments {
    @OptionGroup var selection: JobSelection
    @OptionGroup var location: JobsLocation

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Calls `body` for each selected job. `verb`: what was done.
    func run(_ verb: String, body: (JobStream, String) throws(JobStreamError) -> Bool) throws {
        StandardStreams.prepare()
        let found = try location.with { stream throws(JobStreamError) in
            try selection.forEach(stream) { id throws(JobStreamError) in try body(stream, id) }
        }
        try selection.report(verb, found: found, isJSON: json)
    }
}

/// `tondo jobs retry`
struct JobsRetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Publishes dead jobs again.",
        discussion: """
            EXAMPLES
              tondo jobs retry --all                 all dead jobs
              tondo jobs retry 1764021600000-3       one

            \(Jobs.exitStatus)
            """)

    @OptionGroup var change: JobChange

    func run() throws {
        try change.run("retried") { stream, id throws(JobStreamError) in try stream.retry(id) }
    }
}

/// `tondo jobs drop`
struct JobsDrop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Deletes jobs: dead, waiting or pending ones.",
        discussion: """
            EXAMPLES
              tondo jobs drop 1764021600000-3        one of 'tondo jobs ls'

            \(Jobs.exitStatus)
            """)

    @OptionGroup var change: JobChange

    func run() throws {
        try change.run("dropped") { stream, id throws(JobStreamError) in try stream.drop(id) }
    }
}
