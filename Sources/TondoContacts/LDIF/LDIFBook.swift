internal import SystemPackage

/// Reads address books in LDIF (RFC 2849).
///
/// `groupOfNames` and similar entries become contacts of `Contact.Kind.group`, and their members refer to them. Values
/// at a URL are never read, but the URL of a photo is kept.
enum LDIFBook {
    /// A broken record, or a change record instead of an entry, is reported and skipped; the others are read. `name`:
    /// the file's, for places and failures.
    static func read(_ file: FileBytes, name: FilePath, into book: inout BookBuilder) throws(ContactsError) {
        let text = SourceText(file)
        var reading = Reading(text: text, places: ContactLocator(text, file: name), book: book)
        for record in LDIFRecords(text) { reading.read(record) }
        // Without any record, the directory is empty.
        guard reading.hasEntries || !reading.book.hasFailures else {
            throw .otherKind("LDIF without an entry: none of its records has a line that begins with dn:")
        }
        reading.join()
        book = reading.book
    }
}

/// One pass over a book.
private struct Reading {
    let text: SourceText
    var places: ContactLocator
    var book: BookBuilder
    private(set) var hasEntries = false
    /// Indexes in `book.contacts` by distinguished name, and by uid, for members.
    private var indices: [String: Int] = [:]
    private var namesOfMembers: [(group: Int, members: [String])] = []
    private var passed: ReadBytes

    init(text: SourceText, places: ContactLocator, book: BookBuilder) {
        (self.text, self.places, self.book) = (text, places, book)
        passed = ReadBytes(text.bytes)
    }

    mutating func read(_ record: LDIFRecords.Record) {
        guard book.hasRoom() else { return }
        defer { passed.passed(record.range.upperBound) }
        do throws(ContactsError) {
            try book.limits.check(.card, record.range.count)
            if record.isCut { throw .malformed("\(record.lines.count) lines or more in one record") }
        } catch {
            hasEntries = true
            return note(error, at: record.range.lowerBound, nil)
        }
        readEntry(record)
    }

    private mutating func readEntry(_ record: LDIFRecords.Record) {
        let entry = LDIFEntry(record, of: text)
        let start = record.range.lowerBound
        guard !entry.name.isEmpty else { return note(.malformed("no distinguished name"), at: start, nil) }
        hasEntries = true
        if let change = entry.change, change != "add" {
            return note(.malformed("a change (\(change.prefix(40))), not an entry"), at: start, entry.name)
        }
        if let defect = record.defect { return note(.malformed("a line without colon"), at: defect, entry.name) }
        if entry.isContainer { return }
        var contact = Contact(entry, places: &places)
        if entry.isGroup { contact.kind = .group }
        guard !contact.isEmpty else { return note(.nothingInside, at: start, entry.name) }
        do throws(ContactsError) {
            try book.limits.check(fieldsOf: contact, card: record.range)
        } catch { return note(error, at: start, String(entry.name.prefix(200))) }
        if contact.id.isEmpty { contact.id = entry.name }
        contact.place = places.place(record.range)
        let index = book.contacts.count
        indices[DistinguishedName.key(entry.name)] = index
        // POSIX groups name their members by uid alone (RFC 2307).
        if let uid = entry.first("uid").map(DistinguishedName.key), indices[uid] == nil { indices[uid] = index }
        if contact.kind == .group { namesOfMembers.append((index, entry.members)) }
        book.add(contact)
    }

    /// Connects groups and members.
    mutating func join() {
        let ids = book.contacts.reduce(into: [:]) { $0[$1.id, default: 0] += 1 }
        var named = GroupMembers()
        for (group, names) in namesOfMembers {
            let known = ContactGroup(book.contacts[group].displayName)
            book.add(known)
            // Entries by their indexes: several may have one uid, of which the group means one.
            let members = names.map { (name: $0, index: indices[DistinguishedName.key($0)]) }
            let memberIDs = members.map { member in
                let id = member.index.map { book.contacts[$0].id }
                return id.flatMap { ids[$0] == 1 ? $0 : nil } ?? member.name
            }
            book.change(group) { $0.members = memberIDs }
            for index in Set(members.compactMap(\.index)) { join(index, known) }
            // Others are named by address.
            var rest = book.contacts[group]
            rest.members = members.filter { $0.index == nil }.map(\.name)
            named.add(rest)
        }
        if named.isEmpty { return }
        for index in book.contacts.indices where book.contacts[index].kind != .group {
            for group in named.groups(of: book.contacts[index]) { join(index, group) }
        }
    }

    private mutating func join(_ index: Int, _ group: ContactGroup) {
        let hasRoom = book.contacts[index].groups.count < book.limits.groupsOfContact
        if book.contacts[index].kind != .group, !group.name.isEmpty, hasRoom {
            book.change(index) { $0.groups.append(group) }
        }
    }

    private mutating func note(_ error: ContactsError, at offset: Int, _ path: String?) {
        book.add(places.failure(at: offset, path: path, error))
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
