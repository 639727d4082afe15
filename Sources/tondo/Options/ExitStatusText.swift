import ArgumentParser

/// The part of a help text about exit statuses.
enum ExitStatusText {
    /// `own`: the meanings of the command's own statuses; the shared statuses of all cache commands follow in numerical
    /// order.
    static func text(_ own: KeyValuePairs<Int32, String>) -> String {
        text(own, noInput: "no usable cache in this folder")
    }

    /// The same for a command with another input. `noInput`: the meaning of status 66.
    static func text(_ own: KeyValuePairs<Int32, String>, noInput: String) -> String {
        let shared: [(Int32, String)] = [
            (64, "wrong usage"), (ExitCode.cacheUnusable.rawValue, noInput),
            (ExitCode.inputOutput.rawValue, "reading or writing failed"),
        ]
        let all = (own.map { ($0.key, $0.value) } + shared).sorted { $0.0 < $1.0 }
        let lines = all.map { status, meaning in
            let number = String(status)
            return "  \(number)\(String(repeating: " ", count: 5 - number.count))\(meaning)"
        }
        return (["EXIT STATUS"] + lines).joined(separator: "\n")
    }
}
