import ArgumentParser
import Dispatch
import Glibc
import NIOCore
import Synchronization
import SystemPackage
import TondoJobs
import TondoServer
import TondoSettings

/// `tondo serve`: address books in, avatars out over HTTP.
struct Serve: ParsableCommand {
    /// Known without the texts of the configuration, for the start of the process.
    static let name = "serve"

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Serves the avatars of address books over HTTP.",
        discussion: """
            EXAMPLES
              tondo serve ~/.contacts                       a page of avatars on http://127.0.0.1:7380/
              tondo serve book.vcf --socket /run/tondo.sock --listen :8080 --host example.org
              tondo serve                                   books and options from the configuration

            CONFIGURATION
            Flags override environment variables (TONDO_BOOKS, TONDO_LISTEN ...), variables override the file, and the file \
            overrides the defaults; 'tondo config show' prints each value with its origin. SIGHUP reloads the configuration: \
            books, styles, host names, limits, token, public and log level change without a dropped connection; listeners, \
            the cache folder and the numbers of jobs and events change at the next start.

            SERVICE
            Sockets from systemd replace those of --listen and of listen in the configuration. The service sends READY=1 once \
            it listens and every book is counted, and keeps the watchdog alive. SIGTERM and Ctrl-C finish the running jobs.

            \(ExitStatusText.text(
                [
                    0: "ended by a signal", ExitCode.unavailable.rawValue: "the service cannot listen",
                    ExitCode.fewDescriptors.rawValue: "the limit of open files is too low",
                    ExitCode.misconfigured.rawValue: "an error in the configuration, or a forbidden socket in it",
                ], noInput: "the cache folder holds other files", isEndedByReader: false))
            """)

    @Argument(help: ArgumentHelp("Folders of vCards, or book files.", valueName: "book"), completion: .file())
    var books: [String] = []

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "The address to listen on (default: 127.0.0.1:7380); repeatable. Port 0 takes a free port.",
            valueName: "host:port"))
    var listen: [String] = []

    @Option(help: ArgumentHelp("A Unix socket to listen on, in addition.", valueName: "path"), completion: .file())
    var socket: String?

    @OptionGroup var file: SettingsFileOption

    @Option(help: ArgumentHelp("The cache folder.", valueName: "folder"), completion: .directory)
    var cacheDir: String?

    @Option(
        help: ArgumentHelp(
            "Size above which the cache evicts the least recently used entries, such as 500MB (default: 1GiB).",
            valueName: "bytes"))
    var cacheMaxSize: String?

    @Option(help: "Number of photos drawn in parallel (default: the number of cores).")
    var jobs: String?

    @Option(
        help: ArgumentHelp(
            "The file with the access token for requests that change data; created by default.", valueName: "path"),
        completion: .file())
    var tokenFile: String?

    @Option(
        name: .customLong("host"), parsing: .singleValue,
        help: ArgumentHelp("A host name of the service besides localhost; repeatable.", valueName: "name"))
    var hosts: [String] = []

    @Option(
        name: .customLong("public"), parsing: .singleValue,
        help: ArgumentHelp(
            "Areas that other machines can read without the token: \(ServiceArea.list); repeatable.",
            valueName: "area"),
        completion: .list(ServiceArea.allCases.map(\.rawValue)))
    var openAreas: [String] = []

    @Option(
        help: ArgumentHelp("Log level: \(SettingKey.logLevel.choices.joined(separator: ", ")).", valueName: "level"),
        completion: .list(SettingKey.logLevel.choices))
    var logLevel: String?

    @Flag(help: "Print the addresses of the service as one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        Allocator.configureForService()
        Allocator.shareMemory()
        let source = source
        let (serviceConfiguration, inherited) = (
            try serviceConfiguration(source), try inheritedSockets(source.environment)
        )
        let jobs = serviceConfiguration.jobs > 0 ? serviceConfiguration.jobs : Processors.available
        try DescriptorLimit.require(DescriptorLimit.serviceBase, jobs: jobs)
        let components = try ServiceComponents(serviceConfiguration, environment: source.environment)
        let run: ServiceRun
        do {
            run = try ServiceRun(source, serviceConfiguration, components, inherited) {
                ListenText($0).report(isJSON: json, components.log)
            }
        } catch {
            Terminal.reportError("\(error)")
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

    private func serviceConfiguration(_ source: SettingsSource) throws -> ServiceConfiguration {
        let reading = source.read()
        for name in reading.unknown { Terminal.reportError("warning: $\(name): unknown setting") }
        for problem in reading.settings.obsolete { Terminal.reportError("warning: \(problem)") }
        let (serviceConfiguration, problems) = Reloading.read(source)
        for problem in problems { Terminal.reportError("\(problem)") }
        if problems.contains(where: \.isUsage) { throw ExitCode.validationFailure }
        if !problems.isEmpty { throw ExitCode.misconfigured }
        return serviceConfiguration
    }

    private func inheritedSockets(_ environment: [String: String]) throws -> InheritedSockets {
        do { return try InheritedSockets(environment: environment, process: getpid()) } catch {
            Terminal.reportError("\(error)")
            throw ExitCode.unavailable
        }
    }

    /// Runs `body` on other threads and blocks this one, so that the other commands do not pay for concurrency.
    private static func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let shared = SharedFailure()
        Task {
            do { try await body() } catch { shared.error.withLock { $0 = error } }
            done.signal()
        }
        done.wait()
        guard let error = shared.error.withLock({ $0 }) else { return }
        Terminal.reportError("\(error)")
        throw exitCode(of: error)
    }
}

extension Serve {
    /// 78 for errors that a restart does not fix: systemd does not restart the service then.
    static func exitCode(of error: any Error) -> ExitCode {
        guard let error = error as? ListenError else { return .failure }
        return error.isConfiguration ? .misconfigured : .unavailable
    }
}

extension SettingsProblem {
    /// The option itself is wrong, not a setting it overrides.
    fileprivate var isUsage: Bool { if case .flag = origin { true } else { false } }
}

private final class SharedFailure: Sendable {
    let error = Mutex<(any Error)?>(nil)
}

/// Statuses of sysexits(3).
extension ExitCode {
    /// The service cannot listen, or cannot be reached (EX_UNAVAILABLE).
    static let unavailable = ExitCode(69)
    /// An error in the configuration (EX_CONFIG).
    static let misconfigured = ExitCode(78)
}
