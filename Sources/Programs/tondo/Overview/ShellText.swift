import SystemPackage

/// Paths as a person types them into a shell.
enum ShellText {
    /// `~/.contacts` for a path in the home folder, where the shell would find it again; for people.
    static func short(_ path: FilePath, home: String?) -> String {
        guard let home, !home.isEmpty, path.string.hasPrefix(home + "/") else { return path.string }
        return "~" + path.string.dropFirst(home.count)
    }

    /// One word of a command line. A path with characters that the shell would change is quoted as a whole, without `~`.
    static func word(_ path: FilePath, home: String?) -> String {
        let short = short(path, home: home)
        if short.hasPrefix("~"), short.dropFirst().unicodeScalars.allSatisfy(isPlain) { return short }
        return word(path.string)
    }

    /// One word of a command line, quoted if the shell would change it.
    static func word(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy(isPlain) { return text }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "/._-+,:@%".unicodeScalars.contains(scalar)
    }
}
