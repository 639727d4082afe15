/// The order of the contacts as a client knows it that has applied every event: their order in the books, one book after
/// the other. The directory is ahead of the events of a change, so that a list that is requested at one of them is current.
///
/// A place counts all contacts of a book; a position counts those that lists contain, which are all but groups. Pure.
struct EventOrder {
    /// Where a contact is inserted, or was removed; and the number of contacts after that.
    struct Change: Equatable {
        var position: Int
        var total: Int
    }

    private struct Book {
        var ids: [String] = []
        /// The places of the groups, ascending.
        var groups: [Int] = []
        /// The place at which the next contact probably is: contacts are read and removed in their order.
        var hint = 0

        var count: Int { ids.count - groups.count }

        func position(of place: Int) -> Int { place - (groups.firstIndex { $0 >= place } ?? groups.count) }

        mutating func place(of id: String) -> Int? {
            let start = min(hint, ids.count)
            // A whole book is removed from its end, which moves nothing.
            if start > 0, ids[start - 1] == id {
                hint = start
                return start - 1
            }
            guard let place = ids[start...].firstIndex(of: id) ?? ids[..<start].firstIndex(of: id) else { return nil }
            hint = place + 1
            return place
        }

        mutating func insert(_ id: String, isGroup: Bool, at place: Int) {
            ids.insert(id, at: place)
            for index in groups.indices where groups[index] >= place { groups[index] += 1 }
            if isGroup { groups.insert(place, at: groups.firstIndex { $0 > place } ?? groups.count) }
        }

        mutating func remove(at place: Int) {
            ids.remove(at: place)
            groups.removeAll { $0 == place }
            for index in groups.indices where groups[index] > place { groups[index] -= 1 }
            hint = place
        }
    }

    private var books: [Book] = []

    /// The number of contacts in lists.
    var total: Int { books.reduce(0) { $0 + $1.count } }

    /// A contact of a book that is being read: a new one is appended, others stay.
    mutating func append(_ id: String, isGroup: Bool, isNew: Bool, in book: Int) -> Change {
        reserve(book)
        let place = isNew ? books[book].ids.count : books[book].place(of: id) ?? books[book].ids.count
        if place == books[book].ids.count { books[book].insert(id, isGroup: isGroup, at: place) }
        return change(place, in: book)
    }

    /// A new, changed or moved contact. `place`: its place in the book after it was taken out.
    mutating func put(_ id: String, isGroup: Bool, at place: Int, in book: Int) -> Change {
        reserve(book)
        let isThere = place < books[book].ids.count && books[book].ids[place] == id
        if let old = isThere ? place : books[book].place(of: id) { books[book].remove(at: old) }
        let place = min(max(place, 0), books[book].ids.count)
        books[book].insert(id, isGroup: isGroup, at: place)
        return change(place, in: book)
    }

    /// Nil if the book has no such contact.
    mutating func remove(_ id: String, from book: Int) -> Change? {
        guard books.indices.contains(book), let place = books[book].place(of: id) else { return nil }
        let position = change(place, in: book).position
        books[book].remove(at: place)
        return Change(position: position, total: total)
    }

    /// The book was read completely.
    mutating func replace(_ book: Int, by contacts: [(id: String, isGroup: Bool)]) {
        reserve(book)
        books[book] = Book(
            ids: contacts.map(\.id), groups: contacts.indices.filter { contacts[$0].isGroup })
    }

    private mutating func reserve(_ book: Int) {
        while books.count <= book { books.append(Book()) }
    }

    private func change(_ place: Int, in book: Int) -> Change {
        let before = books[..<book].reduce(0) { $0 + $1.count }
        return Change(position: before + books[book].position(of: place), total: total)
    }
}
