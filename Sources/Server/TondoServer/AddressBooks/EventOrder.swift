/// The order of the contacts as a client knows it that has applied every event: their order in the books, one book after
/// the other. The directory is ahead of the events of a change, so that a list that is requested at one of them is current.
///
/// A row counts all contacts of a book; a position counts those that lists contain, which are all but groups. Pure.
struct EventOrder {
    /// Where a contact is inserted, or was removed; and the number of contacts after that.
    struct Change: Equatable {
        var position: Int
        var total: Int
    }

    private var books: [BookOrder] = []

    /// The number of contacts in lists.
    var total: Int { books.reduce(0) { $0 + $1.listed } }

    /// A new, changed or moved contact. `row`: its row in the book after it was taken out.
    mutating func put(_ id: String, isGroup: Bool, at row: Int, in book: Int) -> Change {
        reserve(book)
        if let old = books[book].slot(of: id) { books[book].remove(at: old) }
        let new = books[book].insert(id, isGroup: isGroup, at: min(max(row, 0), books[book].count))
        return change(new, in: book)
    }

    /// Nil if the book has no such contact.
    mutating func remove(_ id: String, from book: Int) -> Change? {
        guard books.indices.contains(book), let slot = books[book].slot(of: id) else { return nil }
        let position = change(slot, in: book).position
        books[book].remove(at: slot)
        return Change(position: position, total: total)
    }

    /// The book was read completely.
    mutating func replace(_ book: Int, by contacts: [(id: String, isGroup: Bool)]) {
        reserve(book)
        books[book] = BookOrder()
        for contact in contacts { _ = books[book].insert(contact.id, isGroup: contact.isGroup, at: books[book].count) }
    }

    private mutating func reserve(_ book: Int) {
        while books.count <= book { books.append(BookOrder()) }
    }

    private func change(_ slot: BookOrder.Slot, in book: Int) -> Change {
        let before = books[..<book].reduce(0) { $0 + $1.listed }
        return Change(position: before + books[book].position(of: slot), total: total)
    }
}
