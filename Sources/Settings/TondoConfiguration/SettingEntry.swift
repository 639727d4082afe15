/// A value as it is written, and its origin.
package struct SettingEntry: Equatable, Sendable {
    /// Its form is checked; what it means depends on the type of the setting.
    package let value: SettingValue
    package let origin: SettingOrigin
}

/// The origin of a value.
package enum SettingOrigin: Equatable, Sendable, CustomStringConvertible {
    case builtIn
    /// Lines are counted from 1; nil if the line is unknown.
    case file(String, line: Int?)
    case environment(String)
    case flag(String)

    /// The line in a file, from 1; nil if it is unknown, and for every other origin.
    package var line: Int? { if case .file(_, let line) = self { line } else { nil } }

    package var description: String {
        switch self {
        case .builtIn: "built in"
        case .file(let name, let line): line.map { "\(name):\($0)" } ?? name
        case .environment(let name): "$\(name)"
        case .flag(let name): "--\(name)"
        }
    }
}

/// A problem in the configuration.
package struct SettingsProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where the user has to correct something. The printed problem begins with it.
    package let origin: SettingOrigin
    /// One sentence without its full stop.
    package let reason: String

    package init(origin: SettingOrigin, reason: String) {
        self.origin = origin
        self.reason = reason
    }

    package var description: String { "\(origin): \(reason)" }
}

/// Values of settings by their names, as they are written. A later value replaces an earlier one; an invalid one does not.
struct SettingEntries {
    private(set) var values: [String: SettingEntry] = [:]
    var problems: [SettingsProblem] = []

    mutating func set(
        _ setting: SettingDeclaration, from origin: SettingOrigin,
        to value: @autoclosure () throws(SettingValue.Reason) -> SettingValue
    ) {
        do { values[setting.name] = SettingEntry(value: try value(), origin: origin) } catch {
            problems.append(SettingsProblem(origin: origin, reason: "\(setting.name) \(error.text)"))
        }
    }
}
