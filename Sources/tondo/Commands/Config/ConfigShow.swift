import ArgumentParser
import TondoSettings

/// `tondo config show`
struct ConfigShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Tells each setting and where it comes from.",
        discussion: """
            As lines of a settings file, each with its origin: the file and its line, $VARIABLE, or built in. Places \
            that nobody named are comments, as 'tondo serve' would choose them here; a unit has its own. What is wrong \
            is told on standard error.
            """)

    @OptionGroup var file: SettingsFileOption

    @Flag(help: "One JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        let review = SettingsReview(SettingsSource(file: file.config))
        if json {
            try StandardOutput.write(json: review.document(withValues: true))
        } else {
            review.complain()
            try StandardOutput.write(review.text)
        }
        if !review.problems.isEmpty { throw ExitCode.misconfigured }
    }
}
