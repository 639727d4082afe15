import ArgumentParser
import FoundationEssentials
import TondoFleet

/// `tondo jobs ls`
struct JobsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the pending and the dead jobs, one per line.",
        discussion: """
            EXAMPLES
              tondo jobs ls                   the pending and the dead jobs
              tondo jobs ls --limit 5 --json  one JSON object per job

            The first line counts all jobs. With --json the first object has the counts, and each further one a job.

            \(Jobs.exitStatus)
            """)

    @OptionGroup var location: JobsLocation

    @Option(help: ArgumentHelp("Maximum number of jobs of each kind.", valueName: "count"))
    var limit = 100

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var color: ColorOption

    func validate() throws {
        if !(1...100_000).contains(limit) { throw ValidationError("--limit \(limit): must be 1...100000.") }
    }

    func run() throws {
        StandardStreams.prepare()
        let (counts, pending, dead) = try location.with { stream throws(JobStreamError) in
            (try stream.counts(), try stream.pending(limit), try stream.dead(limit))
        }
        let jobs = pending.map { JobReport($0) } + dead.map { JobReport($0) }
        if json {
            try StandardOutput.write(report: JobCountsReport(counts))
            for job in jobs { try StandardOutput.write(report: job) }
            return
        }
        try StandardOutput.write(JobCountsReport(counts).text + "\n")
        if jobs.isEmpty { return }
        try StandardOutput.write(table(of: jobs, now: Date()), color.paint)
        if counts.pending > pending.count || counts.dead > dead.count {
            Terminal.write("more jobs exist; --limit lists more\n")
        }
    }

    private func table(of jobs: [JobReport], now: Date) -> Table {
        var table = Table(columns: [
            .init(title: "ID"), .init(title: "STATE"), .init(title: "TRIES", alignment: .right, dispensability: 2),
            .init(title: "WORKER", isFlexible: true, dispensability: 3), .init(title: "SINCE", dispensability: 1),
            .init(title: "CONTACT", isFlexible: true), .init(title: "REASON", isFlexible: true),
        ])
        for job in jobs {
            let time = Date(timeIntervalSince1970: Double(job.since) / 1_000)
            table.add([
                job.id, job.state, String(job.deliveries), job.worker, RelativeTime.text(time, now: now),
                job.contact ?? "", job.message ?? job.code ?? "",
            ])
        }
        return table
    }
}

/// The first line of `tondo jobs ls`.
struct JobCountsReport: Encodable {
    var event = "counts"
    var waiting: Int
    var pending: Int
    var dead: Int
    var workers: Int
    /// Jobs that were taken over from lost workers.
    var claims: Int

    init(_ counts: JobStream.Counts) {
        waiting = counts.waiting
        pending = counts.pending
        dead = counts.dead
        workers = counts.workers
        claims = counts.claims
    }

    var text: String { "\(waiting) waiting, \(pending) pending, \(dead) dead; workers: \(workers), claims: \(claims)" }
}

/// A line of `tondo jobs ls --json`.
struct JobReport: Encodable {
    var event = "job"
    var id: String
    /// `pending` or `dead`.
    var state: String
    var deliveries: Int
    var worker: String
    /// When it was delivered last, or died. Milliseconds since 1970.
    var since: Int
    var contact: String?
    var digest: String?
    var code: String?
    var message: String?

    init(_ job: JobStream.Pending) {
        id = job.id
        state = "pending"
        deliveries = job.deliveries
        worker = job.worker
        since = Int(Date().timeIntervalSince1970 * 1_000) - Int(job.idle / .milliseconds(1))
        contact = job.job?.contact
        digest = job.job?.digest
    }

    init(_ job: JobStream.Dead) {
        id = job.id
        state = "dead"
        deliveries = job.deliveries
        worker = job.worker
        since = job.time
        contact = job.job?.contact
        digest = job.job?.digest
        code = job.code
        message = job.message
    }
}
