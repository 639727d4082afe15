import ArgumentParser
import Dispatch
import Glibc
import Logging
import NIOCore
import Synchronization
import TondoConfiguration
import TondoJobs
import TondoServer

/// `tondo serve`: address books in, avatars out over HTTP.
struct Serve: ParsableCommand {
    /// Known without the texts of the configuration, for the start of the process.
    static let name = "serve"

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Serves the avatars of address books over HTTP.",
        discussion: """
            EXAMPLES
              tondo serve ~/.contacts      a page of avatars on http://127.0.0.1:7380/
              tondo serve book.vcf --socket /run/tondo.sock --listen :80 --host example.org
              tondo serve                  books and options from the configuration
              tondo serve book.vcf --phone prints a code that opens the page on a phone

            CONFIGURATION
            Flags override environment variables (TONDO_BOOKS, TONDO_LISTEN ...), variables override the file, and the file \
            overrides the defaults; 'tondo config show' prints each value with its origin. SIGHUP reloads the configuration: \
            books, styles, host names, limits, token, public and log level change without a dropped connection; listeners, \
            the cache folder and the numbers of jobs and events change at the next start.

            PHONES
            --phone listens on all networks, besides what is configured. Nothing is served there without a code, whatever \
            --public opens: a QR code of a link, printed here and by 'tondo open --phone', lets one phone in for twelve hours. \
            What it sees is not encrypted on its way.

            SERVICE
            Sockets from systemd replace those of --listen and of listen in the configuration. The service sends READY=1 once \
            it listens and every book is counted, and keeps the watchdog alive. SIGTERM and Ctrl-C finish the running jobs. Its \
            units have --wait-for-books: a book may be on a disk that is mounted later.

            \(ExitStatusText.text(
                [
                    0: "ended by a signal", ExitCode.unavailable.rawValue: "the service cannot listen",
                    ExitCode.fewDescriptors.rawValue: "the limit of open files is too low",
                    ExitCode.misconfigured.rawValue:
                        "an error in the configuration, a forbidden socket in it, or no confined process for decoding",
                ], noInput: "no address book can be read, or the cache folder holds other files", isEndedByReader: false))
            """)

    @Argument(help: ServiceConfiguration.builtIn.books.declaration.argumentHelp, completion: .file())
    var books: [String] = []

    @Flag(help: ServiceConfiguration.builtIn.waitsForBooks.declaration.argumentHelp) var waitForBooks = false
    @Option(\.listen) var listen: [String] = []
    @Option(\.socket, completion: .file()) var socket: String?
    @Flag(help: ServiceConfiguration.builtIn.isPhone.declaration.argumentHelp) var phone = false
    @Option(\.phonePort) var phonePort: String?
    @OptionGroup var file: SettingsFileOption
    @Option(\.cacheFolder, completion: .directory) var cacheDir: String?
    @Option(\.cacheSize) var cacheMaxSize: String?
    @Option(\.jobs) var jobs: String?
    @Option(\.sandbox) var sandbox: String?
    @Option(\.initials) var initials: String?
    @Option(\.tokenFile, completion: .file()) var tokenFile: String?
    @Option(\.hosts) var hosts: [String] = []
    @Option(\.openAreas) var openAreas: [String] = []
    @Option(\.logLevel) var logLevel: String?
    @OptionGroup var shared: SharedOptions
    @Option(\.sharedStreams) var sharedStreams: String?

    @Flag(help: "Print the addresses of the service as one JSON object.")
    var json = false

    func run() throws {
        // First of all: threads inherit which signals are blocked.
        guard EndSignals.start() else { throw TaskLimit.refusal(needed: ServiceTasks.least) }
        StandardStreams.prepare()
        Allocator.configureForService()
        Allocator.shareMemory()
        // By default as many as there are processors, also those that it may not use.
        NIOSingletons.groupLoopCountSuggestion = ServiceTasks.loops(Processors.available)
        let source = source
        var serviceConfiguration = try Self.configuration(source)
        let inherited = try inheritedSockets(source.environment)
        let tasks = try TaskLimit.adapt(&serviceConfiguration)
        try DescriptorLimit.require(DescriptorLimit.serviceBase, jobs: serviceConfiguration.workers)
        let components = try ServiceComponents(configuration: serviceConfiguration)
        if let tasks { components.logger.warning("\(tasks)") }
        let run: ServiceRun
        do {
            run = try ServiceRun(
                source: source, configuration: serviceConfiguration, components: components, inherited: inherited
            ) {
                let text = ListenText($0, phone: components.phone)
                text.report(isJSON: json, components.log)
                if !json { text.reportPhone(by: components) }
            }
        } catch {
            Terminal.reportError("\(error)")
            throw ExitCode.misconfigured
        }
        try Self.wait { try await run.run() }
    }

    private var source: ConfigurationSource {
        let settings = ServiceConfiguration.builtIn
        let flags = [
            settings.socket.flag(socket), settings.cacheFolder.flag(cacheDir), settings.cacheSize.flag(cacheMaxSize),
            settings.jobs.flag(jobs), settings.tokenFile.flag(tokenFile), settings.logLevel.flag(logLevel),
            settings.books.flag(books), settings.listen.flag(listen), settings.hosts.flag(hosts),
            settings.waitsForBooks.flag(waitForBooks ? "true" : nil),
            settings.isPhone.flag(phone ? "true" : nil), settings.phonePort.flag(phonePort),
            settings.openAreas.flag(openAreas), settings.sandbox.flag(sandbox), settings.initials.flag(initials),
        ]
        return ConfigurationSource(
            file: file.config,
            flags: (flags + shared.flags + [settings.sharedStreams.flag(sharedStreams)]).compactMap(\.self))
    }

    /// The valid configuration, or the end of the command with its problems.
    static func configuration(_ source: ConfigurationSource) throws -> ServiceConfiguration {
        let reading = source.read()
        SettingsReview(reading: reading).reportProblems()
        if reading.problems.contains(where: \.isUsage) { throw ExitCode.validationFailure }
        if !reading.problems.isEmpty { throw ExitCode.misconfigured }
        return reading.configuration
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
        if error is NoReadableBook { return .bookUnreadable }
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
