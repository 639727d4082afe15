/// The members of the groups whose cards name them (RFC 6350 6.6.5).
package struct GroupMembers: Sendable {
    private var groups: [String: [ContactGroup]] = [:]
    /// The ids of the groups' own cards, by the ids of the groups: several cards may have one name.
    private var cards: [String: [String]] = [:]
    /// A phone number is among them.
    private var hasNumbers = false

    package init() {}

    var isEmpty: Bool { groups.isEmpty }

    /// `group`: a contact of `Kind.group`.
    package mutating func add(_ group: Contact) {
        let name = ContactGroup(group.displayName)
        guard !name.name.isEmpty else { return }
        cards[name.id, default: []].append(Self.key(group.id))
        // A card may name a member twice.
        for member in Set(group.members.map { Self.key($0) }) {
            groups[member, default: []].append(name)
            hasNumbers = hasNumbers || ASCII.has("tel:", in: member)
        }
    }

    /// The groups that name this contact by its id, address, number or account, in the order of their cards, then theirs.
    package func groups(of contact: Contact) -> [ContactGroup] {
        if isEmpty { return [] }
        var found = UniqueGroups()
        found.add(groups[Self.key(contact.id)])
        for email in contact.emails { found.add(groups["mailto:" + Self.key(email.value)]) }
        for one in contact.social { found.add(groups[Self.key("\(one.types.first ?? "im"):\(one.value)")]) }
        for phone in contact.phones where hasNumbers { found.add(groups[Self.key("tel:" + phone.value)]) }
        found.addOuter { cards[$0.id]?.prefix(100).flatMap { groups[$0]?.prefix(100) ?? [] } }
        return found.groups
    }

    /// Without the punctuation of numbers.
    private static func key(_ member: String) -> String {
        let key = member.lowercased()
        return ASCII.has("tel:", in: key) ? DialledNumber(key)?.uri ?? key : key
    }
}

/// The groups of one contact, each id once, in the order they are added. Adding takes constant time; beyond
/// `BookLimits.groupsOfContact` the rest is left out.
struct UniqueGroups {
    private(set) var groups: [ContactGroup]
    /// Made once there are many: most contacts have few groups.
    private var ids: Set<String> = []
    private let limit: Int

    init(groups: [ContactGroup] = [], limit: Int = BookLimits.standard.groupsOfContact) {
        self.groups = groups
        self.limit = limit
    }

    mutating func add(_ more: [ContactGroup]?) {
        for group in more ?? [] { add(group) }
    }

    /// Adds the groups that have these as members, and those that have them. Groups may be members of each other; a hundred, so
    /// that many in many others cost no more than a file of people.
    mutating func addOuter(_ outer: (ContactGroup) -> [ContactGroup]?) {
        for place in 0..<100 where place < groups.count { add(outer(groups[place]).map { Array($0.prefix(100)) }) }
    }

    mutating func add(_ group: ContactGroup) {
        guard groups.count < limit else { return }
        if groups.count < 16 {
            if groups.contains(where: { $0.id == group.id }) { return }
        } else {
            if ids.isEmpty { ids = Set(groups.lazy.map(\.id)) }
            if !ids.insert(group.id).inserted { return }
        }
        groups.append(group)
    }
}
