private import Foundation

/// Names in the order of a locale, each compared only once with others, however many contacts bear it. To compare two names
/// by the rules of a locale takes microseconds, so that to sort ten thousand takes a second: a few new names are put into
/// the order that is known.
package struct CollatedNames: Sendable {
    private struct Name: Sendable {
        let text: String
        let isHan: Bool
        /// The rules make no difference between it and the name before.
        var isLikePrevious = false
    }

    private var locale: String?
    /// In their order. Unequal names may be equal by the rules; then their characters decide, so that the order is always the
    /// same.
    private var names: [Name] = []

    package init() {}

    /// Ascending by the order of the names, equal for names that are equal by the rules. The empty name has none.
    mutating func ranks(of wanted: Set<String>, _ locale: String) -> [String: Int] {
        let rules = Rules(locale)
        if self.locale != locale { (self.locale, names) = (locale, []) }
        let known = Set(names.lazy.map(\.text))
        let new = wanted.filter { !$0.isEmpty && !known.contains($0) }
        // Names that are gone do no harm, until they are most of all.
        if names.count > 64 + 2 * wanted.count { keep(wanted, rules) }
        if new.count < 64 + names.count / 8 {
            for name in new { insert(name, rules) }
        } else {
            names = (names + new.map { Name(text: $0, isHan: rules.isHan($0)) }).sorted { rules.isBefore($0, $1) }
            for index in names.indices.dropFirst() { note(index, rules) }
        }
        var (ranks, rank) = ([String: Int](minimumCapacity: names.count), 0)
        for name in names {
            if !name.isLikePrevious { rank += 1 }
            ranks[name.text] = rank
        }
        return ranks
    }

    private mutating func keep(_ wanted: Set<String>, _ rules: Rules) {
        names.removeAll { !wanted.contains($0.text) }
        for index in names.indices { note(index, rules) }
    }

    private mutating func insert(_ text: String, _ rules: Rules) {
        let name = Name(text: text, isHan: rules.isHan(text))
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if rules.isBefore(names[middle], name) { low = middle + 1 } else { high = middle }
        }
        names.insert(name, at: low)
        for index in low...min(low + 1, names.count - 1) { note(index, rules) }
    }

    private mutating func note(_ index: Int, _ rules: Rules) {
        names[index].isLikePrevious = index > 0 && rules.compare(names[index - 1], names[index]) == .orderedSame
    }

    private struct Rules {
        let locale: Locale
        let han = Locale(identifier: "zh_CN")
        let setsHanApart: Bool

        init(_ identifier: String) {
            locale = Locale(identifier: identifier)
            let language = identifier.prefix { $0.isLetter }.lowercased()
            setsHanApart = !["zh", "yue", "ja", "ko"].contains(language)
        }

        func isHan(_ text: String) -> Bool {
            guard setsHanApart, let value = text.unicodeScalars.first?.value else { return false }
            return (0x3400...0x9FFF).contains(value) || (0xF900...0xFAFF).contains(value)
                || (0x20000...0x323AF).contains(value) || value == 0x3007
        }

        func compare(_ one: Name, _ other: Name) -> ComparisonResult {
            guard one.isHan == other.isHan else { return one.isHan ? .orderedDescending : .orderedAscending }
            return one.text.compare(other.text, options: [], range: nil, locale: one.isHan ? han : locale)
        }

        func isBefore(_ one: Name, _ other: Name) -> Bool {
            switch compare(one, other) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: one.text < other.text
            }
        }
    }
}
