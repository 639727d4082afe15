internal import TOMLKit

/// A configuration file: TOML 1.0, one table.
struct SettingsFile {
    let name: String
    let text: String

    /// Applies valid values, and returns the problems.
    func read(into settings: inout Settings) -> [SettingsProblem] {
        let table: TOMLTable
        do { table = try TOMLTable(string: text) } catch let error as TOMLParseError {
            let origin = SettingOrigin.file(name, line: error.source.begin.line)
            return [SettingsProblem(origin: origin, reason: error.description)]
        } catch {
            return [SettingsProblem(origin: .file(name, line: nil), reason: "\(error)")]
        }
        let lines = TOMLLines(text)
        var problems: [SettingsProblem] = []
        for word in table.keys {
            let origin = SettingOrigin.file(name, line: lines[word])
            guard let value = table[word] else { continue }
            if word == "styles" {
                guard let styles = value.table else {
                    problems.append(.init(origin: origin, reason: "styles are tables: [styles.NAME]"))
                    continue
                }
                problems += read(styles, lines, into: &settings)
            } else if let key = SettingKey(rawValue: word) {
                do { settings.set(key, try Self.value(value, key.kind), origin) } catch {
                    problems.append(.init(origin: origin, reason: "\(word) \(error.text)"))
                }
            } else if SettingKey.obsolete.contains(word) {
                settings.obsolete.append(
                    .init(
                        origin: origin, reason: "the setting '\(word)' has no effect and was removed; delete the line"))
            } else {
                problems.append(.init(origin: origin, reason: "unknown setting '\(word)'"))
            }
        }
        return problems
    }

    private func read(_ styles: TOMLTable, _ lines: TOMLLines, into settings: inout Settings) -> [SettingsProblem] {
        var problems: [SettingsProblem] = []
        for style in styles.keys {
            let path = "styles.\(style)"
            guard let fields = styles[style]?.table, NamedStyle.isName(style) else {
                let reason = "a style is a table named by a...z, 0...9 and hyphens: [styles.strip]"
                problems.append(.init(origin: .file(name, line: lines[path]), reason: reason))
                continue
            }
            var named = NamedStyle()
            for word in fields.keys {
                let origin = SettingOrigin.file(name, line: lines["\(path).\(word)"])
                guard let field = NamedStyle.Field(rawValue: word), let value = fields[word] else {
                    problems.append(.init(origin: origin, reason: "a style has no '\(word)'"))
                    continue
                }
                do {
                    named.entries[field] = .init(value: try Self.value(value, field.kind), origin: origin)
                } catch { problems.append(.init(origin: origin, reason: "\(word) \(error.text)")) }
            }
            settings.styles[style] = named
        }
        return problems
    }

    private static func value(
        _ value: any TOMLValueConvertible, _ kind: SettingKey.Kind
    ) throws(SettingValue.Reason) -> SettingValue {
        let found: SettingValue
        switch kind {
        case .text, .choice:
            guard let text = value.string else { throw .init("must be a string in quotation marks") }
            found = .text(text)
        case .list:
            guard let array = value.array else { throw .init("must be a list of strings: [\"...\"]") }
            let texts = array.compactMap { $0.string }
            guard texts.count == array.count else { throw .init("must be a list of strings: [\"...\"]") }
            found = .list(texts)
        case .flag:
            guard let flag = value.bool else { throw .init("must be true or false") }
            found = .flag(flag)
        case .number:
            guard let number = value.int else { throw .init("must be a whole number") }
            found = .number(number)
        case .bytes:
            if let text = value.string { return .number(try SettingValue.bytes(text)) }
            guard let number = value.int else { throw .init("must be a number of bytes such as \"500MB\"") }
            found = .number(number)
        }
        try found.check(kind)
        return found
    }
}
