internal import Synchronization
package import TondoContacts

/// The contacts of all served books, as far as they are read. Usable from any thread.
package final class ContactDirectory: Sendable {
    private let state: Mutex<State>
    private let showsRemote: Bool
    private let unusable: UnusablePhotos

    private struct State {
        var books: [ContactRows] = []
        /// Nil if something changed since.
        var snapshot: ContactSnapshot?
        let names = NameOrders()
        let showsPhoto: @Sendable (PackedContact) -> Bool
        /// Ids of favourites, also of those that are in no book at the moment.
        var favourites: Set<String> = []
        /// The number of contacts that arrived in books that are being read again. They come first.
        var readAgain: [Int: Int] = [:]
        var revision = 0
        /// Made when it is needed for the first time; from then on every change is a change of it, too.
        var addresses: AddressIndex?
        /// What was found for shared addresses since the last change: thousands of contacts may have one.
        var sharedOwners: [AddressHash: AddressIndex.Found] = [:]

        var all: [PackedContact] { books.flatMap { Array($0.contacts) } }

        func book(of id: String) -> Int? { books.firstIndex { $0.contains(id) } }

        func packed(_ id: String) -> PackedContact? { book(of: id).flatMap { books[$0][id] } }

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
            let blocks = books.indices.flatMap { books[$0].makeBlocks(favourites: favourites) }
            let made = ContactSnapshot(revision: revision, blocks: blocks, names: names, showsPhoto: showsPhoto)
            snapshot = made
            return made
        }

        mutating func reserve(_ book: Int) {
            while books.count <= book { books.append(ContactRows()) }
        }

        /// Contacts of all books, without groups.
        var people: Int { books.reduce(0) { $0 + $1.people } }

        /// `position`: the number of contacts in lists before it in its book.
        func listChange(_ position: Int, in book: Int) -> ListChange {
            ListChange(position: books[..<book].reduce(position) { $0 + $1.people }, total: people)
        }

        mutating func remove(_ id: String, from book: Int) -> ListChange? {
            guard let (old, position) = books[book].remove(id) else { return nil }
            addresses?.remove(old.contact)
            return listChange(position, in: book)
        }

        /// All but the first `kept`, from the end: each removal at the front would move all ids behind it at clients, 80 GB for a
        /// book of 100,000 contacts.
        mutating func removeAll(of book: Int, behind kept: Int) -> [Removal] {
            var removals: [Removal] = []
            while books[book].count > kept, let id = books[book].last?.id {
                // Each has a revision of its own, since each has an event with the total after it.
                change()
                guard let change = remove(id, from: book) else { break }
                removals.append(Removal(id: id, change: change, revision: revision))
            }
            return removals
        }
    }

    /// `showsRemote`: see `AddressIndex`.
    package convenience init(showsRemote: Bool = false) {
        self.init(showsRemote: showsRemote, unusable: UnusablePhotos())
    }

    /// `unusable`: photos that stand for no address, see `photoChanged`.
    init(showsRemote: Bool, unusable: UnusablePhotos) {
        self.showsRemote = showsRemote
        self.unusable = unusable
        state = Mutex(
            State(showsPhoto: { contact in
                contact.hasPhoto && (showsRemote || !contact.namesPhotoURL) && !unusable.contains(contact.id)
            }))
    }

    /// All contacts, the first book's first, and a number that differs after every change.
    package var contacts: (all: [PackedContact], revision: Int) { state.withLock { ($0.all, $0.revision) } }

    /// The basis of lists; the same instance as long as nothing changes.
    package var snapshot: ContactSnapshot { state.withLock { $0.makeSnapshot() } }

    /// The snapshot, if nothing has changed since it was made.
    var madeSnapshot: ContactSnapshot? { state.withLock { $0.snapshot } }

    /// Contacts of all books, without groups, as in the snapshot; takes time for each book, not for each contact.
    package var count: Int { state.withLock { $0.people } }

    /// Another number after every change.
    var revision: Int { state.withLock { $0.revision } }

    /// The contacts of one book, with groups.
    func contacts(of book: Int) -> [PackedContact] {
        state.withLock { $0.books.indices.contains(book) ? Array($0.books[book].contacts) : [] }
    }

    /// The number of contacts of one book, with groups.
    func count(of book: Int) -> Int {
        state.withLock { $0.books.indices.contains(book) ? $0.books[book].count : 0 }
    }

    /// Unpacks the contact with this published id; nil if no book has it.
    package func contact(_ id: String) -> Contact? { packed(id)?.contact }

    /// Nil if no book has it.
    func packed(_ id: String) -> PackedContact? { state.withLock { $0.packed(id) } }

    func isFavourite(_ id: String) -> Bool { state.withLock { $0.favourites.contains(id) } }

    /// The ids of all favourites, also of those that are in no book at the moment.
    var favourites: Set<String> { state.withLock { $0.favourites } }

    /// A contact that became a favourite, or no longer is one.
    struct Marked {
        let contact: PackedContact
        /// The number of contacts of all books before it, with groups.
        let index: Int
        let change: ListChange
        /// The revision of the directory after it.
        let revision: Int
    }

    /// Nil if nothing changes, or no book has the contact; then it is a favourite once one has it.
    func setFavourite(_ id: String, _ isFavourite: Bool) -> Marked? {
        state.withLock { state in
            let isNew =
                isFavourite ? state.favourites.insert(id).inserted : state.favourites.remove(id) != nil
            guard isNew, let book = state.book(of: id), let found = state.books[book].renew(id) else { return nil }
            state.change()
            return Marked(
                contact: found.contact, index: state.books[..<book].reduce(found.index) { $0 + $1.count },
                change: state.listChange(found.position, in: book), revision: state.revision)
        }
    }

    /// The book of a contact.
    package func book(of id: String) -> Int? { state.withLock { $0.book(of: id) } }

    /// To be called after the contact's photo became usable or unusable. A lookup under the lock sees the new state, or is
    /// forgotten here. Lists that join duplicates may show another contact now, so the revision changes.
    func photoChanged(of id: String) {
        state.withLock { state in
            if !state.sharedOwners.isEmpty { state.sharedOwners = [:] }
            guard let snapshot = state.snapshot, let contact = state.packed(id) else { return }
            if snapshot.mayShowOther(contact) { state.change() }
        }
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

    /// A new, changed or moved contact: takes it out, if it is there, and inserts it with `index` others of its book before it,
    /// as a client does that applies the event.
    @discardableResult
    func put(_ contact: PackedContact, at index: Int, in book: Int) -> ListChange {
        state.withLock { state in
            if let arrived = state.readAgain[book] { state.readAgain[book] = max(arrived, index + 1) }
            state.reserve(book)
            state.change()
            let (old, position) = state.books[book].put(contact, at: index)
            if let old { state.addresses?.remove(old.contact) }
            state.addresses?.add(contact.contact)
            return state.listChange(position, in: book)
        }
    }

    /// Replaces the contact with the same id where it is; false if there is none.
    @discardableResult
    func replace(_ contact: PackedContact, in book: Int) -> Bool {
        state.withLock { state in
            guard state.books.indices.contains(book), let old = state.books[book].replace(contact) else { return false }
            state.change()
            state.addresses?.remove(old.contact)
            state.addresses?.add(contact.contact)
            return true
        }
    }

    /// Nil if there is no such contact.
    @discardableResult
    func remove(_ id: String) -> ListChange? {
        state.withLock { state in
            guard let book = state.book(of: id) else { return nil }
            state.change()
            return state.remove(id, from: book)
        }
    }

    /// A contact that was removed, and the change that this was.
    struct Removal {
        let id: String
        let change: ListChange
        /// The revision of the directory after it.
        let revision: Int
    }

    /// Books are read again. Nothing changes for the unchanged ones. Contacts of books that are kept stay until
    /// `finish`; the contacts of the other books are removed at once. Returns the removals in their order.
    @discardableResult
    func begin(unchanged: (Int) -> Bool = { _ in false }, keeping: (Int) -> Bool) -> [Removal] {
        state.withLock { state in
            let read = state.books.indices.filter { !unchanged($0) }
            if read.isEmpty { return [] }
            for book in read { state.readAgain[book] = 0 }
            return read.reversed().filter { !keeping($0) }.flatMap { state.removeAll(of: $0, behind: 0) }
        }
    }

    /// A book is read completely. Contacts that did not arrive since `begin` stand behind those that did: they are removed.
    /// Returns the removals in their order.
    func finish(_ book: Int) -> [Removal] {
        state.withLock { state in
            guard let arrived = state.readAgain.removeValue(forKey: book) else { return [] }
            return state.removeAll(of: book, behind: arrived)
        }
    }
}

/// A change of the list of all contacts in the books' order, without groups, for a client that has every change before it.
struct ListChange: Equatable {
    /// Where a contact is inserted, or was removed.
    var position: Int
    /// The number of contacts after that.
    var total: Int
}
