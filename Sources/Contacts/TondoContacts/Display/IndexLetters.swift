private import Foundation
internal import Synchronization

/// The index letters of languages in which two letters are one (`Ch` behind `H` in Czech, `Aa` as `Å` in Danish), or a letter stands
/// among another one's (`Y` as `I` in Lithuanian, `Æ` as `Ä` in Swedish). Made of the rules of order, once for each language.
struct IndexLetters: Sendable {
    /// By letters in lower case, and by two that are one.
    private var titles: [String: String] = [:]
    private static let languages: Set = [
        "cs", "cy", "da", "et", "fi", "fo", "is", "kl", "lt", "lv", "nb", "nn", "no", "sk", "sv",
    ]
    private static let known = Mutex<[String: IndexLetters]>([:])

    /// Nil for languages in which an accent decides, see `SectionTitles`. `locale`: as in `ContactSort`.
    static func of(_ locale: String) -> IndexLetters? {
        let language = locale.prefix { $0.isLetter }.lowercased()
        guard languages.contains(language) else { return nil }
        return known.withLock { known in
            let letters = known[language] ?? IndexLetters(language: language)
            known[language] = letters
            return letters
        }
    }

    private init(language: String) {
        let (order, rules) = (Collation(language), Collation(language, isPrimary: true))
        let latin = [0x61...0x7A, 0xDF...0xF6, 0xF8...0x17F].joined().compactMap(Unicode.Scalar.init(_:))
        let letters = latin.filter(\.properties.isLowercase).map { ($0, order.key(String($0))) }
        // What begins with each letter; U+FFFF is behind all others (UTS 35, part 5, 1.1).
        var places: [(title: String, first: [UInt8], last: [UInt8])] = []
        func title(of text: String) -> String? {
            let key = rules.key(text)
            return places.last { !key.lexicographicallyPrecedes($0.first) && !$0.last.lexicographicallyPrecedes(key) }?
                .title
        }
        // The first one in a place gives the place its name.
        for (scalar, _) in letters.sorted(by: { $0.1.lexicographicallyPrecedes($1.1) }) {
            let letter = String(scalar)
            if title(of: letter) == nil {
                places.append((letter.uppercased(), rules.key(letter), rules.key(letter + "\u{FFFF}")))
            }
            titles[letter] = title(of: letter)
        }
        let ascii = latin.prefix(26).map { String($0) }
        for (first, second) in ascii.flatMap({ first in ascii.map { (first, $0) } }) {
            let own = title(of: first + second) ?? (first + second).uppercased()
            if own != titles[first] { titles[first + second] = own }
        }
    }

    /// Nil for a name that begins with none of them.
    func title(of name: String) -> String? {
        let start = name.prefix(2).lowercased()
        guard let first = start.first else { return nil }
        return titles[start] ?? titles[Self.withoutAccentBehind(first, in: start)] ?? titles[String(first)]
    }

    /// The rules join two letters also if the second one has an accent: `Aá` stands where `Aa` does.
    private static func withoutAccentBehind(_ first: Character, in start: String) -> String {
        let rest = String(start.dropFirst())
        guard rest.utf8.first.map({ $0 >= 0x80 }) == true else { return start }
        return String(first)
            + rest.decomposedStringWithCanonicalMapping.unicodeScalars.prefix(1).map { String($0) }.joined()
    }
}
