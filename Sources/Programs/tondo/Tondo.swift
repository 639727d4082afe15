import ArgumentParser
import Glibc

@main
struct Tondo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tondo",
        abstract: "Turns photos and address books into ready-to-show round avatars.",
        discussion: """
            A tondo is a round portrait. Photos are JPEG, PNG, WebP, GIF, HEIC or AVIF files; their bytes decide, not their names.

            EXAMPLES
              tondo convert photos --output avatars    a folder of photos
              tondo serve ~/.contacts                  a page of avatars
              tondo contacts ls ~/.contacts
              tondo doctor                             what keeps Tondo from working

            Without a command, tondo shows the books and the service of the configuration; without a configuration, the address \
            books that it finds on this machine, and the command to go on with.
            """,
        version: version,
        subcommands: [
            Convert.self, Load.self, AvatarPath.self, Thumbnail.self, Worker.self, Jobs.self, Contacts.self,
            Photos.self, Cache.self,
            Serve.self,
            ServiceStatus.self,
            ServiceEvents.self,
            ServiceOpen.self,
            Sync.self, AccountsIcon.self, Config.self, Doctor.self,
        ])

    static let version = "0.1.0"

    /// The prefix of every message, including the parser's.
    static let _errorPrefix = "tondo: "

    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        // Before anything that takes time: a SIGHUP right after the start must not end the service.
        if words.first == Serve.name { EarlyHangup.expect() }
        StandardStreams.prepare()
        do {
            // Before the parser: its casts search every conformance in the program, which takes longer than the rest.
            if words == ["--version"] { return try StandardOutput.write(version + "\n") }
            if words.isEmpty {
                return try StandardOutput.write(Overview.read().text(width: StandardStreams.outputColumns))
            }
            var command = try parseAsRoot(words)
            try command.run()
        } catch { end(with: error, words: words) }
    }

    /// Help goes to standard output, everything else to standard error.
    private static func end(with error: any Error, words: [String]) -> Never {
        let status = exitCode(for: error)
        let columns = status == .success ? StandardStreams.outputColumns : StandardStreams.columns(of: STDERR_FILENO)
        let text = UsageText.wrapped(fullMessage(for: error), columns: columns)
        let isUnanswered = status == .validationFailure || words.first == "help"
        // A command that ran has reported its error.
        let file = text.isEmpty ? nil : OptionLikeFile(words)?.text
        if let wrong = file ?? (isUnanswered ? UnknownCommand(words, of: self)?.text : nil) {
            Terminal.write(wrong)
            exit(withError: ExitCode.validationFailure)
        }
        if status == .success {
            do { try StandardOutput.write(text + "\n") } catch { exit(withError: error) }
        } else if !text.isEmpty {
            Terminal.write(text + "\n")
        }
        exit(withError: status)
    }
}
