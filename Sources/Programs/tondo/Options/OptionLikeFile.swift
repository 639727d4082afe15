import ArgumentParser
import SystemPackage
import TondoFiles

/// A file whose name begins as options do, such as `-dash.jpg`. The parser takes its letters for options, and with an `h`
/// among them the command would print its help, and end with 0.
struct OptionLikeFile {
    /// The word of the user.
    let word: String

    /// Nil if no word is such a file. `words`: the arguments of a command that was not run.
    init?(_ words: [String]) {
        let word = words.prefix { $0 != "--" }.first {
            $0.count > 2 && $0.hasPrefix("-") && !$0.hasPrefix("--") && FileStatus(FilePath($0)) != nil
        }
        guard let word else { return nil }
        self.word = word
    }

    /// `tondo: -dash.jpg: begins as options do; name the file as ./-dash.jpg`.
    var text: String {
        let word = Terminal.printable(word)
        return "tondo: \(word): begins as options do; name the file as ./\(word)\n"
    }
}
