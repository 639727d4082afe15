/// Why a source has no secret. No text shows a part of one.
package enum SecretError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The source names none, and there is no credential of its name.
    case none(source: String)
    case unreadable(file: String, reason: String)
    /// Others can read the file.
    case exposed(file: String)
    /// The file or the output of the command is empty, too long, or holds a control character.
    case malformed(origin: String)
    case command(String, reason: String)

    /// One word for all causes: whichever it is, a person has to look at the configuration.
    package var code: String { "secret-unavailable" }

    /// One line in English with the file or command to look at.
    package var description: String {
        switch self {
        case .none(let source):
            "no password for \(source): set password-file or password-command, or pass the credential '\(source)'"
        case .unreadable(let file, let reason): "the password file \(file) cannot be read: \(reason)"
        case .exposed(let file): "the password file \(file) must have mode 0600 and belong to this user or root"
        case .malformed(let origin): "\(origin) does not hold one line of visible characters, of 64 kB at most"
        case .command(let command, let reason): "the password command '\(command)' \(reason)"
        }
    }
}
