/// Orders contacts by a name, or by what the book sorts it by; those without it, such as companies, by the one that is shown
/// of them. Equal names are ordered by the other name, then by the formatted one. Contacts without any name, shown by an address
/// or a number, come last, forwards and backwards. Contacts that are alike in all three are ordered by their ids, forwards and
/// backwards: the order does not depend on the book's.
///
/// Names are compared by the Unicode Collation Algorithm with the CLDR rules of a locale, all levels (ICU, through
/// Foundation): accents matter only between equal letters, letter case only between equal accents, and scripts come in
/// the locale's order. Locales other than Chinese, Japanese and Korean order Han characters only by their code points;
/// there, names that begin with one come after all others, by the Chinese rules (pinyin).
package struct ContactSort: Hashable, Sendable {
    /// The name that decides first.
    package enum Name: String, Hashable, Sendable, CaseIterable {
        case given, family
    }

    /// The other one decides among contacts that are equal in this one.
    package var name: Name
    /// From Z to A.
    package var isDescending: Bool
    /// Such as `sv_SE`; empty for the root rules.
    package var locale: String

    /// `locale`: see `locale(ofEnvironment:)` for the user's.
    package init(_ name: Name, isDescending: Bool = false, locale: String = "") {
        self.name = name
        self.isDescending = isDescending
        self.locale = locale
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

    /// For one list; a directory that changes a little keeps its `CollatedNames`, see `order(of:ids:_:)`.
    package func sorted(_ contacts: [Contact]) -> [Contact] { order(of: contacts).map { contacts[$0] } }

    /// The contacts' positions in their new order.
    package func order(of contacts: [Contact]) -> [Int] {
        var known = CollatedNames()
        return order(of: contacts.map(\.listedName), ids: contacts.map(\.id), &known)
    }

    /// The order of contacts by listed names and ids alone. `known`: keeps what was compared, for the next order of nearly
    /// these names.
    package func order(of names: [ContactName], ids: [String], _ known: inout CollatedNames) -> [Int] {
        known.begin(locale, contacts: names.count)
        var order = Array(names.indices)
        var alike = [order.indices]
        // Only contacts that share a name need the next one: its sort key costs microseconds.
        divide(&alike, in: &order, known: &known) { names[$0].first(by: name) }
        divide(&alike, in: &order, known: &known) { names[$0].second(by: name) }
        divide(&alike, in: &order, known: &known) { names[$0].formatted.trimmed }
        for places in alike {
            order[places].sort { ids[$0] == ids[$1] ? $0 < $1 : ids[$0] < ids[$1] }
        }
        return order
    }

    /// Sorts each part of the order whose contacts are alike so far by one more name, and leaves the parts that are alike in
    /// this, too.
    private func divide(
        _ alike: inout [Range<Int>], in order: inout [Int], known: inout CollatedNames, by text: (Int) -> String
    ) {
        let numbers = known.numbers(of: alike.flatMap { places in order[places].map(text) })
        known.rank()
        var (parts, start) = ([Range<Int>](), 0)
        for places in alike {
            // Keys above positions are sorted fast, and keep the book's order.
            let keys = zip(places, numbers[start..<start + places.count]).map { place, number in
                UInt64(key(known.rank(of: number))) << 32 | UInt64(order[place])
            }.sorted()
            start += places.count
            var first = places.lowerBound
            for (place, packed) in zip(places, keys) {
                order[place] = Int(UInt32(truncatingIfNeeded: packed))
                let next = place - places.lowerBound + 1
                if next < keys.count, keys[next] >> 32 == packed >> 32 { continue }
                if place > first { parts.append(first..<place + 1) }
                first = place + 1
            }
        }
        alike = parts
    }

    /// Missing names come last in both directions.
    private func key(_ rank: Int32?) -> UInt32 {
        rank.map { UInt32(isDescending ? Int32.max - $0 : $0) } ?? UInt32.max
    }
}

extension ContactName {
    /// What decides first in an order by `name`: that name, or what is shown of a contact without it. Empty without any name.
    func first(by name: ContactSort.Name) -> String {
        let (own, other) = name == .given ? (given, family) : (family, given)
        let sort = name == .given ? sortGiven : sortFamily
        return [sort, own, formatted, other].lazy.map(\.trimmed).first { !$0.isEmpty }
            ?? nicknames.lazy.map(\.trimmed).first { !$0.isEmpty } ?? ""
    }

    /// The other name, which decides next.
    func second(by name: ContactSort.Name) -> String {
        let (sort, other) = name == .given ? (sortFamily, family) : (sortGiven, given)
        return [sort, other].lazy.map(\.trimmed).first { !$0.isEmpty } ?? ""
    }
}
