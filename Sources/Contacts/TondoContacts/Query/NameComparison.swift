internal import Glibc

/// Compares contacts as `ContactSort.order(of:)` orders them, one with another: for a few contacts that are put into an order
/// that is known. For one thread.
package final class NameComparison {
    private let sort: ContactSort
    private let rules: Collation

    /// Opens the rules of the sort's locale: one object serves many comparisons.
    package init(sort: ContactSort) {
        self.sort = sort
        rules = Collation(sort.locale)
    }

    /// What a contact is compared by.
    package struct Key {
        /// By their importance; nil for a missing name.
        fileprivate let names: [[UInt8]?]
        fileprivate let id: String
    }

    /// `name`: the listed one. Keep the key for as long as a contact is compared: it costs microseconds, a comparison almost nothing.
    package func key(of name: ContactName, id: String) -> Key {
        let names = [name.first(by: sort.name), name.second(by: sort.name), name.formatted]
        return Key(names: names.map(\.trimmed).map { $0.isEmpty ? nil : rules.key($0) }, id: id)
    }

    /// A strict order: false for equal keys. Both have to come from this object.
    package func isBefore(_ one: Key, _ other: Key) -> Bool {
        for (name, otherName) in zip(one.names, other.names) {
            // Missing names come last in both directions.
            guard let name, let otherName else {
                if (name == nil) == (otherName == nil) { continue }
                return otherName == nil
            }
            if name == otherName { continue }
            return name.lexicographicallyPrecedes(otherName) != sort.isDescending
        }
        return one.id < other.id
    }
}
