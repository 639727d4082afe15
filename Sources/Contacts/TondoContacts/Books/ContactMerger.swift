/// Merges the contacts of one book: unique ids, and the groups of all contacts.
package struct ContactMerger: Sendable {
    private var identities: Identities
    private var members = GroupMembers()

    /// `expecting`: the approximate number of contacts; `owners`: the owners of ids that several contacts claim, see
    /// `Identities`.
    package init(expecting count: Int = 0, owners: Identities.Owners = [:]) {
        identities = Identities(expecting: count, owners: owners)
    }

    /// Ids that several contacts claim.
    package var shared: Set<String> { identities.shared }

    /// Must be called before the contacts of the group. `group`: a contact of `Contact.Kind.group`.
    package mutating func add(group: Contact) { members.add(group) }

    /// The contact as a part of the book, which shares its bytes. Call it in the book's order, once per contact.
    package mutating func add(_ contact: PackedContact) -> PackedContact {
        let id = identities.unique(contact.id) { contact.contact.fingerprint }
        return complete(contact, id: id)
    }

    /// The contact as a part of the book, if its id from `add` is known.
    package func complete(_ contact: PackedContact, id: String) -> PackedContact {
        // Unpacks it only if there are groups that might name it.
        if members.isEmpty { return contact.renamed(id) }
        let own = contact.contact
        return contact.renamed(id).named(by: complete(own, id: id).groups.dropFirst(own.groups.count))
    }

    /// The contact as a part of the book. Call it in the book's order, once per contact.
    package mutating func add(_ contact: Contact) -> Contact {
        // Before `complete`, which would hold a second reference to the ids while one is added: they were copied each time.
        let id = identities.unique(contact.id) { contact.fingerprint }
        return complete(contact, id: id)
    }

    private func complete(_ contact: consuming Contact, id: String) -> Contact {
        let more = members.groups(of: contact)
        if !more.isEmpty {
            var groups = UniqueGroups(groups: contact.groups)
            groups.add(more)
            contact.groups = groups.groups
        }
        contact.id = id
        return contact
    }
}
