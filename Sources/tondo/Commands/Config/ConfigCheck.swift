import ArgumentParser
import TondoSettings

/// `tondo config check`
struct ConfigCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Tells everything that is wrong with the settings.",
        discussion: "Reads the file and the environment as 'tondo serve' would. Silent when all is right.")

    @OptionGroup var file: SettingsFileOption

    @Flag(help: "One JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        let review = SettingsReview(SettingsSource(file: file.config))
        if json { try StandardOutput.write(json: review.document(withValues: false)) } else { review.complain() }
        if !review.problems.isEmpty { throw ExitCode.misconfigured }
    }
}
