import SystemPackage
import TondoSettings

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
        var settings: [Value]?
    }

    let problems: [SettingsProblem]
    private let reading: SettingsSource.Reading
    /// Paths that are not configured, and the values that apply instead; they are shown as comments.
    private let places: [(text: String, origin: SettingOrigin)]

    init(_ source: SettingsSource) {
        reading = source.read()
        let standard = [
            (SettingKey.cacheFolder, ServiceComponents.cacheFolder(source.environment)),
            (.tokenFile, TokenFile.standard(source.environment)),
        ]
        places = standard.compactMap { [settings = reading.settings] key, path in
            guard settings[key] == nil, let path else { return nil }
            return ("\(key.rawValue) = \(SettingValue.text(path.string))", .builtIn)
        }
        let all =
            reading.problems + ServiceConfiguration.read(reading.settings, home: source.environment["HOME"]).problems
        // In the order of the file, then problems without a line.
        let order = all.enumerated().map { (line: $1.origin.line ?? .max, place: $0, problem: $1) }
        problems = order.sorted { ($0.line, $0.place) < ($1.line, $1.place) }.map(\.problem)
    }

    /// On standard error.
    func reportProblems() {
        for name in reading.unknown { Terminal.reportError("warning: $\(name): unknown setting") }
        for problem in reading.settings.obsolete { Terminal.reportError("warning: \(problem)") }
        for problem in problems { Terminal.reportError("\(problem)") }
    }

    /// A configuration file with the origin of each value as an aligned comment.
    var text: String {
        let lines = reading.settings.lines + places.map { ("# " + $0.text, $0.origin) }
        let width = lines.map { DisplayText.width($0.text) }.max() ?? 0
        return lines.map { text, origin in
            let blanks = String(repeating: " ", count: min(width, 60) - min(DisplayText.width(text), min(width, 60)))
            return Terminal.printable("\(text)\(blanks)  # \(origin)") + "\n"
        }.joined()
    }

    func document(withValues: Bool) -> Document {
        Document(
            file: reading.file,
            problems: problems.map { problem in
                .init(origin: problem.origin.description, line: problem.origin.line, reason: problem.reason)
            },
            unknown: reading.unknown,
            settings: withValues
                ? (reading.settings.lines + places).map { line in
                    let parts = line.text.split(separator: " = ", maxSplits: 1)
                    return .init(
                        setting: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "",
                        origin: line.origin.description)
                } : nil)
    }
}

extension SettingOrigin {
    fileprivate var line: Int? { if case .file(_, let line) = self { line } else { nil } }
}
