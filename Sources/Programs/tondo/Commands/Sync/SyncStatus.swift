import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoConfiguration
import TondoMirror

/// `tondo sync status`
struct SyncStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows when each mirror was last synchronised.",
        discussion: """
            EXAMPLES
              tondo sync status              all sources
              tondo sync status work --json  one of them, as JSON

            Reads the records of the mirrors; no server is asked. JSON has, for each source, its name, the folder of its \
            cards, the contacts whose changes wait for the server, and the record of its last run, with 'age' in seconds.

            \(ExitStatusText.lines([
                (0, "all sources were synchronised by their last run"), (1, "at least one was not"), (64, "wrong usage"),
                (ExitCode.misconfigured.rawValue, "errors in the configuration"),
                (ExitCode.readerGone.rawValue, ExitStatusText.readerGone),
            ]))
            """)

    @Argument(help: ArgumentHelp("Names of sources (default: all).", valueName: "name"))
    var names: [String] = []

    @OptionGroup var file: SettingsFileOption

    @Flag(help: "Print one JSON object.")
    var json = false

    /// The status of all sources, for `--json`.
    struct Report: Encodable {
        struct Source: Encodable {
            let name: String
            let kind: String
            let cards: String
            let age: Int?
            /// Contacts that were changed in the mirror and not at the server; those of the last run with its reason.
            let waiting: [MirrorStatus.Change]?
            let status: MirrorStatus?

            /// Reads the records of the mirror. `folder`: of all mirrors.
            init(_ source: SyncSource, in folder: FilePath, now: Date) {
                let layout = MirrorLayout(name: source.name, in: folder)
                name = source.name
                kind = source.kind.rawValue
                cards = layout.cards.string
                status = MirrorStatus.read(layout)
                age = status?.age(now: Int(now.timeIntervalSince1970))
                let known = Dictionary(
                    (status?.waiting ?? []).map { ($0.id ?? "", $0) }, uniquingKeysWith: { first, _ in first })
                let pending = PendingChanges(layout)
                let changes =
                    pending.unreadable()
                    + pending.notes().map { note in
                        let new = MirrorStatus.Change(
                            name: note.name, code: "new", reason: "the next run sends it", id: note.id)
                        return known[note.id] ?? new
                    }
                waiting = changes.isEmpty ? nil : changes
            }
        }

        let sources: [Source]
    }

    func run() throws {
        StandardStreams.prepare()
        let setup = try SyncSetup(file.config)
        let now = Date()
        let report = Report(
            sources: try setup.sources(named: names).map { Report.Source($0, in: setup.folder, now: now) })
        if json {
            try StandardOutput.write(report: report)
        } else {
            try StandardOutput.write(Self.text(of: report, now: now, width: StandardStreams.outputColumns))
        }
        if report.sources.contains(where: { $0.age == nil || $0.status?.isComplete != true }) { throw ExitCode.failure }
    }

    static func text(of report: Report, now: Date, width: Int?) -> String {
        var block = KeyValueBlock()
        for source in report.sources { block.add(source.name, values: lines(of: source, now: now)) }
        return block.text(width: width)
    }

    private static func lines(of source: Report.Source, now: Date) -> [String] {
        guard let status = source.status else { return ["never synchronised"] }
        func moment(_ seconds: Int) -> String { Moment.text(Date(timeIntervalSince1970: Double(seconds)), now: now) }
        var lines = [
            "\(Quantities.count(status.contacts)) \(status.contacts == 1 ? "contact" : "contacts"), "
                + (status.lastSuccess.map { "synchronised \(moment($0))" } ?? "never synchronised")
        ]
        if let error = status.error { lines.append("failed \(moment(status.lastRun)): \(error.message)") }
        if status.withheld > 0 { lines.append("\(status.withheld) deletions wait for a second run") }
        if !status.isComplete, status.failed > 0 {
            lines.append(status.failed == 1 ? "1 listed card is missing" : "\(status.failed) listed cards are missing")
            lines += (status.missing ?? []).map { "  \(Terminal.printable($0.text))" }
            if let named = status.missing?.count, named < status.failed { lines.append("  ...") }
        }
        return lines + Self.changes(of: source, status) + [source.cards]
    }

    /// Changes that were made in the mirror, and are not at its server.
    private static func changes(of source: Report.Source, _ status: MirrorStatus) -> [String] {
        var lines: [String] = []
        if let waiting = source.waiting {
            let count = Quantities.counted(waiting.count, of: "change")
            lines.append("\(count) for the server \(waiting.count == 1 ? "waits" : "wait")")
            lines += waiting.prefix(MirrorStatus.Change.most).map { "  \(Terminal.printable($0.name)): \($0.reason)" }
            if waiting.count > MirrorStatus.Change.most { lines.append("  ...") }
        }
        guard let refused = status.refused else { return lines }
        lines.append("changes that are not at the server; what they made is in the trash of the mirror:")
        return lines
            + refused.map { change in
                let rest = change.isKept == false ? ", and the contact is back" : ""
                return "  \(Terminal.printable(change.name)): \(change.reason)\(rest)"
            }
    }
}
