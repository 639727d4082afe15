internal import Synchronization
package import TondoContacts

/// Everybody in the books that are served, as far as they are read. Usable from any thread.
package final class Directory: Sendable {
    private let state = Mutex(State())

    private struct State {
        /// By book, in its order; nil where somebody left.
        var books: [[PackedContact?]] = []
        /// By book, one for every 128 places; nil where something changed since.
        var blocks: [[ContactBlock?]] = []
        /// Nil when something changed since.
        var snapshot: ContactSnapshot?
        let names = NameOrders()
        /// How many left each book since it was put together.
        var gaps: [Int: Int] = [:]
        /// Where a contact is: book and place in it.
        var places: [String: (book: Int, index: Int)] = [:]
        /// The ids that were put in books that are read anew, in their order.
        var anew: [Int: [String]] = [:]
        var revision = 0
        /// Made when it is needed for the first time; from then on every change is a change of it, too.
        var addresses: AddressIndex?

        var all: [PackedContact] { books.flatMap { $0.compactMap(\.self) } }

        func owner(of hash: AddressHash, in addresses: AddressIndex) -> String? {
            addresses.owner(of: hash) { one, other in
                guard let one = places[one], let other = places[other] else { return false }
                return (one.book, one.index) < (other.book, other.index)
            }
        }

        mutating func change() {
            revision += 1
            snapshot = nil
        }

        /// What stands at one place changed.
        mutating func change(_ book: Int, at index: Int) {
            change()
            let block = index / ContactIndex.capacity
            if block < blocks[book].count { blocks[book][block] = nil } else { blocks[book].append(nil) }
        }

        /// Costs what changed since the last one, and a little for every block.
        mutating func makeSnapshot() -> ContactSnapshot {
            if let snapshot { return snapshot }
            for book in books.indices {
                for block in blocks[book].indices where blocks[book][block] == nil {
                    let start = block * ContactIndex.capacity
                    let end = min(start + ContactIndex.capacity, books[book].count)
                    blocks[book][block] = ContactBlock(books[book][start..<end])
                }
            }
            let made = ContactSnapshot(revision: revision, blocks.flatMap { $0.compactMap(\.self) }, names: names)
            snapshot = made
            return made
        }

        /// Of those that left, or are another contact than before, `addresses` knows already.
        mutating func replace(_ book: Int, by people: [PackedContact]) {
            for case let contact? in books[book] { places[contact.id] = nil }
            (books[book], gaps[book]) = (people, 0)
            let count = (people.count + ContactIndex.capacity - 1) / ContactIndex.capacity
            blocks[book] = Array(repeating: nil, count: count)
            for (index, contact) in people.enumerated() { places[contact.id] = (book, index) }
        }
    }

    package init() {}

    /// Everybody, the first book's first, and a number that is another one after every change.
    package var contacts: (all: [PackedContact], revision: Int) { state.withLock { ($0.all, $0.revision) } }

    /// What lists are made of; the same as long as nothing changes.
    package var snapshot: ContactSnapshot { state.withLock { $0.makeSnapshot() } }

    package var count: Int { state.withLock { $0.places.count } }

    package func contact(_ id: String) -> Contact? {
        state.withLock { state in state.places[id].flatMap { state.books[$0.book][$0.index] } }?.contact
    }

    /// Which book somebody is in.
    package func book(of id: String) -> Int? { state.withLock { $0.places[id]?.book } }

    /// The contact with a photo whose mail address a hash is.
    package func id(of hash: AddressHash) -> Contact.ID? {
        let (owner, all, revision) = state.withLock { state -> (Contact.ID??, [PackedContact], Int) in
            if let addresses = state.addresses { return (state.owner(of: hash, in: addresses), [], 0) }
            return (nil, state.all, state.revision)
        }
        if let owner { return owner }
        // Outside the lock, since it takes long.
        let made = AddressIndex(all.lazy.map(\.contact))
        return state.withLock { state in
            if state.revision == revision { state.addresses = made }
            return state.owner(of: hash, in: made)
        }
    }

    /// How many contacts stand before the first one of a book.
    func offset(of book: Int) -> Int {
        state.withLock { state in
            state.books.indices.prefix(book).reduce(0) { $0 + state.books[$1].count - state.gaps[$1, default: 0] }
        }
    }

    /// New, or in the place of the one with its id.
    func put(_ contact: Contact, in book: Int) {
        let packed = PackedContact(contact)
        state.withLock { state in
            state.anew[book]?.append(contact.id)
            while state.books.count <= book {
                state.books.append([])
                state.blocks.append([])
            }
            if let place = state.places[contact.id], place.book == book {
                state.change(book, at: place.index)
                if let old = state.books[book][place.index] { state.addresses?.remove(old.contact) }
                state.addresses?.add(contact)
                state.books[book][place.index] = packed
                return
            }
            state.change(book, at: state.books[book].count)
            state.addresses?.add(contact)
            state.places[contact.id] = (book, state.books[book].count)
            state.books[book].append(packed)
        }
    }

    /// The people of a book stand as in `ids`; those that are not named there, behind them as before.
    func reorder(_ book: Int, _ ids: [String]) {
        state.withLock { state in
            guard state.books.indices.contains(book) else { return }
            var rest = state.books[book]
            var people: [PackedContact] = []
            people.reserveCapacity(rest.count)
            for id in ids {
                guard let place = state.places[id], place.book == book, let contact = rest[place.index] else {
                    continue
                }
                people.append(contact)
                rest[place.index] = nil
            }
            state.replace(book, by: people + rest.compactMap(\.self))
            state.change()
        }
    }

    func remove(_ id: String) {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: id) else { return }
            state.change(place.book, at: place.index)
            if let old = state.books[place.book][place.index] { state.addresses?.remove(old.contact) }
            state.books[place.book][place.index] = nil
            // Now and then, so that what many leave costs little for each of them.
            state.gaps[place.book, default: 0] += 1
            if state.gaps[place.book, default: 0] > 64 + state.books[place.book].count / 2 {
                state.replace(place.book, by: state.books[place.book].compactMap(\.self))
            }
        }
    }

    /// The books are read anew. Who is in those that are kept stays until `finish`; the others' people go at once. Gives
    /// the ids of those who left.
    @discardableResult
    func begin(keeping: (Int) -> Bool) -> [String] {
        state.withLock { state in
            state.change()
            state.addresses = nil
            let gone = state.books.indices.filter { !keeping($0) }.flatMap { state.books[$0].compactMap { $0?.id } }
            for book in state.books.indices where !keeping(book) { state.replace(book, by: []) }
            state.anew = Dictionary(uniqueKeysWithValues: state.books.indices.map { ($0, []) })
            return gone
        }
    }

    /// A book is read to its end: whoever was in it before, and was not put since `begin`, is gone, and the order is the
    /// book's. Gives the ids of those who left.
    func finish(_ book: Int) -> [String] {
        state.withLock { state in
            guard let ids = state.anew.removeValue(forKey: book), state.books.indices.contains(book) else { return [] }
            let old = state.books[book]
            // One that was put twice stands where it was put first.
            var seen: Set<String> = []
            let order = ids.filter { seen.insert($0).inserted }
            let people = order.compactMap { id in state.places[id].flatMap { old[$0.index] } }
            let left = old.compactMap { $0.flatMap { seen.contains($0.id) ? nil : $0 } }
            for contact in left { state.addresses?.remove(contact.contact) }
            let gone = left.map(\.id)
            state.replace(book, by: people)
            state.change()
            return gone
        }
    }
}
