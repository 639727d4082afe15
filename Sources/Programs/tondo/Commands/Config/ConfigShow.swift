import ArgumentParser
import TondoConfiguration

/// `tondo config show`
struct ConfigShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows each setting and its origin.",
        discussion: """
            EXAMPLES
              tondo config show                          of the file that serve would read
              tondo config show --config tondo.toml      of this file

            Prints the lines of a configuration file, each with its origin: the file and its line, $VARIABLE, or built in. \
            Paths that are not configured are comments: the ones that 'tondo serve' would choose in this environment; a \
            systemd unit has its own. Errors go to standard error.
            """)

    @OptionGroup var file: SettingsFileOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        let review = SettingsReview(reading: ConfigurationSource(file: file.config).read())
        if json {
            try StandardOutput.write(json: review.document(withValues: true))
        } else {
            review.reportProblems()
            try StandardOutput.write(review.text)
        }
        if !review.reading.problems.isEmpty { throw ExitCode.misconfigured }
    }
}
