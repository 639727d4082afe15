import Glibc
import SystemPackage
import TondoAvatars

/// The words of the command line as raw bytes. File names need not be UTF-8, but the words of the parser are.
struct RawArguments {
    private var words: [(text: String, bytes: [CChar])]

    /// `words`: each with its final zero.
    init(_ words: [[CChar]] = Self.ofProcess) {
        self.words = words.map { word in (word.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }, word) }
    }

    /// The path of a parsed argument, which may be a `file:` URI. Each damaged word is used once, so that two words with the same repaired text
    /// stay distinct. Shells expand `~` where a word begins, and not in `--output=~/avatars`.
    mutating func path(_ argument: String) -> FilePath {
        if let path = FileURI.path(argument) { return path }
        if argument == "~" || argument.hasPrefix("~/"), let home = getenv("HOME"),
            words.contains(where: { Self.prefix($0.text, before: argument) ?? 0 > 0 })
        {
            return FilePath(String(cString: home) + argument.dropFirst())
        }
        let isDamaged = argument.unicodeScalars.contains("\u{FFFD}")
        guard isDamaged, let index = words.firstIndex(where: { Self.prefix($0.text, before: argument) != nil }),
            let prefix = Self.prefix(words[index].text, before: argument)
        else { return FilePath(argument) }
        return FilePath(platformString: Array(words.remove(at: index).bytes[prefix...]))
    }

    /// Bytes before the argument: 0, or the length of `--option=`; nil if the word contains something else.
    private static func prefix(_ word: String, before argument: String) -> Int? {
        if word == argument { return 0 }
        guard word.hasPrefix("-"), word.hasSuffix("=" + argument) else { return nil }
        return word.utf8.count - argument.utf8.count
    }

    private static var ofProcess: [[CChar]] {
        UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).compactMap { start in
            guard let start else { return nil }
            var count = 0
            while start[count] != 0 { count += 1 }
            return Array(UnsafeBufferPointer(start: start, count: count + 1))
        }
    }
}
