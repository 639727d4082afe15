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
            Reads the file and the environment as 'tondo serve' does, and starts and ends one of each kind of the confined \
            processes that decode photos. Prints nothing if there are no errors.
            """)

    @OptionGroup var file: SettingsFileOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var reading = ConfigurationSource(file: file.config).read()
        if let problem = Self.sandboxProblem(reading.configuration) { reading.problems.append(problem) }
        let review = SettingsReview(reading: reading)
        if json { try StandardOutput.write(json: review.document(withValues: false)) } else { review.reportProblems() }
        if !review.reading.problems.isEmpty { throw ExitCode.misconfigured }
    }

    /// Why no confined process can be started.
    private static func sandboxProblem(_ configuration: ServiceConfiguration) -> SettingsProblem? {
        let sandbox = configuration.sandbox
        do throws(WorkerFailure) {
            let workers = try sandbox.value.workers(limits: Limits(), slots: 1) { configuration.environment[$0] }
            // A program that is not installed is no error: photos in its formats are refused by name.
            for kind in WorkerKind.allCases where kind != .standard && workers?.isInstalled(kind) == true {
                try workers?.prepare(kind)
            }
            return nil
        } catch { return SettingsProblem(origin: sandbox.origin, reason: "sandbox is on, but there is \(error)") }
    }
}
