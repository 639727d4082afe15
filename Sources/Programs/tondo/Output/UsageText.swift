/// Help and usage errors as ArgumentParser writes them. It wraps all lines to the terminal but those of the synopsis.
enum UsageText {
    /// `columns`: cells of a line; nil: no line is broken.
    static func wrapped(_ text: String, columns: Int?) -> String {
        guard let columns else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.count > columns, line.lowercased().hasPrefix("usage: ") else { return String(line) }
            return broken(line, columns: columns)
        }.joined(separator: "\n")
    }

    /// Before an option or an argument, and never inside of its brackets.
    private static func broken(_ line: Substring, columns: Int) -> String {
        var (text, width, depth, part) = ("", 0, 0, "")
        func end() {
            if part.isEmpty { return }
            let fits = width + 1 + part.count <= columns
            text += width == 0 ? part : fits ? " " + part : "\n       " + part
            width = width == 0 ? part.count : fits ? width + 1 + part.count : 7 + part.count
            part = ""
        }
        for character in line {
            depth += "[(<".contains(character) ? 1 : "])>".contains(character) ? -1 : 0
            if character == " ", depth == 0 { end() } else { part.append(character) }
        }
        end()
        return text
    }
}
