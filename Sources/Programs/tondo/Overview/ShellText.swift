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
        if short.dropFirst(short.hasPrefix("~") ? 1 : 0).unicodeScalars.allSatisfy(isPlain) { return short }
        let parts = path.string.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "/._-+,:@%".unicodeScalars.contains(scalar)
    }
}
