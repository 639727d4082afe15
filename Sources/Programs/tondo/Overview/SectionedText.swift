/// Text of the configuration files of other programs: lines `key = value` below headings `[section]` or `[[section]]`.
struct SectionedText {
    struct Section {
        let heading: String
        fileprivate(set) var values: [String: String] = [:]
    }

    private(set) var sections: [Section] = []

    /// What stands before the first heading, and every line of another form, is left out. Of two values with one key the last
    /// counts.
    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                sections.append(Section(heading: Self.trimmed(line[..<end].drop { $0 == "[" })))
            } else if !sections.isEmpty, let equals = line.firstIndex(of: "=") {
                let value = Self.value(line[line.index(after: equals)...])
                sections[sections.count - 1].values[Self.trimmed(line[..<equals])] = value
            }
        }
    }

    /// Without its quotation marks, or without the comment behind a value that has none.
    private static func value(_ text: Substring) -> String {
        let text = trimmed(text)
        if let mark = text.first, mark == "\"" || mark == "'" {
            return String(text.dropFirst().prefix { $0 != mark })
        }
        return trimmed(text.prefix { $0 != "#" })
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}
