internal import Glibc

/// Names in the order of a locale, each with its sort key, however many contacts bear it. A few new names are put into the order
/// that is known.
package struct CollatedNames: Sendable {
    private struct Name: Sendable {
        let text: String
        let key: [UInt8]
    }

    private var locale: String?
    /// In their order. Unequal names may be equal by the rules; then their characters decide, so that the order is always the
    /// same.
    private var names: [Name] = []

    package init() {}

    /// Ascending by the order of the names, equal for names that are equal by the rules. The empty name has none.
    mutating func ranks(of wanted: Set<String>, _ locale: String) -> [String: Int] {
        if self.locale != locale { (self.locale, names) = (locale, []) }
        // Names that are gone do no harm, until they are most of all.
        if names.count > 64 + 2 * wanted.count { names.removeAll { !wanted.contains($0.text) } }
        let known = Set(names.lazy.map(\.text))
        let new = wanted.filter { !$0.isEmpty && !known.contains($0) }
        if !new.isEmpty { add(new, Collation(locale)) }
        var (ranks, rank) = ([String: Int](minimumCapacity: names.count), 0)
        for (index, name) in names.enumerated() {
            if index == 0 || names[index - 1].key != name.key { rank += 1 }
            ranks[name.text] = rank
        }
        return ranks
    }

    /// Merges the new names, in their order, with those that are known.
    private mutating func add(_ texts: Set<String>, _ rules: Collation) {
        let new = texts.map { Name(text: $0, key: rules.key($0)) }.sorted(by: Self.isBefore)
        var merged: [Name] = []
        merged.reserveCapacity(names.count + new.count)
        var rest = new[...]
        for name in names {
            while let first = rest.first, Self.isBefore(first, name) { merged.append(rest.removeFirst()) }
            merged.append(name)
        }
        names = merged + rest
    }

    private static func isBefore(_ one: Name, _ other: Name) -> Bool {
        let order = memcmp(one.key, other.key, min(one.key.count, other.key.count))
        if order != 0 { return order < 0 }
        return one.key.count == other.key.count ? one.text < other.text : one.key.count < other.key.count
    }
}
