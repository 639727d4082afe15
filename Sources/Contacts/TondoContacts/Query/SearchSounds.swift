private import Foundation

/// How the words of a text sound in Latin letters, for those who search with a Latin keyboard: "dmitriy" for Дмитрий, "huimei"
/// for 惠美, "tanaka" for タナカ, "mueller" for Müller. A word may have several readings.
enum SearchSounds {
    /// One way to read a word.
    struct Reading {
        /// Folded, without blanks.
        var text: String
        /// The bytes of `text` in which each character of the word sounds; empty if only the whole word has a sound.
        var parts: [Range<Int>] = []

        /// The first letters of the syllables; nil for a single one.
        fileprivate var initials: Reading? {
            guard parts.count > 1 else { return nil }
            let bytes = Array(text.utf8)
            let text = String(decoding: parts.map { bytes[$0.lowerBound] }, as: UTF8.self)
            return Reading(text: text, parts: parts.indices.map { $0..<$0 + 1 })
        }
    }

    /// All readings of the words of a text, with blanks between them; empty for a text of ASCII.
    static func all(of text: String, _ pinyin: inout PinyinTable) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return "" }
        let words = words(of: text).flatMap { readings(of: String(text[$0]), &pinyin).map(\.text) }
        return words.joined(separator: " ")
    }

    /// The words that are not ASCII: letters, digits and marks that follow each other.
    static func words(of text: String) -> [Range<String.Index>] {
        var words: [Range<String.Index>] = []
        var start: String.Index?
        for index in text.indices where start == nil ? text[index].isWord : !text[index].isWord {
            if let first = start { words.append(first..<index) }
            start = start == nil ? index : nil
        }
        if let start { words.append(start..<text.endIndex) }
        return words.filter { !text[$0].utf8.allSatisfy { $0 < 0x80 } }
    }

    /// `word`: one of `words(of:)`. Empty if its folded text says the same.
    static func readings(of word: String, _ pinyin: inout PinyinTable) -> [Reading] {
        guard let script = Script.of(word) else { return [] }
        var readings: [Reading] = []
        let found: [Reading] =
            switch script {
            case .latin: umlauts(in: word).map { [Reading(text: $0)] } ?? []
            case .cyrillic: (CyrillicSounds.texts(of: word) ?? [latin(word, by: anyLatin)]).map { Reading(text: $0) }
            case .hangul: HangulSounds.readings(of: word) ?? [Reading(text: latin(word, by: anyLatin))]
            case .han: word.allSatisfy(\.isHan) ? han(word, &pinyin) : kana(word)
            case .kana: kana(word)
            case .greek: [anyLatin, greek].map { Reading(text: latin(word, by: $0)) }
            case .other: [Reading(text: latin(word, by: anyLatin)), Reading(text: anglicised(word))]
            }
        for reading in found where !reading.text.isEmpty && !readings.contains(where: { $0.text == reading.text }) {
            readings.append(reading)
        }
        return readings
    }

    private static let anyLatin = StringTransform("Any-Latin; Latin-ASCII; Lower")
    private static let greek = StringTransform("Greek-Latin/UNGEGN; Latin-ASCII; Lower")
    private static let hanLatin = StringTransform("Han-Latin")
    /// For characters that sound otherwise in a family name.
    private static let hanNames = StringTransform("Han-Latin/Names")

    private static func latin(_ word: String, by transform: StringTransform) -> String {
        let latin = word.applyingTransform(transform, reverse: false) ?? ""
        return String(SearchFold.folded(latin).filter { !$0.isWhitespace })
    }

    /// As names from India are written: Sharma, Chandra.
    private static func anglicised(_ word: String) -> String {
        let latin = word.applyingTransform(.toLatin, reverse: false) ?? ""
        let letters: [Unicode.Scalar: String] = ["ś": "sh", "ṣ": "sh", "c": "ch"]
        let scalars = latin.precomposedStringWithCanonicalMapping.unicodeScalars
        return self.latin(scalars.map { letters[$0] ?? String($0) }.joined(), by: anyLatin)
    }

    /// Pinyin with the first letters of the syllables behind it, by which names are searched, too.
    private static func han(_ word: String, _ pinyin: inout PinyinTable) -> [Reading] {
        let sounds = word.map { pinyin.sound(of: $0, make: sound) }
        let usual = sounds.map(\.usual)
        var readings = [Reading(syllables: usual)]
        if let family = sounds.first?.family { readings.append(Reading(syllables: [family] + usual.dropFirst())) }
        if sounds.contains(where: { $0.typed != nil }) {
            readings.append(Reading(syllables: sounds.map { $0.typed ?? $0.usual }))
        }
        return readings + readings.compactMap(\.initials)
    }

    private static func sound(of character: Character) -> PinyinTable.Sound {
        let toned = String(character).applyingTransform(hanLatin, reverse: false) ?? ""
        let usual = latin(toned, by: anyLatin)
        let family = latin(String(character).applyingTransform(hanNames, reverse: false) ?? "", by: anyLatin)
        return PinyinTable.Sound(
            usual: usual, typed: typed(toned).map { latin($0, by: anyLatin) }, family: family == usual ? nil : family)
    }

    /// Keyboards have no ü, and write it as v; nil for sounds without it.
    private static func typed(_ pinyin: String) -> String? {
        var (output, isOther) = (String.UnicodeScalarView(), false)
        for scalar in pinyin.decomposedStringWithCanonicalMapping.unicodeScalars {
            if scalar == "\u{308}", output.last == "u" {
                output.removeLast()
                output.append("v")
                isOther = true
            } else {
                output.append(scalar)
            }
        }
        return isOther ? String(output) : nil
    }

    /// With long vowels as they are written, and as most people type them.
    private static func kana(_ word: String) -> [Reading] {
        let long = latin(word, by: anyLatin)
        let short = ["ou", "oo", "uu"].reduce(long) { $0.replacingOccurrences(of: $1, with: String($1.prefix(1))) }
        return [Reading(text: long), Reading(text: short)]
    }

    /// The word with letters instead of accents, as it is written where keyboards lack them; nil for a word without them.
    static func umlauts(in word: String) -> String? {
        let scalars = word.lowercased().precomposedStringWithCanonicalMapping.unicodeScalars
        guard scalars.contains(where: { umlauts[$0] != nil }) else { return nil }
        return SearchFold.folded(scalars.map { umlauts[$0] ?? String($0) }.joined())
    }

    private static let umlauts: [Unicode.Scalar: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "đ": "dj",
    ]
}

extension SearchSounds {
    /// The writing that decides how a word is read: that of its first letter beyond ASCII. Names mix Han and kana; then Han
    /// decides.
    private enum Script {
        case latin, cyrillic, greek, hangul, kana, han, other

        static func of(_ word: String) -> Script? {
            var script: Script?
            for scalar in word.unicodeScalars where scalar.value >= 0x80 && scalar.properties.isAlphabetic {
                let own = Script(scalar)
                if own == .han { return own }
                if script == nil || script == .latin { script = own }
            }
            return script
        }

        private init(_ scalar: Unicode.Scalar) {
            self =
                switch scalar.value {
                case 0xAA...0x24F, 0x1E00...0x1EFF: .latin
                case 0x370...0x3FF, 0x1F00...0x1FFF: .greek
                case 0x400...0x52F: .cyrillic
                case 0x1100...0x11FF, 0xAC00...0xD7A3: .hangul
                case 0x3041...0x30FF, 0xFF66...0xFF9D: .kana
                case 0x3005, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: .han
                default: .other
                }
        }
    }
}

extension Character {
    /// A part of a word.
    var isWord: Bool {
        guard let first = unicodeScalars.first else { return false }
        if first.value < 0x80 { return ASCII.isLetter(UInt8(first.value)) || 0x30...0x39 ~= first.value }
        return isLetter || first.properties.isAlphabetic || first.properties.numericType != nil
            || first.properties.isDiacritic
    }
}
