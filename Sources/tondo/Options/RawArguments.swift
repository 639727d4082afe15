import SystemPackage

/// The command line's words as the bytes they came in. File names need not be UTF-8, the parser's words are.
struct RawArguments {
    private var words: [(text: String, bytes: [CChar])]

    /// `words`: each with its final zero.
    init(_ words: [[CChar]] = Self.ofProcess) {
        self.words = words.map { word in (word.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }, word) }
    }

    /// The path a parsed argument means. Each damaged word is used once, so that two that look alike stay apart.
    mutating func path(_ argument: String) -> FilePath {
        let isDamaged = argument.unicodeScalars.contains("\u{FFFD}")
        guard isDamaged, let index = words.firstIndex(where: { Self.prefix($0.text, before: argument) != nil }),
            let prefix = Self.prefix(words[index].text, before: argument)
        else { return FilePath(argument) }
        return FilePath(platformString: Array(words.remove(at: index).bytes[prefix...]))
    }

    /// Bytes in front of the argument: 0, or those of `--option=`; nil when the word holds something else.
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
