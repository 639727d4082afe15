/// The letter that a word gives as an initial: what readers take for one, in upper case.
enum InitialLetter {
    /// The first letter of the word; nil if it has none. Digits and signs are no letters.
    static func first(of word: some StringProtocol) -> String? {
        guard let byte = word.utf8.first else { return nil }
        if beginsWithDigraph(word.utf8) { return "IJ" }
        // A letter of ASCII with another one behind it is a cluster of its own.
        let next = word.utf8.dropFirst().prefix(2)
        if isLetter(byte), next.first.map(isLetter) ?? true, next.dropFirst().first != UInt8(ascii: "-") {
            return upper(byte)
        }
        if let letter = alone(in: word) { return letter }
        var rest = word[...]
        if byte == UInt8(ascii: "d") || byte == UInt8(ascii: "l") || byte == UInt8(ascii: "a")
            || byte == UInt8(ascii: "e"),
            let particle = attachedParticles.first(where: { rest.hasPrefix($0) }),
            rest.dropFirst(particle.count).first?.isLetter == true
        {
            rest = rest.dropFirst(particle.count)
        } else if hasArabicArticle(rest) {
            rest = rest.dropFirst(2)
        }
        // A sign such as the okina before "Iolani", and a vowel of Thai or Lao that is written before its consonant.
        let letter = rest.firstIndex { isVisibleLetter($0) && !isModifier($0) && !isVowelInFront($0) }
        return (letter ?? rest.firstIndex { isVisibleLetter($0) }).map { shown(rest[$0]) + tail(in: rest, behind: $0) }
    }

    /// The first letter, if it is one of Latin-1, Cyrillic, Han or hangul, and the next one cannot be a part of it. Nil: others.
    private static func alone(in word: some StringProtocol) -> String? {
        guard let scalar = word.unicodeScalars.first else { return nil }
        let next = word.utf8.dropFirst(UTF8.width(scalar)).first ?? UInt8(ascii: "a")
        let isApart = isLetter(next) || next == 0xC3 || 0xD0...0xD1 ~= next
        switch scalar.value {
        case 0xD7, 0xF7: return nil
        case 0xC0...0xDE, 0x401, 0x410...0x42F: return isApart ? String(scalar) : nil
        case 0xE0...0xFE, 0x430...0x44F, 0x451:
            let upper = Unicode.Scalar(scalar.value - (scalar.value == 0x451 ? 0x50 : 0x20))
            return isApart ? upper.map { String($0) } : nil
        case 0x4E00...0x9FFF: return 0xE4...0xE9 ~= next || next == UInt8(ascii: "a") ? String(scalar) : nil
        case 0xAC00...0xD7A3: return 0xEA...0xEC ~= next || next == UInt8(ascii: "a") ? String(scalar) : nil
        default: return nil
        }
    }

    /// The first letter of a word that consists of letters of ASCII alone; nil for another text.
    static func ofPlainWord(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { utf8 in
            guard utf8.count <= NameWords.longest, let first = utf8.first, utf8.allSatisfy(isLetter) else { return nil }
            return beginsWithDigraph(utf8) ? "IJ" : upper(first)
        }
    }

    /// The Dutch letter IJ, with two capitals before a small letter: "Ij" begins names of other languages.
    private static func beginsWithDigraph(_ word: some Collection<UInt8>) -> Bool {
        word.starts(with: "IJ".utf8) && word.dropFirst(2).first.map { 0x61...0x7A ~= $0 } == true
    }

    /// What belongs to the letter at `index` and is no part of its grapheme cluster: the consonants that a virama joins to
    /// it, as in Kannada, and vowels that are written behind it, as in Burmese. Unicode's clusters hold the conjuncts of a few
    /// scripts alone (UAX #29, GB9c).
    private static func tail(in word: some StringProtocol, behind index: String.Index) -> String {
        var before = word[index]
        return String(
            word[word.index(after: index)...].prefix(8).prefix { letter in
                defer { before = letter }
                return joins(letter, behind: before)
            })
    }

    private static func joins(_ letter: Character, behind before: Character) -> Bool {
        guard let first = letter.unicodeScalars.first, let base = before.unicodeScalars.first else { return false }
        let end = before.unicodeScalars.suffix(2).map(\.value)
        switch end.last {
        // Gurmukhi, Kannada, Burmese, Khmer, Balinese, Javanese.
        case 0xA4D, 0xCCD, 0x1039, 0x17D2, 0x1B44, 0xA9C0: return first.properties.isAlphabetic
        // Tamil has three conjuncts, and shows its virama else.
        case 0xBCD: return [0xB95: 0xBB7, 0xBB6: 0xBB0, 0xBB8: 0xBB0][base.value] == first.value
        // Sinhala shows it without a joiner.
        case 0x200D where end.first == 0xDCA: return first.properties.isAlphabetic
        default: return first.properties.generalCategory == .spacingMark
        }
    }

    /// The first emoji; nil if there is none.
    static func emoji(in text: some StringProtocol) -> String? {
        text.first { $0.isPicture }.map(bounded)
    }

    /// The letters of a word in its order, such as the syllables of a hangul name.
    static func all(of word: some StringProtocol) -> [Character] { word.filter(isVisibleLetter) }

    /// Two letters side by side. Letters that join each other read as a word then, so these are kept apart (Unicode 23.2,
    /// U+200C ZERO WIDTH NON-JOINER).
    static func pair(_ first: String, _ last: String) -> String {
        let scalars = (first.unicodeScalars.first, last.unicodeScalars.first)
        if let one = scalars.0, let other = scalars.1, joins(one), joins(other) { return first + "\u{200C}" + last }
        return first + last
    }

    static func shown(_ letter: Character) -> String {
        guard let first = letter.unicodeScalars.first else { return "" }
        // Georgian has no capitals at the beginning of names; those of Unicode are for texts in capitals alone.
        if 0x10D0...0x10FF ~= first.value { return bounded(letter) }
        let bounded = bounded(letter)
        let upper = bounded.uppercased()
        // "ß" becomes two letters.
        return upper.count == 1 ? upper : bounded
    }

    /// A name may pile marks on one letter without end.
    private static func bounded(_ letter: Character) -> String {
        if letter.utf8.count <= longest { return String(letter) }
        return letter.unicodeScalars.first.map { String($0) } ?? ""
    }

    /// Bytes; the longest emoji sequences have 35.
    private static let longest = 64

    /// Particles that are written together with the name behind them.
    private static let attachedParticles = ["d'", "d’", "l'", "l’", "al-", "el-"]

    /// The Arabic article is written together with the name behind it, which readers take for the name: "al-Hasan" is "H".
    /// What has two letters behind these two is a name of its own. Code points, since the second letter may bear a mark.
    private static func hasArabicArticle(_ word: some StringProtocol) -> Bool {
        guard word.utf8.first == 0xD8, word.unicodeScalars.starts(with: "ال".unicodeScalars) else { return false }
        return word.dropFirst(2).lazy.filter { $0.isLetter }.prefix(3).count == 3
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }

    private static func upper(_ byte: UInt8) -> String { String(Unicode.Scalar(byte & 0xDF)) }

    /// The fillers of hangul are letters that nothing shows.
    private static func isVisibleLetter(_ letter: Character) -> Bool {
        letter.isLetter && !letter.unicodeScalars.allSatisfy { $0.properties.isDefaultIgnorableCodePoint }
    }

    private static func isModifier(_ letter: Character) -> Bool {
        letter.unicodeScalars.first?.properties.generalCategory == .modifierLetter
    }

    private static func isVowelInFront(_ letter: Character) -> Bool {
        guard let value = letter.unicodeScalars.first?.value else { return false }
        return 0xE40...0xE44 ~= value || 0xEC0...0xEC4 ~= value
    }

    /// Letters of scripts that are written in joined letters: Arabic, Syriac, N'Ko, Mandaic, Mongolian, Adlam.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x600...0x77F, 0x7C0...0x7FF, 0x840...0x8FF, 0x1800...0x18AF, 0xFB50...0xFDFF, 0xFE70...0xFEFE,
            0x1E900...0x1E95F:
            true
        default: false
        }
    }
}

extension Character {
    /// An emoji; digits and signs that can be made one do not count.
    fileprivate var isPicture: Bool {
        guard let first = unicodeScalars.first, first.value > 0xFF else { return false }
        // "❤" without a selector is one, too; "‼" is punctuation.
        return first.properties.isEmojiPresentation
            || first.properties.isEmoji && (unicodeScalars.count > 1 || isSymbol)
    }
}
