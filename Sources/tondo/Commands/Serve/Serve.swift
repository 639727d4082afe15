import ArgumentParser
import Dispatch
import Glibc
import NIOCore
import Synchronization
import SystemPackage
import TondoJobs
import TondoServer
import TondoSettings

/// `tondo serve`: address books in, faces out over HTTP.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves the faces of address books over HTTP.",
        discussion: """
            EXAMPLES
              tondo serve ~/.contacts                       a page of faces on http://127.0.0.1:7380/
              tondo serve book.vcf --socket /run/tondo.sock --listen :8080 --host faces.example.org
              tondo serve                                   books and all else from the settings

            SETTINGS
              Flags override variables (TONDO_BOOKS, TONDO_LISTEN ...), these override the file, and this what is built \
            in; 'tondo config show' tells each value and where it comes from. SIGHUP reads them again: books, styles, \
            names, limits, token, public and log level change without a connection being dropped; listeners, the \
            cache's folder and the numbers of jobs and events with the next start.

            SERVICE
              Takes sockets from systemd, which replace those of --listen and of listen in the settings, tells it \
            READY=1 once everything listens and every book is counted, and gives the watchdog its signs of life. SIGTERM \
            and Ctrl-C finish what is being drawn.

            \(ExitStatusText.text(
                [
                    0: "ended by a signal", ExitCode.unavailable.rawValue: "it cannot listen",
                    ExitCode.fewDescriptors.rawValue: "too few files may be open",
                    ExitCode.misconfigured.rawValue: "something is wrong with the settings file or a variable, or a socket they ask for is forbidden",
                ], noInput: "the cache's folder holds something else", isEndedByReader: false))
            """)

    @Argument(help: ArgumentHelp("Folders of vCards, or book files.", valueName: "book"), completion: .file())
    var books: [String] = []

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Where to listen (default: 127.0.0.1:7380); may be given several times. Port 0 is one that is free.",
            valueName: "host:port"))
    var listen: [String] = []

    @Option(help: ArgumentHelp("A Unix socket to listen on, too.", valueName: "path"), completion: .file())
    var socket: String?

    @OptionGroup var file: SettingsFileOption

    @Option(help: ArgumentHelp("The cache's folder.", valueName: "folder"), completion: .directory)
    var cacheDir: String?

    @Option(
        help: ArgumentHelp(
            "Bytes beyond which the cache drops what was used least recently, such as 500MB (default: 1GiB).",
            valueName: "bytes"))
    var cacheMaxSize: String?

    @Option(help: "Photos drawn at the same time (default: the cores).")
    var jobs: String?

    @Option(
        help: ArgumentHelp("The secret that lets programs change something; made if none is named.", valueName: "path"),
        completion: .file())
    var tokenFile: String?

    @Option(
        name: .customLong("host"), parsing: .singleValue,
        help: ArgumentHelp("A name the service is called by besides localhost; several times.", valueName: "name"))
    var hosts: [String] = []

    @Option(
        name: .customLong("public"), parsing: .singleValue,
        help: ArgumentHelp(
            "What is seen from beyond this machine without the token: \(ServiceArea.list); several times.",
            valueName: "area"))
    var openAreas: [String] = []

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel: String?

    @Flag(help: "Print where the service listens as one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        Allocator.leaveNoHoles()
        Allocator.shareMemory()
        let source = source
        let (plan, inherited) = (try plan(source), try inheritedSockets(source.environment))
        let jobs = plan.jobs > 0 ? plan.jobs : Processors.available
        try DescriptorLimit.require(DescriptorLimit.serviceBase, jobs: jobs)
        let parts = try ServiceParts(plan, environment: source.environment)
        let run: ServiceRun
        do {
            run = try ServiceRun(source, plan, parts, inherited) { ListenText($0).tell(isJSON: json, parts.log) }
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode.misconfigured
        }
        try Self.wait { try await run.run() }
    }

    private var source: SettingsSource {
        var source = SettingsSource(file: file.config)
        let flags: [(SettingKey, String?)] = [
            (.socket, socket), (.cacheFolder, cacheDir), (.cacheSize, cacheMaxSize), (.jobs, jobs),
            (.tokenFile, tokenFile), (.logLevel, logLevel),
        ]
        source.flags = flags.compactMap { key, value in value.map { (key, $0) } }
        source.lists = [(.books, books), (.listen, listen), (.hosts, hosts), (.openAreas, openAreas)].filter {
            !$0.1.isEmpty
        }
        return source
    }

    private func plan(_ source: SettingsSource) throws -> ServicePlan {
        let reading = source.read()
        for name in reading.unknown { Terminal.complain("warning: $\(name): there is no such setting") }
        for problem in reading.settings.obsolete { Terminal.complain("warning: \(problem)") }
        let (plan, problems) = Reloading.read(source)
        for problem in problems { Terminal.complain("\(problem)") }
        if problems.contains(where: \.isUsage) { throw ExitCode.validationFailure }
        if !problems.isEmpty { throw ExitCode.misconfigured }
        return plan
    }

    private func inheritedSockets(_ environment: [String: String]) throws -> InheritedSockets {
        do { return try InheritedSockets(environment: environment, process: getpid()) } catch {
            Terminal.complain("\(error)")
            throw ExitCode.unavailable
        }
    }

    /// Runs `body` on other threads and blocks this one, so that no command pays for what only this one needs.
    private static func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let shared = SharedFailure()
        Task {
            do { try await body() } catch { shared.error.withLock { $0 = error } }
            done.signal()
        }
        done.wait()
        guard let error = shared.error.withLock({ $0 }) else { return }
        Terminal.complain("\(error)")
        throw exitCode(of: error)
    }
}

extension Serve {
    /// 78 for what starting again does not change: the unit does not restart the service then.
    static func exitCode(of error: any Error) -> ExitCode {
        guard let error = error as? ListenError else { return .failure }
        return error.isConfiguration ? .misconfigured : .unavailable
    }
}

extension SettingsProblem {
    /// An option is wrong, not what it overrides.
    fileprivate var isUsage: Bool { if case .flag = origin { true } else { false } }
}

private final class SharedFailure: Sendable {
    let error = Mutex<(any Error)?>(nil)
}

/// Statuses of sysexits(3).
extension ExitCode {
    /// The service cannot be, or cannot be reached (EX_UNAVAILABLE).
    static let unavailable = ExitCode(69)
    /// Something is wrong with the settings (EX_CONFIG).
    static let misconfigured = ExitCode(78)
}
