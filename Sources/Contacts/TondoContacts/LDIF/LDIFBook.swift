internal import SystemPackage
internal import TondoText

/// Reads address books in LDIF (RFC 2849).
///
/// `groupOfNames` and similar entries become contacts of `Contact.Kind.group`, and their members refer to them. Values
/// at a URL are never read, but the URL of a photo is kept.
enum LDIFBook {
    /// A broken record, or a change record instead of an entry, is reported and skipped; the others are read. `name`:
    /// the file's, for places and failures.
    static func read(_ file: FileBytes, name: FilePath, into book: inout BookBuilder) throws(ContactsError) {
        let text = SourceText(file).withLineFeeds()
        var reading = Reading(pass: BookPass(text: text, file: name, book: book))
        for record in LDIFRecords(text) where reading.pass.book.hasRoom() { reading.read(record) }
        // Without any record, the directory is empty.
        guard reading.hasEntries || !reading.pass.book.hasFailures else {
            throw .otherKind("LDIF without an entry: none of its records has a line that begins with dn:")
        }
        reading.join()
        book = reading.pass.book
    }
}

private struct Reading {
    var pass: BookPass
    private let decoder = CharsetDecoder()
    private(set) var hasEntries = false
    /// Indexes of contacts by distinguished name, and by uid, for members.
    private var indices: [String: Int] = [:]
    private var namesOfMembers: [(group: Int, members: [String])] = []

    init(pass: BookPass) { self.pass = pass }

    mutating func read(_ record: LDIFRecords.Record) {
        var found: LDIFEntry?
        let (text, limits, decoder) = (pass.text, pass.book.limits, decoder)
        let isAdded = pass.add(record.range) { places throws(BookPass.Defect) in
            if record.isCut { throw .init(reason: "\(record.lines.count) lines or more in one record", path: nil) }
            let entry = LDIFEntry(record: record, of: text, by: decoder)
            found = entry
            return try Self.contact(entry, of: record, limits: limits, places: &places)
        }
        hasEntries = hasEntries || found?.name.isEmpty != true
        guard isAdded, let found else { return }
        let index = pass.book.contacts.count - 1
        indices[DistinguishedName.key(found.name)] = index
        // POSIX groups name their members by uid alone (RFC 2307).
        if let uid = found.first("uid").map(DistinguishedName.key), indices[uid] == nil { indices[uid] = index }
        if found.isGroup { namesOfMembers.append((index, found.members)) }
    }

    /// Nil for a node of the directory's tree.
    private static func contact(
        _ entry: LDIFEntry, of record: LDIFRecords.Record, limits: BookLimits, places: inout ContactLocator
    ) throws(BookPass.Defect) -> Contact? {
        // What ldapsearch writes behind the entries.
        if entry.name.isEmpty, entry.first("result", "search", "ref") != nil { return nil }
        if entry.name.isEmpty { throw .init(reason: "no distinguished name", path: nil) }
        if let change = entry.change, change != "add" {
            throw .init(reason: "a change (\(change.prefix(40))), not an entry", path: entry.name)
        }
        if let defect = record.defect { throw .init(reason: "a line without colon", offset: defect, path: entry.name) }
        if let second = entry.second {
            throw .init(reason: "two entries in one record: it has \(second)", path: entry.name)
        }
        if entry.isContainer { return nil }
        var contact = Contact(entry: entry, places: &places)
        if entry.isGroup {
            contact.kind = .group
        } else {
            var groups = UniqueGroups(limit: limits.groupsOfContact)
            groups.add(entry.groups.map { ContactGroup($0) })
            contact.groups = groups.groups
        }
        if contact.isEmpty { throw .init(.nothingInside, path: entry.name) }
        do throws(ContactsError) { try limits.check(fieldsOf: contact, card: record.range) } catch {
            throw .init(error, path: String(entry.name.prefix(200)))
        }
        if contact.id.isEmpty { contact.id = entry.name }
        return contact
    }

    /// Connects groups and members.
    mutating func join() {
        nameRelated()
        let ids = pass.book.contacts.reduce(into: [:]) { $0[$1.id, default: 0] += 1 }
        var joined: [Int: [ContactGroup]] = [:]
        var named = GroupMembers()
        for (group, names) in namesOfMembers {
            let known = ContactGroup(pass.book.contacts[group].displayName)
            pass.book.add(known)
            // Entries by their indexes: several may have one uid, of which the group means one.
            let members = names.map { (name: $0, index: indices[DistinguishedName.key($0)]) }
            let memberIDs = members.map { member in
                // An id that several contacts claim will be changed by `ContactMerger`, so the entry's name stays.
                let id = member.index.map { pass.book.contacts[$0].id }
                return id.flatMap { ids[$0] == 1 ? $0 : nil } ?? member.name
            }
            pass.book.change(group) { $0.members = memberIDs }
            for index in Set(members.compactMap(\.index)) { joined[index, default: []].append(known) }
            // Others are named by address.
            var rest = pass.book.contacts[group]
            rest.members = members.filter { $0.index == nil }.map(\.name)
            named.add(rest)
        }
        if named.isEmpty, joined.isEmpty { return }
        let outer = outer(joined)
        for index in pass.book.contacts.indices where pass.book.contacts[index].kind != .group {
            let groups = (joined[index] ?? []) + named.groups(of: pass.book.contacts[index])
            join(index, groups: groups, outer: outer)
        }
    }

    /// Puts names in the place of the distinguished names of people: those of their entries, if the file has them.
    private mutating func nameRelated() {
        for index in Set(indices.values) where !pass.book.contacts[index].related.isEmpty {
            let related = pass.book.contacts[index].related.compactMap { person in
                let entry = person.value.contains("=") ? indices[DistinguishedName.key(person.value)] : nil
                let name = entry.flatMap { pass.book.contacts[$0].displayName.filled }
                return (name ?? DirectoryName.person(in: person.value)).map { ContactPoint($0, types: person.types) }
            }
            pass.book.change(index) { $0.related = related }
        }
    }

    /// The groups that have a group as a member, by its id.
    private func outer(_ joined: [Int: [ContactGroup]]) -> [String: [ContactGroup]] {
        joined.sorted { $0.key < $1.key }.reduce(into: [:]) { outer, entry in
            let member = pass.book.contacts[entry.key]
            if member.kind == .group { outer[ContactGroup(member.displayName).id, default: []] += entry.value }
        }
    }

    /// A person whom a group names both ways, or whom two groups of one name have, gets the group once.
    private mutating func join(_ index: Int, groups: [ContactGroup], outer: [String: [ContactGroup]]) {
        if groups.isEmpty { return }
        var all = UniqueGroups(groups: pass.book.contacts[index].groups, limit: pass.book.limits.groupsOfContact)
        all.add(groups.filter { !$0.name.isEmpty })
        all.addOuter { outer[$0.id] }
        let unique = all.groups
        pass.book.change(index) { $0.groups = unique }
    }
}

extension LDIFEntry {
    /// A node of the directory's tree without a contact.
    fileprivate var isContainer: Bool {
        !isOf("person")
            && ["organizationalunit", "domain", "dcobject", "organization", "container", "country"].contains(
                where: isOf)
    }

    fileprivate var isGroup: Bool {
        ["groupofnames", "groupofuniquenames", "posixgroup", "group"].contains(where: isOf)
    }

    fileprivate var groups: [String] {
        all("memberof").compactMap(DirectoryName.group) + all("category") + all("categories")
    }

    fileprivate var members: [String] { all("member") + all("uniquemember") + all("memberuid") }
}

/// Names of entries (RFC 4514), as far as needed to compare them.
enum DistinguishedName {
    /// Without letter case and blanks around commas and equals signs.
    static func key(_ name: String) -> String {
        name.lowercased().split(separator: ",").map { part in
            part.split(separator: "=", maxSplits: 1).map { String($0).trimmed }.joined(separator: "=")
        }.joined(separator: ",")
    }
}
