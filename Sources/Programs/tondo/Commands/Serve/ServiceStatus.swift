import ArgumentParser
import FoundationEssentials
import TondoAvatars
import TondoCache
import TondoJobs
import TondoRender
import TondoServer

/// `tondo status`
struct ServiceStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the state of a running service.",
        discussion: """
            EXAMPLES
              tondo status                                    of the configured service
              tondo status --url http://127.0.0.1:7380/       of another one
              tondo status --socket /run/tondo.sock --json    as JSON

            Shows whether the books are loaded, the running and queued jobs, and the size of the cache, from /readyz, /v1/jobs \
            and /v1/cache. Without --socket or --url, the address comes from the configuration.

            \(ServiceStatus.exitStatus([0: "the service is ready", 1: "the service runs, but is not ready"]))
            """)

    static func exitStatus(_ own: KeyValuePairs<Int32, String>) -> String {
        ExitStatusText.lines(
            own.map { ($0.key, $0.value) } + [
                (64, "wrong usage"), (ExitCode.unavailable.rawValue, "no service, or no response from it"),
                (ExitCode.readerGone.rawValue, ExitStatusText.readerGone),
            ])
    }

    @OptionGroup var location: ServiceLocation

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var color: ColorOption

    func run() throws {
        StandardStreams.prepare()
        let address = location.address
        let report = try ServiceLocation.reporting(address) { () throws(ClientError) in
            try StatusReport(client: ServiceClient(address: address))
        }
        if json {
            try StandardOutput.write(report: report)
        } else {
            try StandardOutput.write(report.text(width: StandardStreams.outputColumns, paint: color.paint))
        }
        if !report.ready { throw ExitCode.failure }
    }
}

/// The reports of a service about itself. One that this version does not understand is absent.
struct StatusReport: Codable {
    let address: String
    let ready: Bool
    /// The service is ready, but some of its books are unreadable.
    let degraded: Bool
    let contacts: Int?
    /// The progress of each book.
    let books: [ReadinessReport.Book]?
    /// Absent without any.
    let mirrors: [ReadinessReport.Mirror]?
    let jobs: JobsReport?
    let cache: CacheReport?
    /// Absent without a shared tier.
    let shared: SharedTierReport?
    /// Absent without a work queue.
    let queue: WorkQueueReport?

    init(client: ServiceClient) throws(ClientError) {
        address = client.address.description
        let response = try client.get("/readyz")
        ready = response.status == 200
        let readiness = Self.decode(ReadinessReport.self, from: response.body)
        degraded = readiness?.degraded == true
        contacts = readiness?.contacts
        books = readiness?.books
        mirrors = readiness?.mirrors
        shared = readiness?.shared
        queue = readiness?.queue
        jobs = try Self.report(from: client, path: "/v1/jobs")
        cache = try Self.report(from: client, path: "/v1/cache")
    }

    /// `paint`: of whether the service is ready.
    func text(width: Int?, paint: Paint = .none) -> String {
        let tone: Paint.Tone = !ready ? .bad : degraded ? .poor : .good
        let lines = block.text(width: width).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            guard line.hasPrefix("ready "), let start = line.dropFirst(6).firstIndex(where: { $0 != " " }) else {
                return String(line)
            }
            return line[..<start] + paint(line[start...], tone)
        }.joined(separator: "\n")
    }

    private var block: KeyValueBlock {
        var block = KeyValueBlock()
        block.add("service", value: address)
        block.add("ready", value: ready ? degraded ? "yes, but parts of its books are unreadable" : "yes" : "no")
        block.add("contacts", value: contacts.map(String.init))
        if let books { block.add("books", values: books.map(Self.text)) }
        if let mirrors { block.add("mirrors", values: mirrors.map(Self.text)) }
        block.add("jobs", value: jobs.map { Self.text(of: $0.states + $0.ends) ?? "none yet" })
        block.add("sandbox", value: jobs?.decoder.map(Self.text))
        block.add("cache", value: cache.map { Self.text(of: Self.counts($0)) ?? "empty" })
        block.add("shared", value: shared.map(Self.text))
        block.add("queue", value: queue.map(Self.text))
        return block
    }

    private static func text(of shared: SharedTierReport) -> String {
        let state = shared.breaker == "closed" ? "in use" : "not in use after errors"
        return [state, text(of: shared.totals)].compactMap(\.self).joined(separator: ", ")
    }

    private static func text(of queue: WorkQueueReport) -> String {
        guard let counts = queue.counts else { return "no answer from its Redis" }
        return "\(counts.waiting) waiting, \(counts.pending) pending, \(counts.dead) dead; workers: \(counts.workers), "
            + "claims: \(counts.claims)"
    }

    private static func text(of book: ReadinessReport.Book) -> String {
        let contacts = book.total.map { "\(book.people) of \($0)" } ?? "\(book.people)"
        let parts = [
            "book \(book.book)", "contacts \(contacts)", "avatars \(book.avatars ?? book.faces)",
            "failed \(book.failed)", "loaded \(book.loaded ? "yes" : "no")",
            book.problem.map { problem in
                "problem \(problem)" + (book.detail.map { " (\($0))" } ?? "")
            },
            book.unreadable.map { "unreadable \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private static func text(of mirror: ReadinessReport.Mirror) -> String {
        let parts = [
            mirror.name, mirror.contacts.map { "contacts \($0)" },
            mirror.age.map { "synchronised \(RelativeTime.text(Date(timeIntervalSinceNow: -Double($0)), now: Date()))" }
                ?? "never synchronised",
            mirror.withheld.map { "withheld deletions \($0)" }, mirror.problem.map { "problem \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private static func text(of decoder: JobsReport.Decoder) -> String {
        if decoder.sandbox != "on" { return "off: photos are decoded in the process of the service" }
        let ends = decoder.totals.dropFirst().filter { $0.count > 0 }.map { "\($0.name) \($0.count)" }
        let isWhole = decoder.landlock > 0 || decoder.started == 0
        var missing: [String] = []
        if decoder.heif == "missing" { missing.append("without HEIC and AVIF (install tondo-heif)") }
        if let problem = decoder.text.flatMap({ InitialsProgram(rawValue: $0) })?.problem {
            missing.append("without initials: \(problem)")
        }
        if let problem = decoder.faces.flatMap({ FaceModelFile.State(rawValue: $0) })?.problem {
            missing.append("without faces: \(problem)")
        }
        return ([isWhole ? "on" : "on, without Landlock, which the kernel lacks"] + missing + ends)
            .joined(separator: ", ")
    }

    private static func counts(_ cache: CacheReport) -> [(name: String, count: Int)] {
        [
            ("entries", cache.entries), ("bytes", cache.bytes), ("hits", cache.hits), ("misses", cache.misses),
            ("damaged", cache.damaged), ("evicted", cache.evicted), ("failures", cache.failures),
            ("failureBytes", cache.failureBytes), ("styles", cache.styles.count),
        ]
    }

    /// Without zeros; nil if nothing remains.
    private static func text(of counts: [(name: String, count: Int)]) -> String? {
        let shown = counts.filter { $0.count != 0 }
        return shown.isEmpty ? nil : shown.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
    }

    private static func report<Report: Decodable>(
        from client: ServiceClient, path: String
    ) throws(ClientError) -> Report? {
        let response = try client.get(path)
        return response.status == 200 ? decode(Report.self, from: response.body) : nil
    }

    private static func decode<Report: Decodable>(_ type: Report.Type, from body: [UInt8]) -> Report? {
        try? JSONDecoder().decode(type, from: Data(body))
    }
}
