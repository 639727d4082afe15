/// The letters of a Nextcloud server (`Avatar.php`): the first code points of what is before and behind the first blank, in
/// upper case; for an empty name, a question mark. Its web client takes the last blank instead.
package enum NextcloudInitials {
    /// A blank at the beginning leaves the letter behind it alone.
    package static func letters(of name: String) -> String {
        // PHP takes a zero for an empty text.
        if name.isEmpty || name == "0" { return "?" }
        let parts = name.unicodeScalars.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.map { String($0.prefix(1)).uppercased() }.joined()
    }
}
