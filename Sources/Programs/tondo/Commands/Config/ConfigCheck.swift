import ArgumentParser
import TondoConfiguration
import TondoContacts
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
        let check = WorkerCheck(reading.configuration)
        var warnings = check.failure == nil ? Self.warnings(of: check.workers, reading.configuration) : []
        if let failure = check.failure {
            reading.problems.append(
                SettingsProblem(
                    origin: reading.configuration.sandbox.origin, reason: "sandbox is on, but there is \(failure)"))
        }
        let shared = SharedConnection.check(reading.configuration)
        reading.problems = reading.problems + shared.problems
        warnings = warnings + shared.warnings
        let review = SettingsReview(reading: reading, warnings: warnings)
        if json { try StandardOutput.write(json: review.document(withValues: false)) } else { review.reportProblems() }
        if !review.reading.problems.isEmpty { throw ExitCode.misconfigured }
    }

    /// What is missing.
    private static func warnings(of workers: RenderWorkers?, _ configuration: ServiceConfiguration) -> [String] {
        guard let workers else { return [] }
        let initials = configuration.initials
        let problem = initials.value == .off ? nil : workers.initials.problem
        return [
            problem.map { "\(initials.origin): initials = \(initials.value), but \($0)" },
            workers.faces.problem.map(FaceModelWarning.text),
        ].compactMap(\.self)
    }
}
