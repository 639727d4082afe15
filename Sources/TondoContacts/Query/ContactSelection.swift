/// The selection and order of contacts. All conditions must hold.
package struct ContactSelection: Sendable {
    package var filter = ContactFilter()
    package var search = ContactSearch("")
    /// The id of a group, or its name in any letter case; nil selects all.
    package var group: String?
    /// Nil keeps the book's order.
    package var sort: ContactSort?

    package init() {}

    package func chosen(from contacts: [Contact]) -> [Contact] {
        let chosen = contacts.filter { contact in
            filter.passes(contact) && isInGroup(contact) && search.finds(contact)
        }
        return sort?.sorted(chosen) ?? chosen
    }

    private func isInGroup(_ contact: Contact) -> Bool {
        guard let group else { return true }
        return contact.groups.contains { Self.names(group, id: $0.id, name: $0.name) }
    }

    /// Whether `word` means the group with this id and name.
    package static func names(_ word: String, id: String, name: String) -> Bool {
        word == id || ContactSearch.folded(word.trimmed) == ContactSearch.folded(name.trimmed)
    }
}
