/// All settings with their origins: the default, then the file, then the environment, then flags; later sources
/// override earlier ones. Reads no file itself.
package struct Settings: Sendable {
    package struct Entry: Equatable, Sendable {
        package let value: SettingValue
        package let origin: SettingOrigin
    }

    package private(set) var entries: [SettingKey: Entry] = [:]
    /// Former settings in the file.
    package internal(set) var obsolete: [SettingsProblem] = []
    /// By name; the styles for `?style=NAME`.
    package internal(set) var styles: [String: NamedStyle] = [:]

    /// Applies all valid values and reports all invalid ones, so that one run shows every problem.
    ///
    /// `flags`: the given flags, by setting. `lists`: flags given as separate words, each of which may contain commas,
    /// as file names do.
    package static func read(
        file: (name: String, text: String)? = nil, environment: [String: String] = [:],
        flags: [(key: SettingKey, value: String)] = [], lists: [(key: SettingKey, values: [String])] = []
    ) -> (settings: Settings, problems: [SettingsProblem]) {
        var (settings, problems) = (Settings(), [SettingsProblem]())
        for key in SettingKey.allCases {
            if let value = key.builtIn { settings.entries[key] = Entry(value: value, origin: .builtIn) }
        }
        if let file { problems += SettingsFile(name: file.name, text: file.text).read(into: &settings) }
        let known = Dictionary(uniqueKeysWithValues: SettingKey.allCases.map { ($0.environmentName, $0) })
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("TONDO_") {
            guard let key = known[name] else {
                problems.append(.init(origin: .environment(name), reason: "unknown setting"))
                continue
            }
            settings.set(key, text, .environment(name), &problems)
        }
        for flag in flags { settings.set(flag.key, flag.value, .flag(flag.key.flagName), &problems) }
        for list in lists { settings.set(list.key, .list(list.values), .flag(list.key.flagName)) }
        return (settings, problems)
    }

    private mutating func set(
        _ key: SettingKey, _ text: String, _ origin: SettingOrigin, _ problems: inout [SettingsProblem]
    ) {
        do { set(key, try SettingValue(text, as: key.kind), origin) } catch {
            problems.append(.init(origin: origin, reason: "\(key.rawValue) \(error.text)"))
        }
    }

    mutating func set(_ key: SettingKey, _ value: SettingValue, _ origin: SettingOrigin) {
        entries[key] = Entry(value: value, origin: origin)
    }

    package subscript(key: SettingKey) -> SettingValue? { entries[key]?.value }

    /// Nil if it is not set.
    package func text(_ key: SettingKey) -> String? {
        if case .text(let text) = self[key] { text } else { nil }
    }

    package func list(_ key: SettingKey) -> [String] {
        if case .list(let list) = self[key] { list } else { [] }
    }

    package func number(_ key: SettingKey) -> Int {
        if case .number(let number) = self[key] { number } else { 0 }
    }

    package func flag(_ key: SettingKey) -> Bool { self[key] == .flag(true) }

    /// For `tondo config show`: each value as in the file, with its origin.
    package var lines: [(text: String, origin: SettingOrigin)] {
        var lines = SettingKey.allCases.compactMap { key in
            entries[key].map { (text: "\(key.rawValue) = \($0.value)", origin: $0.origin) }
        }
        for (name, style) in styles.sorted(by: { $0.key < $1.key }) {
            for (field, entry) in style.entries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                lines.append(("styles.\(name).\(field.rawValue) = \(entry.value)", entry.origin))
            }
        }
        return lines
    }
}
