/// What makes the contacts of one book one book: unique ids, and the groups of all of them.
package struct BookRegister: Sendable {
    private var identities: Identities
    private var members = GroupMembers()

    /// `expecting`: about how many contacts will come; `owners`: whose the ids are that several have, see `Identities`.
    package init(expecting count: Int = 0, owners: Identities.Owners = [:]) {
        identities = Identities(expecting: count, owners: owners)
    }

    /// Own ids that several contacts have.
    package var shared: Set<String> { identities.shared }

    /// Must come before the contacts that belong to the group. `group`: a contact of `Contact.Kind.group`.
    package mutating func add(group: Contact) { members.add(group) }

    /// No group names its members, so that only ids are different in a book.
    package var isWithoutGroups: Bool { members.isEmpty }

    /// The id alone, for a contact that is in no group of others.
    package mutating func admit(_ contact: PackedContact) -> String {
        identities.unique(contact.id) { contact.contact.fingerprint }
    }

    /// The contact as a part of the book. Call it in the book's order, once a contact.
    package mutating func admit(_ contact: Contact) -> Contact {
        // Before `complete`, which would hold a second reference to the ids while one is added: they were copied each time.
        let id = identities.unique(contact.id) { contact.fingerprint }
        return complete(contact, id: id)
    }

    /// The contact as a part of the book, where the id that `admit` gave it is known.
    package func complete(_ contact: consuming Contact, id: String) -> Contact {
        let more = members.groups(of: contact)
        if !more.isEmpty {
            var groups = UniqueGroups(contact.groups)
            groups.add(more)
            contact.groups = groups.groups
        }
        contact.id = id
        return contact
    }
}
