/// A group and the number of its members; as JSON, of `tondo contacts groups --json` and `GET /v1/groups`.
package struct GroupSummary: Codable, Hashable, Sendable, Identifiable {
    /// The book's own, or the name.
    package var id: String
    /// As the first contact or declaration has it.
    package var name: String
    /// Contacts that are members, each counted once.
    package var total: Int
    /// As the book declares it; else the number of members known to be online.
    package var online: Int

    /// All groups of a book: the declared ones first, then in the order the contacts name them. Contacts that are
    /// groups are not counted as members.
    package static func all(of contacts: some Sequence<Contact>, declared: [ContactGroup] = []) -> [GroupSummary] {
        var tally = GroupTally()
        for group in declared { tally.note(group) }
        for contact in contacts { tally.add(contact) }
        return GroupTally.summaries(of: [tally])
    }
}

/// The groups of some contacts and their members, to be joined with those of other contacts. Pure.
package struct GroupTally: Sendable {
    private struct Entry: Sendable {
        var summary: GroupSummary
        /// As the first contact with a number declares it.
        var declaredOnline: Int?
    }

    private var entries: [Entry] = []
    /// By ids; groups without an id of their own are also found by their folded names.
    private var positions: [String: Int] = [:]

    package init() {}

    /// Counts the contacts, and the groups in the order in which they name them.
    package init(_ contacts: some Sequence<Contact>) { for contact in contacts { add(contact) } }

    /// A group without a member.
    package mutating func note(_ group: ContactGroup) {
        let position = position(of: group.id, name: group.name)
        entries[position].declaredOnline = entries[position].declaredOnline ?? group.online
    }

    /// A contact that is a group is no member.
    package mutating func add(_ contact: Contact) {
        if contact.kind == .group { return }
        for group in contact.groups { note(group) }
        // A contact may name a group twice.
        for position in Set(contact.groups.map { position(of: $0.id, name: $0.name) }) {
            entries[position].summary.total += 1
            if contact.isOnline == true { entries[position].summary.online += 1 }
        }
    }

    /// The groups of all, in the order in which the contacts of one tally after the other name them.
    package static func summaries(of tallies: some Sequence<GroupTally>) -> [GroupSummary] {
        var all = GroupTally()
        for entry in tallies.lazy.flatMap(\.entries) {
            let position = all.position(of: entry.summary.id, name: entry.summary.name)
            all.entries[position].declaredOnline = all.entries[position].declaredOnline ?? entry.declaredOnline
            all.entries[position].summary.total += entry.summary.total
            all.entries[position].summary.online += entry.summary.online
        }
        return all.entries.map { entry in
            var summary = entry.summary
            summary.online = entry.declaredOnline ?? summary.online
            return summary
        }
    }

    private mutating func position(of id: String, name: String) -> Int {
        if let position = positions[id] { return position }
        // Programs differ in the letter case of a name, and `ContactSelection` takes all of them.
        let key = id == name ? "\0" + ContactSelection.comparedName(of: name) : id
        let position = positions[key] ?? entries.count
        positions[id] = position
        positions[key] = position
        if position == entries.count {
            entries.append(Entry(summary: GroupSummary(id: id, name: name, total: 0, online: 0)))
        }
        return position
    }
}
