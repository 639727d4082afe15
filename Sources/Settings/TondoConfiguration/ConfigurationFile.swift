internal import TOMLKit
internal import TondoText

/// A configuration file: TOML 1.0, one table. Keeps the valid values, and reports all problems.
struct ConfigurationFile {
    private(set) var entries = SettingEntries()
    private(set) var styles: [String: StyleSettings] = [:]
    private(set) var sources: [String: SyncSettings] = [:]
    /// Former settings.
    private(set) var obsolete: [SettingsProblem] = []
    private let name: String
    private let lines: TOMLLines
    private let home: String?
    private let scope: Scope

    /// What a file may hold.
    enum Scope: Equatable {
        case everything
        /// The tables of `tondo sync` alone. `main`: the file for everything else.
        case sources(main: String)
    }

    /// `home`: the meaning of `~`.
    init(name: String, text: String, home: String? = nil, scope: Scope = .everything) {
        self.name = name
        lines = TOMLLines(text)
        self.home = home
        self.scope = scope
        do { read(try TOMLTable(string: text)) } catch let error as TOMLParseError {
            add(error.description, at: .file(name, line: error.source.begin.line))
        } catch { add("\(error)", at: .file(name, line: nil)) }
    }

    private mutating func read(_ table: TOMLTable) {
        for word in table.keys {
            guard let value = table[word] else { continue }
            if case .sources(let main) = scope, word != "sync" {
                add(
                    "'\(word)' is no source: this file holds tables [sync.NAME] alone; other settings go into \(main)",
                    at: origin(word))
            } else if word == "styles" {
                read(styles: value)
            } else if ServiceConfiguration.tables.contains(word) {
                read(word, value: value)
            } else if word == "sync" {
                read(sources: value)
            } else if let setting = ServiceConfiguration.declaration(word) {
                entries.set(setting, from: origin(word), to: try SettingValue(value, as: setting.kind))
            } else if word == "privacy" {
                // A former setting without an effect.
                let reason = "the setting '\(word)' has no effect and was removed; delete the line"
                obsolete.append(SettingsProblem(origin: origin(word), reason: reason))
            } else {
                add(Self.unknown(word), at: origin(word))
            }
        }
    }

    /// A table whose settings are named `TABLE.NAME`.
    private mutating func read(_ name: String, value: any TOMLValueConvertible) {
        guard let table = value.table else { return add("\(name) is a table: [\(name)]", at: origin(name)) }
        for word in table.keys {
            let path = "\(name).\(word)"
            if let setting = ServiceConfiguration.declaration(path), let value = table[word] {
                entries.set(setting, from: origin(path), to: try SettingValue(value, as: setting.kind))
            } else {
                add(Self.unknown(path), at: origin(path))
            }
        }
    }

    /// `unknown setting 'boks'; did you mean 'books'?`
    private static func unknown(_ word: String) -> String {
        let names =
            ServiceConfiguration.rows.map(\.declaration.name) + ["styles", "sync"] + ServiceConfiguration.tables
        let near = EditDistance.nearest(to: word, among: names).first.map { "; did you mean '\($0)'?" }
        return "unknown setting '\(word)'\(near ?? "")"
    }

    private mutating func read(styles: any TOMLValueConvertible) {
        guard let styles = styles.table else { return add("styles are tables: [styles.NAME]", at: origin("styles")) }
        for name in styles.keys {
            let path = "styles.\(name)"
            guard let fields = styles[name]?.table, StyleSettings.isName(name) else {
                add("a style is a table named by a...z, 0...9 and hyphens: [styles.strip]", at: origin(path))
                continue
            }
            var (style, entries) = (StyleSettings(), SettingEntries())
            for word in fields.keys {
                let origin = origin("\(path).\(word)")
                if let setting = StyleSettings.declaration(word), let value = fields[word] {
                    entries.set(setting, from: origin, to: try SettingValue(value, as: setting.kind))
                } else {
                    add("a style has no '\(word)'", at: origin)
                }
            }
            let problems = style.take(entries, home: nil) + [style.problem].compactMap(\.self)
            self.entries.problems += entries.problems
            for problem in problems { add("\(path): \(problem.reason)", at: problem.origin) }
            self.styles[name] = style
        }
    }

    private mutating func read(sources: any TOMLValueConvertible) {
        guard let sources = sources.table else { return add("sources are tables: [sync.NAME]", at: origin("sync")) }
        for name in sources.keys {
            let path = "sync.\(name)"
            guard let fields = sources[name]?.table, SyncSettings.isName(name) else {
                add("a source is a table named by a...z, 0...9 and hyphens: [sync.work]", at: origin(path))
                continue
            }
            var (source, entries) = (SyncSettings(), SettingEntries())
            for word in fields.keys {
                let origin = origin("\(path).\(word)")
                if word == SyncSettings.formerHosts {
                    take(formerHosts: fields[word], of: fields, from: origin, into: &entries)
                } else if let setting = SyncSettings.declaration(word), let value = fields[word] {
                    entries.set(setting, from: origin, to: try SettingValue(value, as: setting.kind))
                } else {
                    add("a source has no '\(word)'", at: origin)
                }
            }
            let problems = source.take(entries, home: home) + source.problems(at: origin(path))
            self.entries.problems += entries.problems
            for problem in problems { add("\(path): \(problem.reason)", at: problem.origin) }
            self.sources[name] = source
        }
    }

    /// The hosts of photos had the name of the service's own hosts, so that those, appended to the file, went unnoticed into
    /// the last source.
    private mutating func take(
        formerHosts value: (any TOMLValueConvertible)?, of fields: TOMLTable, from origin: SettingOrigin,
        into entries: inout SettingEntries
    ) {
        guard let value, let setting = SyncSettings.declaration("photo-hosts") else { return }
        // The fields come in no order, so that the new name may follow.
        if fields[setting.name] != nil {
            return add("'hosts' is the former name of photo-hosts, which the source has, too", at: origin)
        }
        entries.set(setting, from: origin, to: try SettingValue(value, as: setting.kind))
        guard fields["url"] != nil else { return }
        let reason =
            "'hosts' of a source are the hosts of its photos, and named photo-hosts now; those of the service stand above "
            + "the first table"
        obsolete.append(SettingsProblem(origin: origin, reason: reason))
    }

    /// Adds the sources of another file, with its problems.
    mutating func add(sourcesOf other: ConfigurationFile) {
        entries.problems += other.entries.problems
        obsolete += other.obsolete
        for (name, source) in other.sources {
            if sources[name] != nil {
                let reason = "there is a source '\(name)' in \(self.name), too"
                entries.problems.append(SettingsProblem(origin: other.origin("sync.\(name)"), reason: reason))
            } else {
                sources[name] = source
            }
        }
    }

    private func origin(_ path: String) -> SettingOrigin { .file(name, line: lines[path]) }

    private mutating func add(_ reason: String, at origin: SettingOrigin) {
        entries.problems.append(SettingsProblem(origin: origin, reason: reason))
    }
}

extension SettingValue {
    fileprivate init(_ value: any TOMLValueConvertible, as kind: SettingKind) throws(Reason) {
        let found: (value: Self?, wanted: String)
        switch kind {
        case .text: found = (value.string.map(Self.text), "a string in quotation marks")
        case .choice(let words):
            found = (value.string.map { Self.text(SettingValue.word($0, of: words)) }, "a string in quotation marks")
        case .list, .words: found = (Self.texts(of: value).map(Self.list), "a list of strings: [\"...\"]")
        case .flag: found = (value.bool.map(Self.flag), "true or false")
        case .number: found = (value.int.map(Self.number), "a whole number")
        case .decimal: found = ((value.double ?? value.int.map(Double.init)).map(Self.decimal), "a number")
        case .bytes:
            let bytes = try value.string.map(Self.bytes)
            found = ((bytes ?? value.int).map(Self.number), "a number of bytes such as \"500MB\"")
        }
        guard let value = found.value else { throw Reason(text: "must be \(found.wanted)") }
        try value.check(kind)
        self = value
    }

    private static func texts(of value: any TOMLValueConvertible) -> [String]? {
        value.array.flatMap { $0.contains { $0.string == nil } ? nil : $0.compactMap(\.string) }
    }
}

/// The line of each key in a TOML text, since the parser reports lines of errors only. Supports tables, bare and quoted
/// keys; a line inside a multi-line string may be taken for a key, which is never looked up.
private struct TOMLLines {
    private var lines: [String: Int] = [:]

    init(_ text: String) {
        var prefix = ""
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let start = line.drop { $0 == " " || $0 == "\t" }
            if start.first == "[" {
                let path = start.drop { $0 == "[" }.prefix { $0 != "]" }
                prefix = Self.plain(path)
                note(prefix, line: index + 1)
                prefix += "."
            } else if let equals = start.firstIndex(of: "="), start.first != "#" {
                note(prefix + Self.plain(start[..<equals]), line: index + 1)
            }
        }
    }

    /// Nil if the key does not occur. For a table without a line of its own, the line of its first key.
    subscript(path: String) -> Int? { lines[path] }

    private mutating func note(_ path: String, line: Int) {
        var path = path[...]
        while true {
            // The first key of a table stands for one without a line of its own.
            if lines[String(path)] == nil { lines[String(path)] = line }
            guard let dot = path.lastIndex(of: ".") else { return }
            path = path[..<dot]
        }
    }

    /// Without quotation marks and surrounding blanks.
    private static func plain(_ path: Substring) -> String {
        var (plain, mark) = ("", Character?.none)
        for character in path {
            if character == mark {
                mark = nil
            } else if mark == nil, character == "\"" || character == "'" {
                mark = character
            } else if mark != nil || character != " " && character != "\t" {
                plain.append(character)
            }
        }
        return plain
    }
}
