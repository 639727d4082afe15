/// Orders contacts by a name. Equal names are ordered by the other name, then by the formatted one. Contacts without a name
/// come last, forwards and backwards. Contacts that are alike in all three are ordered by their ids, forwards and
/// backwards: the order does not depend on the book's.
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
        return order(of: contacts.map(\.name), ids: contacts.map(\.id), &known)
    }

    /// The same by names and ids alone. `known`: keeps what was compared, for the next order of the same or nearly the same
    /// names.
    package func order(of names: [ContactName], ids: [String], _ known: inout CollatedNames) -> [Int] {
        let first = names.map { (name == .given ? $0.given : $0.family).trimmed }
        let second = names.map { (name == .given ? $0.family : $0.given).trimmed }
        let third = names.map(\.formatted.trimmed)
        var wanted = Set(first)
        // Only contacts that share a name need the others: to compare a name costs microseconds.
        for index in Self.shared(first) { wanted.formUnion([second[index], third[index]]) }
        var ranks = known.ranks(of: wanted, locale)
        // Different names may be equal by the rules.
        let alike = Self.shared(first.map { ranks[$0] }).filter { !wanted.isSuperset(of: [second[$0], third[$0]]) }
        if !alike.isEmpty {
            for index in alike { wanted.formUnion([second[index], third[index]]) }
            ranks = known.ranks(of: wanted, locale)
        }
        let keys = [first, second, third].map { $0.map { key(ranks[$0]) } }
        return names.indices.sorted { one, other in
            for keys in keys where keys[one] != keys[other] { return keys[one] < keys[other] }
            return ids[one] == ids[other] ? one < other : ids[one] < ids[other]
        }
    }

    /// The positions of values that occur more than once.
    private static func shared<Value: Hashable>(_ values: [Value]) -> [Int] {
        var times: [Value: Int] = [:]
        for value in values { times[value, default: 0] += 1 }
        return values.indices.filter { times[values[$0]] ?? 0 > 1 }
    }

    /// Missing names come last in both directions.
    private func key(_ rank: Int?) -> Int { rank.map { isDescending ? -$0 : $0 } ?? Int.max }
}
