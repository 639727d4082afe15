/// Whom a word means: an id, a name, or words that are found in one contact only.
package enum ContactLookup: Equatable, Sendable {
    case one(Contact)
    /// In the book's order.
    case several([Contact])
    case nobody

    /// The first of these that finds somebody decides: the id, the whole displayed name (in any letter case, with or
    /// without accents), `ContactSearch`.
    package init(_ word: String, in contacts: [Contact]) {
        if let contact = contacts.first(where: { $0.id == word }) {
            self = .one(contact)
            return
        }
        let name = ContactSearch.folded(word.trimmed)
        guard !name.isEmpty else {
            self = .nobody
            return
        }
        let named = contacts.filter { ContactSearch.folded($0.displayName.trimmed) == name }
        let search = ContactSearch(word)
        let found = named.isEmpty ? contacts.filter { search.finds($0) } : named
        self = found.count > 1 ? .several(found) : found.first.map { .one($0) } ?? .nobody
    }
}
