/// Resolves a word to a contact: by its id, its whole name or a whole e-mail address. A partial match decides nothing.
package enum ContactLookup: Equatable, Sendable {
    case one(Contact)
    /// All of them match. In the book's order.
    case several([Contact])
    /// None matches; `ContactSearch` finds these. In the book's order.
    case none(candidates: [Contact])

    /// The first of these that matches decides: the id, the whole display name, a whole e-mail address; the latter two
    /// ignoring letter case and accents.
    package init(_ word: String, in contacts: [Contact]) {
        if let contact = contacts.first(where: { $0.id == word }) {
            self = .one(contact)
            return
        }
        let name = ContactSearch.folded(word.trimmed)
        guard !name.isEmpty else {
            self = .none(candidates: [])
            return
        }
        let named = contacts.filter { ContactSearch.folded($0.displayName.trimmed) == name }
        let found = named.isEmpty ? contacts.filter { Self.has($0, address: name) } : named
        if let first = found.first {
            self = found.count > 1 ? .several(found) : .one(first)
        } else {
            let search = ContactSearch(word)
            self = .none(candidates: contacts.filter { search.finds($0) })
        }
    }

    private static func has(_ contact: Contact, address: String) -> Bool {
        contact.emails.contains { ContactSearch.folded($0.value.trimmed) == address }
    }
}
