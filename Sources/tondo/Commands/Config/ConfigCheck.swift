import ArgumentParser
import TondoConfiguration

/// `tondo config check`
struct ConfigCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Reports all errors in the configuration.",
        discussion: "Reads the file and the environment as 'tondo serve' does. Prints nothing if there are no errors.")

    @OptionGroup var file: SettingsFileOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        let review = SettingsReview(reading: ConfigurationSource(file: file.config).read())
        if json { try StandardOutput.write(json: review.document(withValues: false)) } else { review.reportProblems() }
        if !review.reading.problems.isEmpty { throw ExitCode.misconfigured }
    }
}
