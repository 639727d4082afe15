extension ContactName {
    /// The first letters of given and family name, in the reading order of the script; without both, of the first and the
    /// last word of `displayName`. A letter is a grapheme cluster, in upper case where that is one cluster, too; an emoji
    /// counts as a letter, a digit or a sign does not. Empty if there is no letter.
    package func initials(_ displayName: String) -> String {
        if let first = Self.initial(of: given), let second = Self.initial(of: family) {
            return isEastAsian ? second + first : first + second
        }
        // Titles such as "Dr." are no names, unless there is nothing else.
        let words = displayName.split(whereSeparator: \.isWhitespace)
        let names = words.filter { $0.last != "." || $0.utf8.count < 3 }
        let letters = (names.isEmpty ? words : names).compactMap { Self.initial(of: $0) }
        guard let first = letters.first else { return "" }
        return letters.count > 1 ? first + letters[letters.count - 1] : first
    }

    private static func initial(of word: some StringProtocol) -> String? {
        guard let byte = word.utf8.first else { return nil }
        // A letter of ASCII with another one behind it is a cluster of its own.
        if byte | 0x20 >= 0x61, byte | 0x20 <= 0x7A, word.utf8.dropFirst().first.map({ $0 < 0x80 }) ?? true {
            return String(Unicode.Scalar(byte & 0xDF))
        }
        guard let letter = word.first(where: { $0.isLetter || $0.isPicture }) else { return nil }
        // A name may pile marks on one letter without end.
        if letter.utf8.count > longestInitial { return letter.unicodeScalars.first.map { String($0).uppercased() } }
        let upper = letter.uppercased()
        return upper.count == 1 ? upper : String(letter)
    }

    /// Bytes; the longest emoji sequences have 35.
    private static let longestInitial = 64
}

extension Character {
    /// An emoji; digits and signs that can be made one do not count.
    fileprivate var isPicture: Bool {
        guard let first = unicodeScalars.first, first.value > 0xFF else { return false }
        return first.properties.isEmojiPresentation || first.properties.isEmoji && unicodeScalars.count > 1
    }
}
