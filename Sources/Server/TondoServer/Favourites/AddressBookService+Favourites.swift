internal import Dispatch
internal import NIOHTTP1
internal import Synchronization
internal import SystemPackage
internal import TondoAvatars
internal import TondoContacts

/// Which contacts are favourites, while books change. All of it is called on the queue of the books' events, but for
/// `setFavourite`.
extension AddressBookService {
    /// Returns once every later request shows it, and the event is published. Nothing changes for a contact that is one, or is
    /// none, already. Throws `contactNotFound` if the contact is gone by now. Blocks.
    func setFavourite(_ id: String, _ isFavourite: Bool) throws(ProblemDetails) {
        if directory.isFavourite(id) == isFavourite { return }
        guard let (path, own) = place(of: id), var contact = directory.contact(id) else { throw .contactNotFound }
        contact.id = own
        let place = FavouriteRecord.Place(book: Self.name(of: path), id: own)
        do throws(Favourites.Failure) {
            if isFavourite {
                let isShared = loader(of: path)?.identityOwners[own] != nil
                try favourites.add(FavouriteRecord(contact, in: place.book, isShared: isShared))
            } else {
                try favourites.remove(at: place)
            }
        } catch { throw ProblemDetails(error) }
        eventQueue.sync { followFavourites() }
    }

    /// Books came or went, or favourites did.
    func followFavourites() {
        let records = favourites.all
        if records.isEmpty, directory.favourites.isEmpty { return }
        let books = indices
        var ids: Set<String> = []
        var (away, taken): (Set<FavouriteRecord.Place>, Set<FavouriteRecord.Place>) = ([], [])
        for record in records {
            let own = served(record.place, books)
            // Those that come later are favourites as soon as they are there.
            let isMistaken = record.isShared == true && own.contains { !isSame($0, record) }
            if isMistaken { taken.insert(record.place) } else { ids.formUnion(own) }
            if !isMistaken, own.contains(where: isThere) { continue }
            let others = record.other.map { served($0, books) } ?? []
            ids.formUnion(others)
            if !others.contains(where: isThere) { away.insert(record.place) }
        }
        favourites.note(away: away, taken: taken)
        for id in ids.symmetricDifference(directory.favourites).sorted() {
            if let marked = directory.setFavourite(id, ids.contains(id)) { publish(marked) }
        }
    }

    /// A contact came, changed or moved. `contact`: as it is served.
    func followFavourite(_ contact: @autoclosure () -> Contact, id: String, in book: Int) {
        if favourites.isEmpty { return }
        let isRead = state.withLock { $0.progress.indices.contains(book) && $0.progress[book].isRead }
        // While a book is read, few contacts matter, and an id may still be another contact's.
        guard isRead || directory.isFavourite(id), let path = bookName(book) else { return }
        let place = FavouriteRecord.Place(book: path, id: Self.ownID(id, book))
        if let record = favourites.record(at: place) {
            favourites.note(record.place, isAway: false)
            if isRead { take(own(contact(), at: place), as: record) }
            if record.other != nil { followFavourites() }
        } else if isRead, favourites.hasAway {
            let (own, served) = (own(contact(), at: place), Set(indices.keys))
            // Several favourites may have looked like this one; then it is none of them.
            let found = favourites.away.filter { mayBe($0, own, served: served) || $0.isEdited(to: own) }
            guard found.count == 1 else { return }
            replace(found[0], by: own)
            followFavourites()
        }
    }

    /// `id`: as it was served.
    func followFavourite(removed id: String, of book: Int) {
        guard !favourites.isEmpty, let path = bookName(book),
            let record = favourites.record(at: FavouriteRecord.Place(book: path, id: Self.ownID(id, book)))
        else { return }
        if record.other == nil { favourites.note(record.place, isAway: true) } else { followFavourites() }
    }

    /// All contacts of a book are there.
    func followFavourites(read book: Int) {
        guard !favourites.isEmpty, let path = bookName(book) else { return }
        followFavourites()
        takeAll(of: path, book)
        let (away, served) = (favourites.away, Set(indices.keys))
        if away.isEmpty { return }
        let candidates = Dictionary(grouping: candidates(for: away, in: book, path: path), by: \.name)
        var isChanged = false
        for record in away {
            let alike = candidates[record.name, default: []].filter { mayBe(record, $0, served: served) }
            let equal = alike.filter { $0.card == record.card }
            guard let found = equal.count == 1 ? equal.first : alike.first, alike.count == 1 || equal.count == 1 else {
                continue
            }
            replace(record, by: found)
            isChanged = true
        }
        if isChanged { followFavourites() }
    }
}

extension AddressBookService {
    /// How a book is called among favourites.
    private static func name(of book: FilePath) -> String { book.lexicallyNormalized().string }

    private func bookName(_ book: Int) -> String? {
        state.withLock { $0.books.indices.contains(book) ? $0.books[book] : nil }.map(Self.name)
    }

    /// The indices of the served books by their names. One may be served twice.
    private var indices: [String: [Int]] {
        Dictionary(grouping: books.enumerated().map { $0 }, by: { Self.name(of: $0.element) }).mapValues { found in
            found.map(\.offset)
        }
    }

    private func served(_ place: FavouriteRecord.Place, _ books: [String: [Int]]) -> [String] {
        books[place.book, default: []].map { Self.servedID(place.id, $0) }
    }

    private func isThere(_ id: String) -> Bool { directory.book(of: id) != nil }

    /// Whether the contact with the id of a favourite, which several have, is the favourite; true for one that is away.
    private func isSame(_ id: String, _ record: FavouriteRecord) -> Bool {
        guard let contact = directory.contact(id) else { return true }
        let own = own(contact, at: record.place)
        return record.resembles(own) || record.name == own.name || !Set(record.ways).isDisjoint(with: own.ways)
    }

    /// What would be kept of a contact.
    private func own(_ contact: Contact, at place: FavouriteRecord.Place) -> FavouriteRecord {
        var contact = contact
        contact.id = place.id
        return FavouriteRecord(contact, in: place.book)
    }

    /// Whether a contact may be the favourite, which is away: it is of the same book, or that book is served no longer.
    /// `served`: the books' names.
    private func mayBe(_ record: FavouriteRecord, _ contact: FavouriteRecord, served: Set<String>) -> Bool {
        guard record.place.book == contact.place.book || !served.contains(record.place.book) else { return false }
        return record.resembles(contact) || record.place.id == contact.place.id && record.name == contact.name
    }

    /// Contacts of a book that have the name of one of these, and are no favourites.
    private func candidates(for records: [FavouriteRecord], in book: Int, path: String) -> [FavouriteRecord] {
        let names = Set(records.map { ComparedName.hash(ofFolded: $0.name) })
        var buffer: [UInt8] = []
        return directory.contacts(of: book).compactMap { packed in
            guard let name = packed.comparedName(by: &buffer), names.contains(name),
                !directory.isFavourite(packed.id)
            else { return nil }
            return own(packed.contact, at: FavouriteRecord.Place(book: path, id: Self.ownID(packed.id, book)))
        }
    }

    /// The favourite is this contact from now on, unless its own one comes back.
    private func replace(_ record: FavouriteRecord, by contact: FavouriteRecord) {
        var new = record
        new.other = contact.place
        new.take(contact)
        favourites.update([new])
    }

    private func take(_ contact: FavouriteRecord, as record: FavouriteRecord) {
        var new = record
        new.take(contact)
        if new != record { favourites.update([new]) }
    }

    /// Favourites of a book that changed while the service did not run.
    private func takeAll(of path: String, _ book: Int) {
        for record in favourites.all {
            for place in [record.place, record.other].compactMap(\.self) where place.book == path {
                let id = Self.servedID(place.id, book)
                guard directory.isFavourite(id), let contact = directory.contact(id) else { continue }
                take(own(contact, at: place), as: record)
            }
        }
    }
}

extension ProblemDetails {
    fileprivate init(_ failure: Favourites.Failure) {
        switch failure {
        case .nowhere:
            self.init(.forbidden, code: "read-only", detail: "This service has no place to keep favourites.")
        case .full:
            self.init(.conflict, code: "favourites-full", detail: "There are \(Favourites.most) favourites.")
        case .file:
            self.init(
                .insufficientStorage, code: "favourites-not-writable", detail: "The favourites cannot be written.")
        }
    }
}
