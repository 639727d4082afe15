internal import TondoText

/// The file with the sources that `tondo sync add` wrote, beside the configuration: `tondo.toml` has `tondo.sync.toml`.
///
/// A file of its own: a table ends where the next one begins, so whatever a user appended to the configuration after
/// the last source would belong to that source.
package enum SourcesFile {
    /// `configuration`: the path of the configuration file, which may not exist.
    package static func path(beside configuration: String) -> String {
        let ending = ".toml"
        let base = configuration.hasSuffix(ending) ? String(configuration.dropLast(ending.count)) : configuration
        return base + ".sync" + ending
    }

    /// The first lines of a new file.
    package static let head = """
        # The address books that 'tondo sync add' and 'tondo sync discover' added: tables [sync.NAME], which may be changed here.
        # All other settings stand in the configuration file beside this one.

        """

    /// What comes before a table that is added to a file with these bytes.
    package static func separator(after bytes: [UInt8]) -> String {
        bytes.last.map { $0 == UInt8(ascii: "\n") ? "\n" : "\n\n" } ?? head + "\n"
    }

    /// The first lines of the table of a source, as TOML: its heading and its URL.
    package static func table(of name: String, url: String) -> String {
        "[sync.\(name)]\nurl = \(JSONEscapes.quoted(url, style: .plain))\n"
    }

    /// Whether TOML text has the table of a source. Names of sources need no quotation marks.
    package static func hasSource(_ name: String, in text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { isTable(of: name, $0) }
    }

    /// TOML text without the table of a source; nil: it has none. Comments directly above the table, or above the next one,
    /// belong to that table.
    package static func removing(_ name: String, from text: String) -> String? {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard var start = lines.firstIndex(where: { isTable(of: name, $0) }) else { return nil }
        var end = lines[(start + 1)...].firstIndex { $0.drop(while: \.isWhitespace).first == "[" } ?? lines.endIndex
        while end < lines.endIndex, end > start + 1, isComment(lines[end - 1]) { end -= 1 }
        // The head of the file is not the comment of its first table: a blank line is between them.
        while start > 0, isComment(lines[start - 1]) { start -= 1 }
        lines.removeSubrange(start..<end)
        // One blank line between two tables, none at the end.
        while start > 0, start <= lines.count, lines[start - 1].allSatisfy(\.isWhitespace),
            start == lines.count || lines[start].allSatisfy(\.isWhitespace)
        {
            lines.remove(at: start - 1)
            start -= 1
        }
        let rest = lines.joined(separator: "\n")
        return rest.isEmpty || rest.hasSuffix("\n") ? rest : rest + "\n"
    }

    private static func isTable(of name: String, _ line: Substring) -> Bool {
        let table = line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" }
        return table == "[sync.\(name)]"
    }

    private static func isComment(_ line: Substring) -> Bool { line.drop(while: \.isWhitespace).first == "#" }
}
