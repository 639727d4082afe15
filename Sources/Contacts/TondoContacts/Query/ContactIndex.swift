/// Prepared search data of up to 128 contacts: their folded texts, numbers, ways and groups. Finds the same as
/// `ContactFilter`, `ContactSearch` and `ContactSelection` contact by contact. A set of rows has a bit for each
/// contact, the first contact the lowest.
package struct ContactIndex: Sendable {
    /// The rows of one index: the bits of a `UInt128`.
    package static let capacity = TextRows.capacity

    /// The condition of a query, which is applied to every block; all parts must hold.
    package struct Condition: Sendable {
        fileprivate let channels: [Int]
        fileprivate let search: ContactSearch
        /// Nil selects all.
        fileprivate let group: Group?

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
    private let texts: TextRows
    private let numbers: TextRows
    private let channels: [UInt128]
    private let groups: [Group: UInt128]

    /// More than `capacity` contacts are left out.
    package init(_ contacts: some Sequence<Contact>) {
        var (texts, numbers): ([[UInt8]], [[UInt8]]) = ([], [])
        var channels = [UInt128](repeating: 0, count: Self.channels.count)
        var groups: [Group: UInt128] = [:]
        var all: UInt128 = 0
        for (row, contact) in contacts.prefix(Self.capacity).enumerated() {
            let bit = UInt128(1) << UInt128(row)
            all |= bit
            texts.append(ContactSearch.text(of: contact))
            numbers.append(ContactSearch.numbers(of: contact))
            for (index, channel) in Self.channels.enumerated() where channel.passes(contact) { channels[index] |= bit }
            for group in contact.groups {
                groups[Group(id: group.id, name: ContactSearch.folded(group.name.trimmed)), default: 0] |= bit
            }
        }
        self.texts = TextRows(rows: texts)
        self.numbers = TextRows(rows: numbers)
        self.all = all
        self.channels = channels
        self.groups = groups
    }

    /// One for each way.
    private static let channels = ContactFilter.Channel.allCases.map { ContactFilter([$0]) }

    /// Bytes of its texts in memory.
    package var size: Int { texts.size + numbers.size }

    /// The contacts that match the condition.
    package func rows(_ condition: Condition) -> UInt128 {
        var rows = condition.channels.reduce(all) { $0 & channels[$1] }
        if let group = condition.group { rows &= self.rows(of: group) }
        return condition.search.isEmpty || rows == 0 ? rows : rows & self.rows(condition.search)
    }

    private func rows(of group: Group) -> UInt128 {
        groups.reduce(0) { $1.key.id == group.id || $1.key.name == group.name ? $0 | $1.value : $0 }
    }

    private func rows(_ search: ContactSearch) -> UInt128 {
        var found = all
        for word in search.words where found != 0 { found &= texts.rows(with: word) }
        return search.number.map { found | numbers.rows(with: $0) } ?? found
    }
}
