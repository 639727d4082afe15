/// Prepared data of up to 128 contacts for conditions: their ways and groups; what searches read is apart, in `SearchRows`.
/// Finds the same as `ContactFilter`, `ContactSearch` and `ContactSelection` contact by contact. A set of rows has a bit for
/// each contact, the first contact the lowest.
package struct ContactIndex: Sendable {
    /// The rows of one index: the bits of a `UInt128`.
    package static let capacity = TextRows.capacity

    /// The condition of a query, which is applied to every block; all parts must hold.
    package struct Condition: Sendable {
        fileprivate let channels: [Int]
        fileprivate let search: ContactSearch
        /// Nil selects all.
        fileprivate let group: Group?

        /// Whether `rows(_:search:)` needs the texts of the contacts.
        package var isSearch: Bool { !search.isEmpty }

        /// Whether all contacts meet it.
        package var isWhole: Bool { channels.isEmpty && group == nil && search.isEmpty }

        /// `group`: an id, or a name in any letter case; nil selects all.
        package init(filter: ContactFilter, search: ContactSearch, group: String?) {
            channels = ContactIndex.channels.indices.filter {
                !filter.channels.isDisjoint(with: ContactIndex.channels[$0].channels)
            }
            self.search = search
            self.group = group.map { Group(id: $0, name: ContactSearch.folded($0.trimmed)) }
        }
    }

    fileprivate struct Group: Hashable, Sendable {
        let id: String
        /// Folded.
        let name: String
    }

    private let all: UInt128
    private let channels: [UInt128]
    private let groups: [Group: UInt128]

    /// More than `capacity` contacts are left out.
    package init(_ contacts: some Sequence<Contact>) {
        var channels = [UInt128](repeating: 0, count: Self.channels.count)
        var groups: [Group: UInt128] = [:]
        var all: UInt128 = 0
        for (row, contact) in contacts.prefix(Self.capacity).enumerated() {
            let bit = UInt128(1) << UInt128(row)
            all |= bit
            for (index, channel) in Self.channels.enumerated() where channel.passes(contact) { channels[index] |= bit }
            for group in contact.groups {
                groups[Group(id: group.id, name: ContactSearch.folded(group.name.trimmed)), default: 0] |= bit
            }
        }
        self.all = all
        self.channels = channels
        self.groups = groups
    }

    /// One for each way.
    private static let channels = ContactFilter.Channel.allCases.map { ContactFilter([$0]) }

    /// The contacts that match the condition. `texts`: of the same contacts, called for a condition with a search.
    package func rows(_ condition: Condition, texts: () -> SearchRows) -> UInt128 {
        var rows = condition.channels.reduce(all) { $0 & channels[$1] }
        if let group = condition.group { rows &= self.rows(of: group) }
        return condition.search.isEmpty || rows == 0 ? rows : texts().rows(condition.search, among: rows)
    }

    private func rows(of group: Group) -> UInt128 {
        groups.reduce(0) { $1.key.id == group.id || $1.key.name == group.name ? $0 | $1.value : $0 }
    }
}
