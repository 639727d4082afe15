import ArgumentParser

/// An unknown word in the place of a command, and similar commands.
struct UnknownCommand {
    /// The word of the user.
    let word: String
    /// The commands above it, such as `tondo cache`.
    let path: String
    /// Similar commands, the most similar first.
    let candidates: [String]

    /// `words`: the arguments without the name of the program. Nil if they name a command.
    init?(_ words: [String], of root: any ParsableCommand.Type) {
        var (command, path) = (root, root._commandName)
        for word in words {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || command.configuration.defaultSubcommand != nil { return nil }
            if word.hasPrefix("-") || word == "help" { return nil }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                self.word = word
                self.path = path
                candidates = EditDistance.nearest(to: word, among: subcommands.map { $0._commandName })
                return
            }
            command = next
            path = "\(path) \(word)"
        }
        return nil
    }

    /// `tondo: convret: no such command; did you mean 'convert'?`, and a pointer to the list of commands.
    var text: String {
        let question =
            candidates.isEmpty ? "" : "; did you mean \(candidates.map { "'\($0)'" }.joined(separator: " or "))?"
        return "tondo: \(Terminal.printable(word)): no such command\(question)\n"
            + "  See '\(path) --help' for all commands.\n"
    }
}

/// The number of typing errors between two words: the restricted Damerau-Levenshtein distance, where a swap of two
/// neighbours counts as one error.
enum EditDistance {
    static func between(_ one: String, and other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var before: [Int] = []
        var row = Array(0...other.count)
        for i in one.indices {
            var next = [i + 1]
            for j in other.indices {
                var least = min(row[j + 1] + 1, next[j] + 1, row[j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    least = min(least, before[j - 1] + 1)
                }
                next.append(least)
            }
            before = row
            row = next
        }
        return row[other.count]
    }

    /// Words that a typing error may have turned into `word`: at most a third of its letters, and at least one, may
    /// differ. Only the nearest ones, in the order of `words`.
    static func nearest(to word: String, among words: [String]) -> [String] {
        // A longer word is a path or a sentence, and the time grows with the square of its length.
        guard (1...32).contains(word.count) else { return [] }
        let ranked = words.map { ($0, between(word.lowercased(), and: $0)) }
        guard let least = ranked.map(\.1).min(), least <= max(word.count / 3, 1) else { return [] }
        return ranked.filter { $0.1 == least }.map(\.0)
    }
}
