/// Letters that a client names itself, such as those of a URL: its text may be anything.
package enum GivenInitials {
    /// The first two letters, digits or emoji of the text, in upper case; nil if it has none. Longer texts than a client
    /// needs are not read.
    package static func letters(of text: String) -> String? {
        guard text.utf8.count <= longest else { return nil }
        let letters = text.filter { $0.isLetter || $0.isNumber || InitialLetter.emoji(in: String($0)) != nil }.prefix(2)
        guard let first = letters.first.map(InitialLetter.shown) else { return nil }
        return letters.dropFirst().first.map { InitialLetter.pair(first, InitialLetter.shown($0)) } ?? first
    }

    /// The initials of a name that a client gives, by this rule.
    package static func letters(ofName name: String, by rule: InitialsRule) -> String? {
        name.utf8.count <= longest ? rule.letters(of: name) : nil
    }

    /// Bytes.
    private static let longest = 256
}
