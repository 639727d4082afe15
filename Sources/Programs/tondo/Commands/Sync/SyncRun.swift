import ArgumentParser
import Glibc
import SystemPackage
import TondoConfiguration
import TondoMirror
import TondoText

/// `tondo sync run`, and `tondo sync` without a command.
struct SyncRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Fetches what changed.",
        discussion: """
            EXAMPLES
              tondo sync                     all sources
              tondo sync work --dry-run      show what would change in one
              tondo sync --interval 15m      again and again, until Ctrl-C

            Without names, all sources of the configuration. A source that failed is not asked again before its back-off \
            is over (from one minute to one hour; as long as the server demands; after a refused password, until the user \
            or the password changes), unless it is named or a terminal shows the result. The program tondo-sync does the work: the one that $TONDO_SYNC \
            names, else the one beside tondo.

            \(Sync.exitStatus)
            """)

    @Argument(help: ArgumentHelp("Names of sources (default: all).", valueName: "name"))
    var names: [String] = []

    @Flag(help: "Run once (the default).")
    var once = false

    @Option(help: ArgumentHelp("Run again and again, with this pause: 15m, 2h.", valueName: "time"))
    var interval: Age?

    @Flag(help: "Show what would change, and write nothing.")
    var dryRun = false

    @Flag(help: "Carry out deletions that would wait for a second run.")
    var allowDelete = false

    @OptionGroup var file: SettingsFileOption

    @Flag(help: "Print one JSON object per source and run.")
    var json = false

    func validate() throws {
        if once, interval != nil { throw ValidationError("--once and --interval exclude each other.") }
        if let interval, !(60...604_800).contains(interval.seconds) {
            throw ValidationError("--interval must be one minute to one week.")
        }
    }

    func run() throws {
        StandardStreams.prepare()
        let setup = try SyncSetup(file.config)
        var order = SyncOrder(action: .run, sources: try setup.sources(named: names), folder: setup.folder)
        order.books = setup.configuration.books.value.map(\.string)
        order.isManual = !names.isEmpty || isatty(STDOUT_FILENO) == 1
        order.interval = interval?.seconds
        order.isDry = dryRun
        order.isJSON = json
        order.allowsDeletion = allowDelete
        try SyncExecution.execute(order)
    }
}

/// The configuration of `tondo sync`.
struct SyncSetup {
    let configuration: ServiceConfiguration
    let folder: FilePath
    let file: String?

    /// Ends the command after reporting errors.
    init(_ path: String?) throws {
        let reading = ConfigurationSource(file: path).read()
        // The service's own problems are those of the service.
        SettingsReview(reading: reading).reportProblems()
        if !reading.problems.isEmpty { throw ExitCode.misconfigured }
        configuration = reading.configuration
        file = reading.file ?? path
        guard let folder = configuration.syncFolder.value ?? configuration.standardSyncFolder else {
            Terminal.reportError("no folder for the mirrors: set sync-dir, or the variable HOME")
            throw ExitCode.misconfigured
        }
        self.folder = folder
    }

    func sources(named names: [String]) throws -> [SyncSource] {
        let all = configuration.syncSources
        if all.isEmpty {
            Terminal.reportError("there are no sources: 'tondo sync add NAME URL --user USER' adds one")
            throw ExitCode.misconfigured
        }
        for name in names where !all.contains(where: { $0.name == name }) {
            let near = EditDistance.nearest(to: name, among: all.map(\.name)).first.map { "; did you mean '\($0)'?" }
            Terminal.reportError("\(Terminal.printable(name)): no such source\(near ?? "")")
            throw ExitCode.validationFailure
        }
        return names.isEmpty ? all : all.filter { names.contains($0.name) }
    }
}
