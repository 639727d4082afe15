/// The origin of a value.
package enum SettingOrigin: Equatable, Sendable {
    case builtIn
    /// Lines are counted from 1; nil if the line is unknown.
    case file(String, line: Int?)
    case environment(String)
    case flag(String)
}

extension SettingOrigin: CustomStringConvertible {
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
package struct SettingsProblem: Error, Equatable, Sendable {
    package let origin: SettingOrigin
    /// One sentence without its full stop.
    package let reason: String

    package init(origin: SettingOrigin, reason: String) { (self.origin, self.reason) = (origin, reason) }
}

extension SettingsProblem: CustomStringConvertible {
    package var description: String { "\(origin): \(reason)" }
}
