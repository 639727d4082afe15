extension Contact {
    /// The letters by Tondo's own rule: those of its name, else of its organisation, else of what precedes the `@` in its
    /// first usable mail address, else of a messenger handle. Nil if none of them has a letter.
    ///
    /// A letter is a grapheme cluster, in upper case where that is one cluster, too.
    package var initials: String? {
        name.initials(isOrganisation: kind == .organisation)
            ?? organisation.first { !$0.isEmpty }.flatMap { ContactName.initials(in: $0, isOrganisation: true) }
            ?? emails.lazy.compactMap { ContactName.initials(in: $0.value) }.first
            ?? Messenger.allCases.lazy.compactMap { messengers[$0].flatMap { ContactName.initials(in: $0) } }.first
            ?? ContactName.initials(in: name.composed)
    }
}

extension ContactName {
    /// The letters of given and family name, in the order in which the formatted name has them; without both, those of the
    /// first and the last word of the formatted name, or of a nickname. Nil without a letter.
    ///
    /// Names in Han characters and kana give the first character of the family name, as an avatar with one character is
    /// what their readers expect, and as a name without blanks begins with it. Names in hangul give the given name of one
    /// or two syllables: a fifth of all Koreans share one family name. Other names in hangul give one syllable.
    package func initials(isOrganisation: Bool = false) -> String? {
        initialsOfParts ?? Self.initials(in: formatted, isOrganisation: isOrganisation) ?? Self.initials(in: spoken)
            ?? nicknames.lazy.compactMap { Self.initials(in: $0) }.first
    }

    private var initialsOfParts: String? {
        guard !given.isEmpty, !family.isEmpty, let first = Self.letter(of: Self.dotted(given, in: given + family)),
            let last = Self.letter(of: Self.dotted(family, in: given + family))
        else { return nil }
        if Self.isAll(given, and: family, where: \.isHanOrKana) { return last }
        if Self.isAll(given, and: family, where: \.isHangul) {
            let syllables = InitialLetter.all(of: HangulName.withoutHonorific(given[...]))
            let isForeign = formatted.utf8.starts(with: given.utf8) && InitialLetter.all(of: family).count > 1
            return isForeign ? first : syllables.count <= 2 ? String(syllables) : last
        }
        return beginsWithFamily ? InitialLetter.pair(last, first) : InitialLetter.pair(first, last)
    }

    /// As in Hungarian and Vietnamese names. "Okafor, Ada" is the order of a list, not that of the name.
    private var beginsWithFamily: Bool {
        formatted.utf8.starts(with: family.utf8) && !formatted.utf8.starts(with: given.utf8)
            && !formatted.utf8.dropFirst(family.utf8.count).starts(with: ",".utf8)
    }

    /// With a dot on the capitals of words in small letters, in a name whose other letters are Turkish or Azerbaijani: ı, İ, ğ, Ğ.
    private static func dotted(_ name: String, in whole: String) -> String {
        // All of them begin with this byte.
        guard whole.utf8.contains(0xC4), whole.unicodeScalars.contains(where: { "ıİğĞ".unicodeScalars.contains($0) })
        else { return name }
        let words = name.split(separator: " ").map { $0.first == "i" ? "İ" + $0.dropFirst() : String($0) }
        return words.joined(separator: " ")
    }

    private static func isAll(_ given: String, and family: String, where isOne: (Character) -> Bool) -> Bool {
        guard let first = given.first, let last = family.first else { return false }
        return isOne(first) && isOne(last)
    }

    /// The initial of a given or a family name.
    private static func letter(of name: String) -> String? {
        // Most names are one word of ASCII.
        if let letter = InitialLetter.ofPlainWord(name) { return letter }
        let word = plainFirstWord(of: name) ?? NameWords(name).words.first
        return word.flatMap { InitialLetter.first(of: NameParts.withoutAttachedTitle($0)) }
    }

    /// The first word of a name of letters and digits, as most are, which takes no table of Unicode; nil if the other words
    /// decide which is the first.
    private static func plainFirstWord(of name: String) -> Substring? {
        guard name.utf8.count <= NameWords.longest, name.utf8.allSatisfy(isInWord) else { return nil }
        let rest = name.utf8.drop { $0 == 0x20 }
        if rest.isEmpty { return nil }
        let first = Substring(rest.prefix { $0 != 0x20 })
        let isOnly = rest.dropFirst(first.utf8.count).allSatisfy { $0 == 0x20 }
        let isFirst = isOnly || InitialLetter.first(of: first) != nil && !NameParts.isLeftOutInFront(first)
        return isFirst ? first : nil
    }

    /// A byte of a letter or a digit, or a space. Blanks, commas, dots, brackets and letters of other styles begin with the others.
    private static func isInWord(_ byte: UInt8) -> Bool {
        if byte < 0x80 { return 0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte || byte == 0x20 }
        return byte != 0xC2 && byte != 0xE1 && byte != 0xE2 && byte != 0xE3 && byte < 0xEF
    }

    /// The initials of the first and the last word of a text; its first emoji if it has no letter.
    static func initials(in text: String, isOrganisation: Bool = false) -> String? {
        if text.isEmpty { return nil }
        let name = NameWords(dotted(text, in: text), isOrganisation: isOrganisation)
        guard let first = name.words.first, let last = name.words.last, let letter = InitialLetter.first(of: first)
        else {
            return InitialLetter.emoji(
                in: text.unicodeScalars.prefix(256).reduce(into: "") { $0.unicodeScalars.append($1) })
        }
        if first.first?.isHanOrKana == true, !name.isTranscribed { return letter }
        if first.first?.isHangul == true {
            if let given = HangulName(words: name.words).given { return given }
            // Syllables of two words would read as a word, perhaps as a rude one.
            if last.first?.isHangul == true { return letter }
        }
        guard name.words.count > 1, let other = InitialLetter.first(of: last) else { return letter }
        return InitialLetter.pair(letter, other)
    }
}
