internal import TondoFiles

/// A program that prints a secret, such as `pass show dav`. Its error output goes to the terminal or the log.
enum SecretCommand {
    /// Bytes of the output.
    private static let largest = SecretReader.largest

    /// `limit`: the time to print the secret and to end; then the program is killed.
    static func run(_ words: [String], within limit: Duration = .seconds(60)) throws(SecretError) -> Secret {
        let bytes: [UInt8]
        do throws(ChildProgram.Failure) {
            bytes = try ChildProgram.output(of: words, within: limit, most: largest)
        } catch { throw .command(words[0], reason: reason(error, within: limit)) }
        guard let secret = Secret(SecretReader.firstLine(bytes[...])) else {
            throw .malformed(origin: "the output of '\(words[0])'")
        }
        return secret
    }

    /// The end of a sentence that begins with the program.
    private static func reason(_ failure: ChildProgram.Failure, within limit: Duration) -> String {
        switch failure {
        case .notStarted(let error): "cannot be started: \(error.reason)"
        case .silent: "did not print a password within \(limit.components.seconds) s"
        case .running: "closed its output and did not end within \(limit.components.seconds) s"
        case .tooLong: "printed more than 64 kB"
        case .unreadable(let error): "has an output that cannot be read: \(error.reason)"
        case .failed: "failed"
        }
    }
}
