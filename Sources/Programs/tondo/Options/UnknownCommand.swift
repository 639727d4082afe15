import ArgumentParser
import SystemPackage
import TondoFiles
import TondoText

/// An unknown word in the place of a command, and similar commands.
struct UnknownCommand {
    /// The word of the user.
    let word: String
    /// The commands above it, such as `tondo cache`.
    let path: String
    /// Similar commands, the most similar first.
    let candidates: [String]
    /// What the user most likely wants of a file: `tondo convert`, or to list its contacts or photos.
    private let commandOfFiles: String

    /// `words`: the arguments without the name of the program. Nil if they name a command.
    init?(_ words: [String], of root: any ParsableCommand.Type) {
        var (command, path) = (root, root._commandName)
        // 'tondo help COMMAND' is the help of a command.
        for word in words.first == "help" ? words.dropFirst() : words[...] {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || command.configuration.defaultSubcommand != nil { return nil }
            if word.hasPrefix("-") { return nil }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                self.word = word
                self.path = path
                let listsFiles = ["contacts", "photos"].contains(command._commandName)
                commandOfFiles = listsFiles ? "\(path) ls" : "\(root._commandName) convert"
                let names = subcommands.map { $0._commandName }
                let meant = Self.synonyms.filter { $0.contains(word) }.flatMap { $0 }
                let others = names.filter(meant.contains)
                candidates = others.isEmpty ? EditDistance.nearest(to: word, among: names) : others
                return
            }
            command = next
            path = "\(path) \(word)"
        }
        return nil
    }

    /// Names that other programs have for a command.
    private static let synonyms: [Set<String>] = [
        ["ls", "list"], ["rm", "remove", "delete", "del", "drop", "clear"], ["show", "get", "info", "cat"],
        ["query", "search", "find"], ["stat", "status", "stats"], ["restore", "undo"], ["serve", "server", "start"],
        ["doctor", "diagnose"], ["load", "import"], ["convert", "resize"],
    ]

    private var isFile: Bool { (candidates.isEmpty || word.contains("/")) && FileStatus(FilePath(word)) != nil }

    private var question: String {
        if word == "version" { return "; did you mean '\(path) --version'?" }
        if isFile { return "; did you mean '\(commandOfFiles) \(Terminal.printable(word))'?" }
        return candidates.isEmpty ? "" : "; did you mean \(candidates.map { "'\($0)'" }.joined(separator: " or "))?"
    }

    /// `tondo: convret: no such command; did you mean 'convert'?`, and a pointer to the list of commands.
    var text: String {
        "tondo: \(Terminal.printable(word)): no such command\(question)\n"
            + "  See '\(path) --help' for all commands.\n"
    }
}
