/// The groups of one contact, each id once, in the order they are added. Adding takes constant time; beyond
/// `BookLimits.groupsOfContact` the rest is left out.
struct UniqueGroups {
    private(set) var groups: [ContactGroup]
    private var ids: Set<String>
    private let limit: Int

    init(_ groups: [ContactGroup] = [], limit: Int = BookLimits.standard.groupsOfContact) {
        (self.groups, self.limit) = (groups, limit)
        ids = Set(groups.lazy.map(\.id))
    }

    mutating func add(_ more: [ContactGroup]?) {
        for group in more ?? [] {
            guard groups.count < limit else { return }
            if ids.insert(group.id).inserted { groups.append(group) }
        }
    }
}
