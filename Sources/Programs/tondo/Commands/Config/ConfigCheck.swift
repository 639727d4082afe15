import ArgumentParser
import TondoAvatars
import TondoConfiguration
import TondoImage
import TondoRender

/// `tondo config check`
struct ConfigCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Reports all errors in the configuration.",
        discussion: """
            EXAMPLES
              tondo config check                         the file that serve would read
              tondo config check --config tondo.toml     before it is installed

            Reads the file and the environment as 'tondo serve' does, and starts and ends one of each kind of the confined \
            processes that decode photos. Asks the Redis that instances share whether it serves this user, permits the commands \
            and keeps what it must keep. Prints nothing if there are no errors; warns if initials cannot be drawn or faces \
            cannot be found.
            """)

    @OptionGroup var file: SettingsFileOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var reading = ConfigurationSource(file: file.config).read()
        var warnings: [String] = []
        do throws(WorkerFailure) { warnings = try Self.testSandbox(reading.configuration) } catch {
            reading.problems.append(
                SettingsProblem(
                    origin: reading.configuration.sandbox.origin, reason: "sandbox is on, but there is \(error)"))
        }
        let shared = SharedConnection.check(reading.configuration)
        reading.problems = reading.problems + shared.problems
        warnings = warnings + shared.warnings
        let review = SettingsReview(reading: reading, warnings: warnings)
        if json { try StandardOutput.write(json: review.document(withValues: false)) } else { review.reportProblems() }
        if !review.reading.problems.isEmpty { throw ExitCode.misconfigured }
    }

    /// Throws if no confined process can be started. Returns what is missing.
    private static func testSandbox(_ configuration: ServiceConfiguration) throws(WorkerFailure) -> [String] {
        let workers = try configuration.sandbox.value.workers(limits: Limits(), slots: 1) {
            configuration.environment[$0]
        }
        guard let workers else { return [] }
        // A program that is not installed is no error: photos in its formats are refused by name.
        for kind in WorkerKind.allCases where kind != .standard && workers.isInstalled(kind) {
            try workers.prepare(kind)
        }
        let initials = configuration.initials
        let problem = initials.value == .off ? nil : workers.initials.problem
        return [
            problem.map { "\(initials.origin): initials = \(initials.value), but \($0)" },
            workers.faces.problem.map(FaceModelWarning.text),
        ].compactMap(\.self)
    }
}
