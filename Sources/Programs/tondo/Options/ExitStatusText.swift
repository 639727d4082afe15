import ArgumentParser

/// The part of a help text about exit statuses.
enum ExitStatusText {
    /// `own`: the meanings of the command's own statuses; the shared statuses of all cache commands follow in numerical
    /// order.
    static func text(_ own: KeyValuePairs<Int32, String>) -> String {
        text(own, noInput: "no usable cache in this folder")
    }

    /// The exit statuses of a command with another input. `noInput`: the meaning of status 66. `isEndedByReader`: false
    /// for a command that continues when standard output is closed.
    static func text(
        _ own: KeyValuePairs<Int32, String>, noInput: String, isEndedByReader: Bool = true
    ) -> String {
        text(own.map { ($0.key, $0.value) }, noInput: noInput, isEndedByReader: isEndedByReader)
    }

    static func text(_ own: [(Int32, String)], noInput: String, isEndedByReader: Bool = true) -> String {
        let shared: [(Int32, String)] = [
            (64, "wrong usage"), (ExitCode.cacheUnusable.rawValue, noInput),
            (ExitCode.inputOutput.rawValue, "reading or writing failed"),
        ]
        let end = isEndedByReader ? [(ExitCode.readerGone.rawValue, readerGone)] : []
        return lines(own + shared + end)
    }

    /// These statuses alone, in ascending order.
    static func lines(_ statuses: [(Int32, String)]) -> String {
        let lines = statuses.sorted { $0.0 < $1.0 }.map { status, meaning in
            let number = String(status)
            return "  \(number)\(String(repeating: " ", count: 5 - number.count))\(wrapped(meaning))"
        }
        return (["EXIT STATUS"] + lines).joined(separator: "\n")
    }

    /// In lines below each other, within 80 columns: the parser would continue at the edge of the terminal.
    private static func wrapped(_ meaning: String) -> String {
        var (lines, rest) = ([Substring](), meaning[...])
        while rest.count > 72, let blank = rest.prefix(73).lastIndex(of: " ") {
            lines.append(rest[..<blank])
            rest = rest[blank...].dropFirst()
        }
        return (lines + [rest]).joined(separator: "\n       ")
    }

    /// Why `StandardOutput` ends a command.
    static let readerGone = "standard output was closed"
}
