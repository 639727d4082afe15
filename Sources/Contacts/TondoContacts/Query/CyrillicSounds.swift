private import Foundation

/// Cyrillic words in Latin letters, as passports and mail addresses spell them, and the other spellings that people type.
enum CyrillicSounds {
    /// In lower case, also as Serbs write it without the marks of their Latin letters (Živković); nil for letters that are not in
    /// the table.
    static func texts(of word: String) -> [String]? {
        text(of: word, by: letters).map { [$0] + [text(of: word, by: serbian)].compactMap { $0 } }
    }

    private static func text(of word: String, by letters: [Unicode.Scalar: String]) -> String? {
        var output = ""
        let scalars = Array(word.lowercased().precomposedStringWithCanonicalMapping.unicodeScalars)
        for (scalar, next) in zip(scalars, scalars.dropFirst() + [" "]) {
            if scalar == "ъ", !"еёюя".unicodeScalars.contains(next) {
                // A vowel of Bulgarian; in Russian it stands before these letters alone.
                output += "a"
            } else if let letters = letters[scalar] {
                output += letters
            } else if scalar.value < 0x80 {
                output.unicodeScalars.append(scalar)
            } else {
                return nil
            }
        }
        return output
    }

    private static let letters: [Unicode.Scalar: String] = [
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z", "и": "i", "й": "y",
        "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f",
        "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sh", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu",
        "я": "ya",
        "і": "i", "ї": "i", "є": "e", "ґ": "g", "ў": "u", "ј": "y", "љ": "l", "њ": "n", "ђ": "d", "ћ": "ch", "џ": "dzh",
        "ѓ": "g", "ќ": "k", "ѕ": "dz",
    ]

    private static let serbian = letters.merging(
        [
            "ж": "z", "ч": "c", "ш": "s", "х": "h", "ц": "c", "й": "j", "ј": "j", "љ": "lj", "њ": "nj", "ђ": "dj",
            "ћ": "c", "џ": "dz",
        ], uniquingKeysWith: { $1 })

    /// What a word of Latin letters may mean in the spelling of `texts(of:)`: spellings differ in й and я, in х and ц, and in the
    /// г and и of Ukrainian. At most eight, `word` first.
    static func spellings(of word: String) -> [String] {
        guard !word.isEmpty, word.utf8.allSatisfy({ 0x61...0x7A ~= $0 }) else { return [word] }
        let plain = replaced(consonants(in: word), by: vowels)
        let hard = guttural(plain, as: "kh")
        var spellings: [String] = [word]
        for spelling in [hard, guttural(plain, as: "g")] {
            let soft = glided(spelling)
            let others = [
                spelling, replaced(soft, by: [("ia", "iya")]), replaced(soft, by: [("ia", "ya")]), closed(spelling),
            ]
            for other in others {
                if !spellings.contains(other) { spellings.append(other) }
            }
        }
        return Array(spellings.prefix(8))
    }

    private static func consonants(in word: String) -> String {
        var word = replaced(
            word,
            by: [
                ("shch", "sh"), ("sch", "sh"), ("tch", "ch"), ("tz", "ts"), ("ph", "f"), ("x", "ks"), ("w", "v"),
                ("ck", "k"),
            ])
        // The beginning of the above, while the word is being typed.
        if word.hasSuffix("shc") { word.removeLast() }
        return word
    }

    private static let vowels = [
        ("ye", "e"), ("je", "e"), ("yo", "e"), ("jo", "e"), ("ju", "yu"), ("iu", "yu"), ("ja", "ya"), ("ij", "iy"),
        ("ii", "iy"),
        ("j", "y"),
    ]

    /// `h` alone as `letters`, `c` alone as `ts`.
    private static func guttural(_ word: String, as letters: String) -> String {
        var (output, last): (String, Character?) = ("", nil)
        let next = Array(word.dropFirst()) + [" "]
        for (letter, next) in zip(word, next) {
            switch letter {
            case "h" where !(last.map { "kszc".contains($0) } ?? false): output += letters
            case "c" where next != "h" && next != " ": output += "ts"
            default: output.append(letter)
            }
            last = letter
        }
        return output
    }

    /// With `i` for `y` between consonants, and at the end of Zelenskyy.
    private static func closed(_ word: String) -> String {
        var (output, last) = ("", Character(" "))
        for (letter, next) in zip(word, word.dropFirst() + " ") {
            let isVowel = letter == "y" && !"aeiouy ".contains(last) && !"aeiou ".contains(next)
            output.append(isVowel ? "i" : letter)
            last = letter
        }
        return output
    }

    /// With `y` behind a vowel, and `iy` at the end.
    private static func glided(_ word: String) -> String {
        var word = replaced(word, by: [("ai", "ay"), ("ei", "ey"), ("oi", "oy"), ("ui", "uy")])
        let before = word.dropLast().last
        if word.last == "y", let before, !"aeiouy".contains(before) {
            word.removeLast()
            word += "iy"
        }
        return word
    }

    private static func replaced(_ word: String, by pairs: [(String, String)]) -> String {
        pairs.reduce(word) { $1.0.count > $0.count ? $0 : $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
