private import Foundation

/// The index letters of names: the first letter of a name, in upper case. `#` for names that begin with no letter.
///
/// A letter with an accent stands under its base letter unless the locale sorts it as a letter of its own: `Ö` is an `O`
/// for the root rules, and a letter behind `Z` in Swedish. Where Chinese is sorted by sound, a Han character stands under
/// the Latin letter of its sound (pinyin). A syllable of hangul stands under its first consonant (`ㅁ`), kana under the first
/// of its row (`た`), a letter of an Indic script without its vowel signs (`प`). So each letter of a sorted list stands in
/// one row.
package struct SectionTitles: Sendable {
    private let locale: String
    private let isPinyin: Bool
    private let letters: IndexLetters?
    /// Made when it is needed.
    private var rules: Locale?
    private var known: [Character: String] = [:]
    /// The titles of letters that are one scalar.
    private var scalars: [Unicode.Scalar: String] = [:]

    /// The title of names that begin with a digit or a sign, and of empty ones.
    package static let none = "#"

    /// `locale`: as in `ContactSort`.
    package init(locale: String = "") {
        self.locale = locale
        isPinyin = CollationLocale.identifier(locale) == "zh"
        letters = IndexLetters.of(locale)
    }

    /// `name`: by which the list is sorted. Remembers letters, so one object serves a whole list.
    package mutating func title(of name: String) -> String {
        let bytes = name.utf8
        guard let byte = bytes.first else { return Self.none }
        if let letters, let title = letters.title(of: name) { return title }
        // The usual case: a letter of ASCII without a combining mark.
        if byte < 0x80, byte > 0x20, bytes.dropFirst().first.map({ $0 < 0x80 }) ?? true {
            return 0x61...0x7A ~= byte | 0x20 ? Self.latin[Int(byte | 0x20) - 0x61] : Self.none
        }
        let name = isPinyin ? Collation.familyName(soundingAs: name) : name
        // The next usual case: a letter of another script, without a mark.
        var letters = name.unicodeScalars.makeIterator()
        guard let first = letters.next(), first.value > 0x20, first.isAlone, letters.next().map(\.isAlone) ?? true
        else { return titleOfCluster(name) }
        if let title = scalars[first] { return title }
        let title = titleOfCluster(name)
        scalars[first] = title
        return title
    }

    private mutating func titleOfCluster(_ name: String) -> String {
        guard let first = Self.firstLetter(of: name) else { return Self.none }
        if let title = known[first] { return title }
        let title = title(of: first)
        // A book cannot make the table grow without end.
        if known.count < 8_192 { known[first] = title }
        return title
    }

    /// The first character, or the one that is sorted first: the rules skip marks of direction before it, and exchange a
    /// vowel that is written before its consonant (Thai, Lao) with that. Nil if it is no letter.
    private static func firstLetter(of name: String) -> Character? {
        var scalars = name.unicodeScalars.drop { $0.properties.isWhitespace || $0.isSkipped }
        if scalars.first?.properties.isLogicalOrderException == true {
            let rest = scalars.dropFirst()
            if rest.first?.properties.generalCategory == .otherLetter { scalars = rest }
        }
        guard let first = Character(leading: scalars), first.isLetter, !first.isMark else { return nil }
        return first
    }

    private static let latin = (0x41...0x5A as ClosedRange<UInt8>).map { String(Unicode.Scalar($0)) }

    private mutating func title(of letter: Character) -> String {
        if isPinyin, letter.isHan, let sound = sound(of: letter) { return sound }
        let usual = String(String(letter).precomposedStringWithCompatibilityMapping.prefix(1))
        guard let base = Self.base(of: usual) else { return Self.none }
        if let title = Self.shared(base) { return title }
        // Only letters with two cases have accents that a locale's rules may make letters of their own.
        guard base.isCased, usual.unicodeScalars.count <= 8, isOwnLetter(usual, base: String(base)) else {
            return Self.upper(String(base))
        }
        return Self.upper(usual)
    }

    /// The letter without its accents and vowel signs; nil if there is none.
    private static func base(of letter: String) -> Character? {
        let folded = ContactSearch.folded(letter)
        let parts = folded.decomposedStringWithCanonicalMapping.unicodeScalars
        // The parts of a syllable of hangul are no accents.
        let isSyllable = folded.unicodeScalars.first.map(HangulLetter.isSyllable) == true
        let scalars = isSyllable ? folded.unicodeScalars : parts
        guard let first = scalars.first(where: { !$0.isSkipped }) else { return nil }
        let base = Character(first)
        return base.isLetter && !base.isMark && !HangulLetter.isVowel(first) ? base : nil
    }

    /// The title that several letters share, whatever the locale.
    private static func shared(_ base: Character) -> String? {
        guard let scalar = base.unicodeScalars.first else { return nil }
        if let consonant = HangulLetter.title(of: scalar) { return consonant }
        if let row = KanaRow.title(of: scalar) { return row }
        return finals[scalar]
    }

    /// Hebrew letters that have another form at the end of a word.
    private static let finals: [Unicode.Scalar: String] = ["ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ"]

    /// Not a variant of `base`: it stands behind all names that begin with `base`.
    private mutating func isOwnLetter(_ letter: String, base: String) -> Bool {
        let lower = letter.lowercased()
        return lower != base && compare(lower + "a", with: base + "z") == .orderedDescending
    }

    private static func upper(_ text: String) -> String {
        // Georgian names are never written in the capitals that Unicode has.
        let upper = text.unicodeScalars.first.map { 0x10D0...0x10FF ~= $0.value } == true ? text : text.uppercased()
        return upper.count == 1 ? upper : String(upper.prefix(1))
    }

    private mutating func compare(_ one: String, with other: String) -> ComparisonResult {
        let rules = rules ?? Locale(identifier: locale)
        self.rules = rules
        return one.compare(other, options: [], range: nil, locale: rules)
    }

    /// The last letter whose first sound is not behind this one.
    private mutating func sound(of letter: Character) -> String? {
        for (first, title) in Self.sounds.reversed()
        where compare(String(first), with: String(letter)) != .orderedDescending {
            return title
        }
        return nil
    }

    /// The first character of each letter by the rules of CLDR. No sound begins with I, U or V.
    private static let sounds: [(first: Character, title: String)] = [
        ("阿", "A"), ("八", "B"), ("嚓", "C"), ("咑", "D"), ("妸", "E"), ("发", "F"), ("旮", "G"), ("哈", "H"),
        ("丌", "J"), ("咔", "K"), ("垃", "L"), ("妈", "M"), ("拏", "N"), ("噢", "O"), ("妑", "P"), ("七", "Q"),
        ("呥", "R"), ("仨", "S"), ("他", "T"), ("屲", "W"), ("夕", "X"), ("丫", "Y"), ("帀", "Z"),
    ]
}

extension Unicode.Scalar {
    /// A letter, digit or sign of ASCII, or a letter of Latin-1, Latin Extended, Cyrillic, or a Han character: it is a
    /// cluster of its own between others of these.
    fileprivate var isAlone: Bool {
        switch value {
        case 0x20...0x7E, 0xC0...0x24F, 0x400...0x481, 0x48A...0x52F, 0x4E00...0x9FFF: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// The rules of order skip it where a name begins: an accent, or a mark of direction or width.
    fileprivate var isSkipped: Bool {
        properties.canonicalCombiningClass != .notReordered || properties.isDefaultIgnorableCodePoint
    }
}

extension Character {
    /// The first character of a text.
    fileprivate init?(leading scalars: Substring.UnicodeScalarView) {
        guard let first = Substring(scalars).first else { return nil }
        self = first
    }

    /// Begins with a mark or a modifier, which is no letter of a name: it has nothing before it.
    fileprivate var isMark: Bool {
        switch unicodeScalars.first?.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .modifierLetter: true
        default: false
        }
    }

    /// A Chinese character.
    var isHan: Bool {
        guard let value = unicodeScalars.first?.value else { return false }
        return (0x3400...0x9FFF).contains(value) || (0xF900...0xFAFF).contains(value)
            || (0x20000...0x323AF).contains(value)
    }
}

/// Contacts that follow each other in a list and have the same index letter; as JSON, of `GET /v1/sections`.
package struct ContactSection: Codable, Equatable, Sendable {
    /// An index letter or `#`, see `SectionTitles`.
    package var title: String
    /// The place of its first contact in the list.
    package var offset: Int
    /// At least one.
    package var count: Int

    /// `titles`: of all contacts of a list, in its order.
    package static func all(of titles: some Sequence<String>) -> [ContactSection] {
        var sections: [ContactSection] = []
        for (offset, title) in titles.enumerated() {
            if let last = sections.indices.last, sections[last].title == title {
                sections[last].count += 1
            } else {
                sections.append(ContactSection(title: title, offset: offset, count: 1))
            }
        }
        return sections
    }
}
