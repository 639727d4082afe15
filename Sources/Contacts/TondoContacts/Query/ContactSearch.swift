private import Foundation

/// Finds contacts by words: each must occur in one of their names, titles, companies, notes, addresses, numbers, handles, pages,
/// related people or groups, ignoring letter case, accents and width. Words of Latin letters find what sounds so in other
/// scripts, and words of digits numbers in any notation. Unicode scalars are compared, so that a part of an emoji sequence or of
/// a syllable matches, too. `ContactIndex` finds the same in many contacts at once, `match(in:)` where it is.
package struct ContactSearch: Sendable {
    /// A word, or several words of digits that may be the parts of one number.
    struct Term: Sendable {
        var words: [SearchWord]
        /// What all the words together may mean.
        var numbers: [SearchNeedle] = []
    }

    let terms: [Term]

    /// An empty query matches all contacts.
    package init(_ query: String) {
        var terms: [Term] = []
        var known: Set<Substring> = []
        for part in Self.words(of: query) {
            // Words of digits may be parts of one number, which has some of them twice.
            guard let word = SearchWord(part), word.digits != nil || known.insert(part).inserted else { continue }
            if word.digits != nil, terms.last?.words.last?.digits != nil {
                terms[terms.count - 1].words.append(word)
            } else {
                terms.append(Term(words: [word]))
            }
        }
        self.terms = terms.map { term in
            var term = term
            let digits = term.words.compactMap(\.digits).joined()
            term.numbers = digits.isEmpty ? [] : SearchDigits.needles(digits)
            return term
        }
    }

    /// The words of a query, between blanks, and signs that stand around words where recipients and names are listed: `Moe, Ada`.
    static func words(of query: String) -> [Substring] {
        let words = query.split { $0.isWhitespace || separators.contains($0) }
        return words.isEmpty ? query.split(whereSeparator: \.isWhitespace) : words
    }

    private static let separators: Set<Character> = [
        ",", ";", "\"", "(", ")", "<", ">", "[", "]", "“", "”", "„", "«", "»", "‹", "›", "،", "，", "、", "（", "）", "「",
        "」",
    ]

    /// Bytes and words of a query from a client: the cost of what matched grows with both.
    package static let longestQuery = 1_024
    package static let mostWords = 16

    /// Whether a client may send it.
    package static func isPermitted(_ query: String) -> Bool {
        query.utf8.count <= longestQuery && words(of: query).count <= mostWords
    }

    /// Whether it matches all contacts.
    package var isEmpty: Bool { terms.isEmpty }

    /// Folds the contact's texts at each call: for many queries of many contacts, see `ContactIndex`.
    package func finds(_ contact: Contact) -> Bool {
        var folder = SearchFolder()
        return finds(contact, &folder)
    }

    /// `folder`: keeps the texts that contacts have in common.
    func finds(_ contact: Contact, _ folder: inout SearchFolder) -> Bool {
        terms.isEmpty || SearchRows([contact], &folder).rows(self, among: 1) != 0
    }

    /// Without letter case, accents and width, and composed (NFC); letters with a stroke become those without. U+0000
    /// is left out, because it ends C strings.
    static func folded(_ text: String) -> String {
        if text.utf8.contains(0) {
            return folded(String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" })))
        }
        // Most texts need no more, and folding by Foundation costs far more.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        let folded = text.folding(options: options, locale: nil)
        return folded.precomposedStringWithCanonicalMapping.unicodeScalars.reduce(into: "") { output, scalar in
            if let plain = stroked[scalar] { output += plain } else { output.unicodeScalars.append(scalar) }
        }
    }

    /// Letters that do not decompose (Unicode 5.18).
    private static let stroked: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h",
    ]

}
