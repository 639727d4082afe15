internal import Synchronization
package import TondoContacts

/// The contacts of all served books, as far as they are read. Usable from any thread.
package final class ContactDirectory: Sendable {
    private let state = Mutex(State())
    private let showsRemote: Bool
    private let unusable: UnusablePhotos

    private struct State {
        /// By book, in the book's order; nil for a removed contact.
        var books: [[PackedContact?]] = []
        /// By book, one for every 128 places; nil if something in it changed.
        var blocks: [[ContactBlock?]] = []
        /// Nil if something changed since.
        var snapshot: ContactSnapshot?
        let names = NameOrders()
        /// How many left each book since it was put together.
        var gaps: [Int: Int] = [:]
        /// The book and place of a contact.
        var places: [String: (book: Int, index: Int)] = [:]
        /// The ids that arrived in books that are being read again, in their order.
        var anew: [Int: [String]] = [:]
        var revision = 0
        /// Made when it is needed for the first time; from then on every change is a change of it, too.
        var addresses: AddressIndex?
        /// What was found for shared addresses since the last change: thousands of contacts may have one.
        var sharedOwners: [AddressHash: AddressIndex.Found] = [:]

        var all: [PackedContact] { books.flatMap { $0.compactMap(\.self) } }

        mutating func find(
            _ hash: AddressHash, in addresses: AddressIndex, _ unusable: UnusablePhotos
        ) -> AddressIndex.Found {
            if let found = sharedOwners[hash] { return found }
            let found = addresses.find(hash, hasFailed: unusable.contains) { one, other in
                guard let one = places[one], let other = places[other] else { return false }
                return (one.book, one.index) < (other.book, other.index)
            }
            if addresses.isShared(hash) { sharedOwners[hash] = found }
            return found
        }

        mutating func change() {
            revision += 1
            snapshot = nil
            if !sharedOwners.isEmpty { sharedOwners = [:] }
        }

        /// Marks the contact at one place as changed.
        mutating func change(_ book: Int, at index: Int) {
            change()
            let block = index / ContactIndex.capacity
            if block < blocks[book].count { blocks[book][block] = nil } else { blocks[book].append(nil) }
        }

        /// Costs the changes since the last snapshot, and a little for every block.
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

    /// `showsRemote`: see `AddressIndex`.
    package convenience init(showsRemote: Bool = false) {
        self.init(showsRemote: showsRemote, unusable: UnusablePhotos())
    }

    /// `unusable`: photos that stand for no address, see `photosChanged`.
    init(showsRemote: Bool, unusable: UnusablePhotos) {
        (self.showsRemote, self.unusable) = (showsRemote, unusable)
    }

    /// All contacts, the first book's first, and a number that differs after every change.
    package var contacts: (all: [PackedContact], revision: Int) { state.withLock { ($0.all, $0.revision) } }

    /// The basis of lists; the same instance as long as nothing changes.
    package var snapshot: ContactSnapshot { state.withLock { $0.makeSnapshot() } }

    package var count: Int { state.withLock { $0.places.count } }

    /// Another number after every change.
    var revision: Int { state.withLock { $0.revision } }

    /// The contacts of a book in its order, and which of them are groups.
    func order(of book: Int) -> [(id: String, isGroup: Bool)] {
        state.withLock { state in
            guard state.books.indices.contains(book) else { return [] }
            var ids = [String?](repeating: nil, count: state.books[book].count)
            for (id, place) in state.places where place.book == book { ids[place.index] = id }
            return zip(ids, state.books[book]).compactMap { id, contact in
                if let id, let contact { (id, contact.kind == .group) } else { nil }
            }
        }
    }

    package func contact(_ id: String) -> Contact? {
        state.withLock { state in state.places[id].flatMap { state.books[$0.book][$0.index] } }?.contact
    }

    /// The book of a contact.
    package func book(of id: String) -> Int? { state.withLock { $0.places[id]?.book } }

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
        state.withLock { state in
            state.books.indices.prefix(book).reduce(0) { $0 + state.books[$1].count - state.gaps[$1, default: 0] }
        }
    }

    /// Appends a contact, or replaces the one with the same id.
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

    /// Sorts a book's contacts as `ids`; contacts that are not in `ids` follow in their old order.
    ///
    /// `adding`: contacts of which those that are new take their places. Returns their number.
    @discardableResult
    func reorder(_ book: Int, _ ids: [String], adding contacts: [Contact] = []) -> Int {
        state.withLock { state in
            guard state.books.indices.contains(book) else { return 0 }
            let new = contacts.filter { state.places[$0.id] == nil }
            for contact in new {
                state.addresses?.add(contact)
                state.places[contact.id] = (book, state.books[book].count)
                state.books[book].append(PackedContact(contact))
            }
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
            return new.count
        }
    }

    func remove(_ id: String) {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: id) else { return }
            state.change(place.book, at: place.index)
            if let old = state.books[place.book][place.index] { state.addresses?.remove(old.contact) }
            state.books[place.book][place.index] = nil
            // Compacted only now and then, so that removing many contacts costs little for each.
            state.gaps[place.book, default: 0] += 1
            if state.gaps[place.book, default: 0] > 64 + state.books[place.book].count / 2 {
                state.replace(place.book, by: state.books[place.book].compactMap(\.self))
            }
        }
    }

    /// The books are read again. Contacts of books that are kept stay until `finish`; the contacts of the other books
    /// are removed at once. Returns the removed ids.
    @discardableResult
    func begin(keeping: (Int) -> Bool) -> [(book: Int, id: String)] {
        state.withLock { state in
            state.change()
            state.addresses = nil
            let gone = state.books.indices.filter { !keeping($0) }.flatMap { book in
                state.books[book].compactMap { contact in contact.map { (book: book, id: $0.id) } }
            }
            for book in state.books.indices where !keeping(book) { state.replace(book, by: []) }
            state.anew = Dictionary(uniqueKeysWithValues: state.books.indices.map { ($0, []) })
            return gone
        }
    }

    /// A book is read completely: contacts that did not arrive since `begin` are removed, and the order becomes the
    /// book's. Returns the removed ids.
    func finish(_ book: Int) -> [String] {
        state.withLock { state in
            guard let ids = state.anew.removeValue(forKey: book), state.books.indices.contains(book) else { return [] }
            let old = state.books[book]
            // A contact that arrived twice keeps its first place.
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
