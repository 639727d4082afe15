import TondoConfiguration

/// The configuration with its problems.
struct SettingsReview {
    struct Document: Encodable {
        struct Problem: Encodable {
            var origin: String
            var line: Int?
            var reason: String
        }

        struct Value: Encodable {
            var setting: String
            var value: String
            var origin: String
        }

        var file: String?
        var problems: [Problem]
        var unknown: [String]
        /// What the configuration wants and the system lacks; nil if that was not checked.
        var warnings: [String]?
        var settings: [Value]?
    }

    let reading: ConfigurationSource.Reading
    var warnings: [String]?

    /// A configuration file with the origin of each value as an aligned comment. Paths that are not configured are
    /// comments.
    var text: String {
        let (written, standard) = (reading.configuration.written, reading.configuration.standardPaths)
        let lines = (written + standard.map { ("# " + $0.name, $0.entry) }).map { ("\($0) = \($1.value)", $1.origin) }
        let width = min(lines.map { DisplayText.width($0.0) }.max() ?? 0, 60)
        return lines.map { text, origin in
            let blanks = String(repeating: " ", count: width - min(DisplayText.width(text), width))
            return Terminal.printable("\(text)\(blanks)  # \(origin)") + "\n"
        }.joined()
    }

    func document(withValues: Bool) -> Document {
        let values = reading.configuration.written + reading.configuration.standardPaths
        return Document(
            file: reading.file,
            problems: reading.problems.map { .init(origin: "\($0.origin)", line: $0.origin.line, reason: $0.reason) },
            unknown: reading.unknown, warnings: warnings,
            settings: withValues
                ? values.map { .init(setting: $0.name, value: "\($0.entry.value)", origin: "\($0.entry.origin)") } : nil
        )
    }

    /// On standard error.
    func reportProblems() {
        for name in reading.unknown { Terminal.reportError("warning: $\(name): unknown setting") }
        for problem in reading.obsolete { Terminal.reportError("warning: \(problem)") }
        for warning in warnings ?? [] { Terminal.reportError("warning: \(warning)") }
        for problem in reading.problems { Terminal.reportError("\(problem)") }
    }
}
