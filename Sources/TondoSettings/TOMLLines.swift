/// The line of each key in a TOML text, since the parser reports lines of errors only. Supports tables, bare and quoted
/// keys; a line inside a multi-line string may be taken for a key, which is never looked up.
struct TOMLLines {
    private var lines: [String: Int] = [:]

    init(_ text: String) {
        var prefix = ""
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let start = line.drop { $0 == " " || $0 == "\t" }
            if start.first == "[" {
                let path = start.drop { $0 == "[" }.prefix { $0 != "]" }
                prefix = Self.plain(path)
                note(prefix, index + 1)
                prefix += "."
            } else if let equals = start.firstIndex(of: "="), start.first != "#" {
                note(prefix + Self.plain(start[..<equals]), index + 1)
            }
        }
    }

    /// Nil if the key does not occur. For a table without a line of its own, the line of its first key.
    subscript(path: String) -> Int? { lines[path] }

    private mutating func note(_ path: String, _ line: Int) {
        var path = path[...]
        while true {
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
