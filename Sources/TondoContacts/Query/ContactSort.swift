/// Orders contacts by a name. Contacts without that name come last, forwards and backwards; equal names stay in the
/// book's order, forwards and backwards.
///
/// Names are compared by the Unicode Collation Algorithm with the CLDR rules of a locale, all levels (ICU, through
/// Foundation): accents matter only between equal letters, letter case only between equal accents, and scripts come in
/// the locale's order. Locales other than Chinese, Japanese and Korean order Han characters only by their code points;
/// there, names that begin with one come after all others, by the Chinese rules (pinyin).
package struct ContactSort: Hashable, Sendable {
    package enum Name: String, Hashable, Sendable, CaseIterable {
        case given, family
    }

    package var name: Name
    /// From Z to A.
    package var isDescending: Bool
    /// Such as `sv_SE`; empty for the root rules.
    package var locale: String

    package init(_ name: Name, isDescending: Bool = false, locale: String = "") {
        (self.name, self.isDescending, self.locale) = (name, isDescending, locale)
    }

    /// Reads one of `words`, in any case; nil for other words.
    package init?(_ text: String, locale: String = "") {
        guard let choice = Self.choices.first(where: { $0.word == text.lowercased() }) else { return nil }
        self.init(choice.name, isDescending: choice.isDescending, locale: locale)
    }

    /// `given`, `given-asc`, `given-desc`, `family`...
    package static var words: [String] { choices.map(\.word) }

    private static let choices = Name.allCases.flatMap { name in
        [("", false), ("-asc", false), ("-desc", true)].map { suffix, isDescending in
            (word: name.rawValue + suffix, name: name, isDescending: isDescending)
        }
    }

    /// The locale of the environment (POSIX.1-2017 8.2), such as `sv_SE` for `LC_ALL=sv_SE.UTF-8`.
    package static func locale(ofEnvironment environment: [String: String]) -> String {
        let values = ["LC_ALL", "LC_COLLATE", "LANG"].compactMap { environment[$0] }
        let name = String(values.first { !$0.isEmpty }?.prefix { $0 != "." && $0 != "@" } ?? "")
        return ["C", "POSIX"].contains(name) ? "" : name
    }

    package func sorted(_ contacts: [Contact]) -> [Contact] { order(of: contacts).map { contacts[$0] } }

    /// The contacts' positions in their new order.
    package func order(of contacts: [Contact]) -> [Int] {
        var known = CollatedNames()
        return order(of: contacts.map(\.name), &known)
    }

    /// The same by their names alone. `known`: keeps what was compared, for the next order of the same or nearly the same
    /// names.
    package func order(of names: [ContactName], _ known: inout CollatedNames) -> [Int] {
        let names = names.map { (name == .given ? $0.given : $0.family).trimmed }
        let ranks = known.ranks(of: Set(names), locale)
        return names.indices.sorted { one, other in
            let (first, second) = (ranks[names[one]], ranks[names[other]])
            guard let first, let second, first != second else {
                return first == second ? one < other : first != nil
            }
            return isDescending ? first > second : first < second
        }
    }
}
