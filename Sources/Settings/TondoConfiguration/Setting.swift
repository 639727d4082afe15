/// A setting: its declaration, its typed value, and the origin of that.
package struct Setting<Value: Equatable & Sendable>: Sendable {
    package let declaration: SettingDeclaration
    /// The valid part of the last value that was taken, else the default.
    package private(set) var value: Value
    /// The value as it is written; nil: not configured, and without a default.
    package private(set) var entry: SettingEntry?
    private let type: SettingType<Value>

    /// The place that set the value; built in as long as none did.
    package var origin: SettingOrigin { entry?.origin ?? .builtIn }

    /// `flag`: the name of the flag, if that is another one. `help`, `argument`: of the flag and its value.
    init(
        _ name: String, flag: String? = nil, _ type: SettingType<Value>, needsRestart: Bool = false, help: String = "",
        argument: String? = nil
    ) {
        declaration = SettingDeclaration(
            name: name, flagName: flag ?? name, kind: type.kind, choices: type.choices, needsRestart: needsRestart,
            help: help, argument: argument)
        self.type = type
        value = type.value(type.standard, nil) { _ in }
        entry = type.standard.map { SettingEntry(value: $0, origin: .builtIn) }
    }

    /// `home`: the meaning of `~`. Returns the reasons why the value is invalid.
    mutating func take(_ entry: SettingEntry, home: String?) -> [SettingsProblem] {
        var reasons: [String] = []
        value = type.value(entry.value, home) { reasons.append($0) }
        self.entry = entry
        return reasons.map { SettingsProblem(origin: entry.origin, reason: "\(declaration.name) \($0)") }
    }

    /// The setting as it is given by a flag; nil without words. Only a list takes several.
    package func flag(_ words: [String]) -> SettingFlag? { words.isEmpty ? nil : (declaration, words) }

    /// A flag with one word; nil: the flag is not given.
    package func flag(_ word: String?) -> SettingFlag? { flag(word.map { [$0] } ?? []) }
}

/// A setting of the command line.
package typealias SettingFlag = (setting: SettingDeclaration, words: [String])

/// What is the same for all values of a setting.
package struct SettingDeclaration: Sendable {
    /// In the file; with a dot, it is in the table before that.
    package let name: String
    /// Without its two hyphens. Not always the name in the file: `host` for `hosts`.
    package let flagName: String
    /// Decides how a file, a variable and a flag write the value.
    package let kind: SettingKind
    /// The values of a setting with a closed list of them; else none.
    package let choices: [String]
    /// A new value takes effect at the next start only.
    package let needsRestart: Bool
    /// The help text of the flag; empty: the setting has none.
    package let help: String
    /// The name of the flag's value; nil: the one of the flag.
    package let argument: String?

    /// `TONDO_` and the name in capitals, with underscores for its hyphens and dots.
    package var environmentName: String {
        "TONDO_" + name.uppercased().map { $0 == "-" || $0 == "." ? "_" : "\($0)" }.joined()
    }
}

/// A type whose properties are settings.
protocol SettingTable: Sendable {
    init()
    static var rows: [SettingRow<Self>] { get }
}

extension SettingTable {
    static func declaration(_ name: String) -> SettingDeclaration? {
        rows.first { $0.declaration.name == name }?.declaration
    }

    /// The settings with a value.
    var entries: [(name: String, entry: SettingEntry)] {
        Self.rows.compactMap { row in row.entry(self).map { (row.declaration.name, $0) } }
    }

    /// Returns the reasons why values are invalid.
    mutating func take(_ entries: SettingEntries, home: String?) -> [SettingsProblem] {
        Self.rows.flatMap { row in entries.values[row.declaration.name].map { row.take(&self, $0, home) } ?? [] }
    }
}

/// Access to one setting of a table, whatever its type.
struct SettingRow<Table: SettingTable>: Sendable {
    let declaration: SettingDeclaration
    let entry: @Sendable (Table) -> SettingEntry?
    let take: @Sendable (inout Table, SettingEntry, _ home: String?) -> [SettingsProblem]
    let isSame: @Sendable (Table, Table) -> Bool

    init<Value>(_ path: any WritableKeyPath<Table, Setting<Value>> & Sendable) {
        declaration = Table()[keyPath: path].declaration
        entry = { $0[keyPath: path].entry }
        take = { $0[keyPath: path].take($1, home: $2) }
        isSame = { $0[keyPath: path].value == $1[keyPath: path].value }
    }
}
