/// A group and the number of its members; as JSON, of `tondo contacts groups --json` and `GET /v1/groups`.
package struct GroupSummary: Codable, Hashable, Sendable, Identifiable {
    package var id: String
    package var name: String
    package var total: Int
    /// As the book declares it; else the number of members known to be online.
    package var online: Int

    /// All groups of a book: the declared ones first, then in the order the contacts name them. Contacts that are
    /// groups are not counted as members.
    package static func all(of contacts: some Sequence<Contact>, declared: [ContactGroup] = []) -> [GroupSummary] {
        var groups: [GroupSummary] = []
        var declaredOnline: [Int?] = []
        var positions: [String: Int] = [:]
        func position(of group: ContactGroup) -> Int {
            if let position = positions[group.id] {
                declaredOnline[position] = declaredOnline[position] ?? group.online
                return position
            }
            positions[group.id] = groups.count
            groups.append(GroupSummary(id: group.id, name: group.name, total: 0, online: 0))
            declaredOnline.append(group.online)
            return groups.count - 1
        }
        for group in declared { _ = position(of: group) }
        for contact in contacts where contact.kind != .group {
            for index in Set(contact.groups.map(position)) {
                groups[index].total += 1
                if contact.isOnline == true { groups[index].online += 1 }
            }
        }
        for (index, online) in declaredOnline.enumerated() {
            if let online { groups[index].online = online }
        }
        return groups
    }
}
