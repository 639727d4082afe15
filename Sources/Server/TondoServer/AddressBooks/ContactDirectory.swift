internal import Synchronization
package import TondoContacts

/// The contacts of all served books, as far as they are read. Usable from any thread.
package final class ContactDirectory: Sendable {
    private let state = Mutex(State())
    private let showsRemote: Bool
    private let unusable: UnusablePhotos

    private struct State {
        var books: [ContactRows] = []
        /// Nil if something changed since.
        var snapshot: ContactSnapshot?
        let names = NameOrders()
        /// The ids that arrived in books that are being read again, in their order.
        var readAgain: [Int: [String]] = [:]
        var revision = 0
        /// Made when it is needed for the first time; from then on every change is a change of it, too.
        var addresses: AddressIndex?
        /// What was found for shared addresses since the last change: thousands of contacts may have one.
        var sharedOwners: [AddressHash: AddressIndex.Found] = [:]

        var all: [PackedContact] { books.flatMap { Array($0.contacts) } }

        func book(of id: String) -> Int? { books.firstIndex { $0.contains(id) } }

        mutating func find(
            _ hash: AddressHash, in addresses: AddressIndex, _ unusable: UnusablePhotos
        ) -> AddressIndex.Found {
            if let found = sharedOwners[hash] { return found }
            let found = addresses.find(hash, hasFailed: unusable.contains) { one, other in
                guard let book = book(of: one), let otherBook = self.book(of: other) else { return false }
                return book == otherBook ? books[book].isBefore(one, other) : book < otherBook
            }
            if addresses.hasSeveralOwners(hash) { sharedOwners[hash] = found }
            return found
        }

        mutating func change() {
            revision += 1
            snapshot = nil
            if !sharedOwners.isEmpty { sharedOwners = [:] }
        }

        /// Costs the changes since the last snapshot, and a little for every block.
        mutating func makeSnapshot() -> ContactSnapshot {
            if let snapshot { return snapshot }
            let blocks = books.indices.flatMap { books[$0].makeBlocks() }
            let made = ContactSnapshot(revision: revision, blocks: blocks, names: names)
            snapshot = made
            return made
        }

        mutating func reserve(_ book: Int) {
            while books.count <= book { books.append(ContactRows()) }
        }
    }

    /// `showsRemote`: see `AddressIndex`.
    package convenience init(showsRemote: Bool = false) {
        self.init(showsRemote: showsRemote, unusable: UnusablePhotos())
    }

    /// `unusable`: photos that stand for no address, see `photosChanged`.
    init(showsRemote: Bool, unusable: UnusablePhotos) {
        self.showsRemote = showsRemote
        self.unusable = unusable
    }

    /// All contacts, the first book's first, and a number that differs after every change.
    package var contacts: (all: [PackedContact], revision: Int) { state.withLock { ($0.all, $0.revision) } }

    /// The basis of lists; the same instance as long as nothing changes.
    package var snapshot: ContactSnapshot { state.withLock { $0.makeSnapshot() } }

    /// Contacts of all books, without groups, as in the snapshot; takes time for each book, not for each contact.
    package var count: Int { state.withLock { $0.books.reduce(0) { $0 + $1.people } } }

    /// Another number after every change.
    var revision: Int { state.withLock { $0.revision } }

    /// The contacts of a book in its order, and which of them are groups.
    func order(of book: Int) -> [(id: String, isGroup: Bool)] {
        state.withLock { state in
            guard state.books.indices.contains(book) else { return [] }
            return state.books[book].contacts.map { ($0.id, $0.kind == .group) }
        }
    }

    /// Unpacks the contact with this published id; nil if no book has it.
    package func contact(_ id: String) -> Contact? {
        state.withLock { state in state.book(of: id).flatMap { state.books[$0][id] } }?.contact
    }

    /// The book of a contact.
    package func book(of id: String) -> Int? { state.withLock { $0.book(of: id) } }

    /// To be called after a photo became usable or unusable. A lookup under the lock sees the new state, or is forgotten here.
    func photosChanged() {
        state.withLock { if !$0.sharedOwners.isEmpty { $0.sharedOwners = [:] } }
    }

    /// The first contact with a usable photo whose mail address has this hash.
    package func id(of hash: AddressHash) -> Contact.ID? { find(hash).owner }

    /// The contacts with photos for this hash of a mail address.
    func find(_ hash: AddressHash) -> AddressIndex.Found {
        let (found, all, revision) = state.withLock { state -> (AddressIndex.Found?, [PackedContact], Int) in
            if let addresses = state.addresses { return (state.find(hash, in: addresses, unusable), [], 0) }
            return (nil, state.all, state.revision)
        }
        if let found { return found }
        // Outside the lock, since it takes long.
        let made = AddressIndex(all.lazy.map(\.contact), showsRemote: showsRemote)
        return state.withLock { state in
            let isCurrent = state.revision == revision
            if isCurrent { state.addresses = made }
            // What follows from an outdated index must not be kept.
            defer { if !isCurrent { state.sharedOwners = [:] } }
            return state.find(hash, in: made, unusable)
        }
    }

    /// The number of contacts before the first one of a book.
    func offset(of book: Int) -> Int {
        state.withLock { $0.books.prefix(book).reduce(0) { $0 + $1.count } }
    }

    /// Appends a contact, or replaces the one with the same id.
    func put(_ contact: PackedContact, in book: Int) {
        state.withLock { state in
            state.readAgain[book]?.append(contact.id)
            state.reserve(book)
            state.change()
            if let old = state.books[book].put(contact) { state.addresses?.remove(old.contact) }
            state.addresses?.add(contact.contact)
        }
    }

    /// Inserts a new contact with `index` others before it; false if the book has one with this id.
    func insert(_ contact: PackedContact, at index: Int, in book: Int) -> Bool {
        state.withLock { state in
            state.reserve(book)
            if state.books[book].contains(contact.id) { return false }
            state.readAgain[book]?.append(contact.id)
            state.change()
            state.books[book].insert(contact, at: index)
            state.addresses?.add(contact.contact)
            return true
        }
    }

    /// Sorts a book's contacts as `ids`; contacts that are not in `ids` follow in their old order.
    ///
    /// `adding`: contacts of which those that are new take their places. Returns their number.
    @discardableResult
    func reorder(_ book: Int, _ ids: [String], adding contacts: [PackedContact] = []) -> Int {
        state.withLock { state in
            guard state.books.indices.contains(book) else { return 0 }
            let new = contacts.filter { state.book(of: $0.id) == nil }
            for contact in new {
                state.addresses?.add(contact.contact)
                state.books[book].put(contact)
            }
            let old = state.books[book]
            let sorted = ids.lazy.compactMap { old[$0] }
            state.books[book] = ContactRows(Array(sorted) + Array(old.contacts))
            state.change()
            return new.count
        }
    }

    func remove(_ id: String) {
        state.withLock { state in
            guard let book = state.book(of: id) else { return }
            state.change()
            if let old = state.books[book].remove(id) { state.addresses?.remove(old.contact) }
        }
    }

    /// Books are read again. Nothing changes for the unchanged ones. Contacts of books that are kept stay until
    /// `finish`; the contacts of the other books are removed at once. Returns the removed ids.
    @discardableResult
    func begin(
        unchanged: (Int) -> Bool = { _ in false }, keeping: (Int) -> Bool
    ) -> [(book: Int, id: String)] {
        state.withLock { state in
            let read = state.books.indices.filter { !unchanged($0) }
            if read.isEmpty { return [] }
            state.change()
            let removed = read.filter { !keeping($0) }
            let gone = removed.flatMap { book in
                state.books[book].contacts.map { (book: book, contact: $0) }
            }
            for (_, contact) in gone { state.addresses?.remove(contact.contact) }
            for book in removed { state.books[book] = ContactRows() }
            for book in state.books.indices { state.readAgain[book] = unchanged(book) ? state.readAgain[book] : [] }
            return gone.map { ($0.book, $0.contact.id) }
        }
    }

    /// A book is read completely: contacts that did not arrive since `begin` are removed, and the order becomes the
    /// book's. Returns the removed ids.
    func finish(_ book: Int) -> [String] {
        state.withLock { state in
            guard let ids = state.readAgain.removeValue(forKey: book), state.books.indices.contains(book) else {
                return []
            }
            let old = state.books[book]
            // A contact that arrived twice keeps its first place.
            let people = ContactRows(ids.lazy.compactMap { old[$0] })
            let left = old.contacts.filter { !people.contains($0.id) }
            for contact in left { state.addresses?.remove(contact.contact) }
            state.books[book] = people
            state.change()
            return left.map(\.id)
        }
    }
}
