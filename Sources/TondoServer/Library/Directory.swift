internal import Synchronization
package import TondoContacts

/// Everybody in the books that are served, as far as they are read. Usable from any thread.
package final class Directory: Sendable {
    private let state = Mutex(State())

    private struct State {
        /// By book, in its order.
        var books: [[Contact]] = []
        /// Where a contact is: book and place in it.
        var places: [String: (book: Int, index: Int)] = [:]
        var revision = 0
        /// Made when they are asked for.
        var all: [Contact]?
        var addresses: AddressIndex?

        mutating func change() {
            revision += 1
            (all, addresses) = (nil, nil)
        }
    }

    package init() {}

    /// Everybody, the first book's first, and a number that is another one after every change.
    package var contacts: (all: [Contact], revision: Int) {
        state.withLock { state in
            let all = state.all ?? (state.books.count == 1 ? state.books[0] : state.books.flatMap { $0 })
            state.all = all
            return (all, state.revision)
        }
    }

    package var count: Int { state.withLock { $0.places.count } }

    package func contact(_ id: String) -> Contact? {
        state.withLock { state in state.places[id].map { state.books[$0.book][$0.index] } }
    }

    /// Which book somebody is in.
    package func book(of id: String) -> Int? { state.withLock { $0.places[id]?.book } }

    /// Whose mail address a hash is.
    package func contact(of hash: AddressHash) -> Contact? {
        let (index, all, revision) = state.withLock { state in
            (state.addresses, state.addresses == nil ? state.books.flatMap { $0 } : [], state.revision)
        }
        let addresses = index ?? AddressIndex(all)
        if index == nil { remember(addresses, of: revision) }
        return addresses[hash].flatMap { contact($0) }
    }

    /// `revision`: of which contacts it was made; when there are others now, it is made anew the next time.
    private func remember(_ addresses: AddressIndex, of revision: Int) {
        state.withLock { state in
            if state.revision == revision { state.addresses = addresses }
        }
    }

    /// New, or in the place of the one with its id. Gives its place among everybody, from 0.
    @discardableResult
    func put(_ contact: Contact, in book: Int) -> Int {
        state.withLock { state in
            state.change()
            while state.books.count <= book { state.books.append([]) }
            if let place = state.places[contact.id], place.book == book {
                state.books[book][place.index] = contact
                return place.index
            }
            state.places[contact.id] = (book, state.books[book].count)
            state.books[book].append(contact)
            return state.places.count - 1
        }
    }

    func remove(_ id: String) {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: id) else { return }
            state.change()
            state.books[place.book].remove(at: place.index)
            for index in place.index..<state.books[place.book].count {
                state.places[state.books[place.book][index].id] = (place.book, index)
            }
        }
    }
}
