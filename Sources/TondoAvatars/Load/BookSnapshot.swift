internal import SystemPackage
internal import TondoContacts

/// The known state of a watched book: every file's contacts as they were read, and their merge. Pure.
struct BookSnapshot {
    /// The contents of one file.
    struct Part: Sendable {
        var people: [PackedContact] = []
        var groups: [Contact] = []
        var failures: [ContactFailure] = []
        /// Its photo names stand for several sizes, see `ScaledPhoto`.
        var hasScaledPhotos = false
    }

    /// The changes of a book.
    struct Difference {
        /// All ids in the book's order; nil if the old contacts keep their order and new ones follow.
        var order: [String]?
        /// Ids, in the old order.
        var removed: [String] = []
        /// New, changed and moved contacts in the book's order; whether the photo is another one; and the index to
        /// insert them at, see `OrderChange`.
        var changed: [(contact: Contact, hasNewPhoto: Bool, index: Int)] = []
        /// Unchanged contacts whose photo is at another place now.
        var moved: [Contact] = []
        /// New failures.
        var failures: [ContactFailure] = []
    }

    /// A contact as a part of the book.
    private struct Person: Equatable {
        var id: String
        /// A hash of all fields of the contact, including its groups.
        var words: UInt64
        var photo: UInt64
        /// The place of the photo; 0 if it does not matter.
        var place: UInt64
    }

    private var parts: [FilePath: Part] = [:]
    /// The book's files.
    private var order: [FilePath] = []
    private var people: [Person] = []
    private var failures: [ContactFailure] = []
    /// The owners of ids that several contacts claim: they keep them as long as this exists, see `Identities`.
    private(set) var owners: Identities.Owners = [:]

    init() {}

    /// See `update`.
    init(
        _ parts: [FilePath: Part], order: [FilePath], listing: [ContactFailure], owners: Identities.Owners = [:]
    ) {
        self.owners = owners
        take(parts, order, listing)
        let shared: Set<String>
        (people, shared) = joined()
        _ = learnOwners(of: shared, before: [])
    }

    /// `order`: the book's files; `read`: the new contents of some of them. Files that are not in `order` are removed.
    mutating func update(_ read: [FilePath: Part], order: [FilePath], listing: [ContactFailure]) -> Difference {
        let (oldPeople, oldFailures, oldCards) = (people, failures, Array(packed))
        take(read, order, listing)
        let old = Dictionary(oldPeople.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var shared: Set<String>
        repeat {
            (people, shared) = joined()
            // Repeated at most once, if a new contact claims an id with an owner.
        } while learnOwners(of: shared, before: oldCards.filter { shared.contains($0.id) })
        var difference = Difference()
        let placing = OrderChange(from: oldPeople.map(\.id), to: people.map(\.id))
        for (position, contact) in parts(where: { old[$1.id] != $1 || placing.moved.contains($0) }) {
            let (before, now) = (old[contact.id], people[position])
            let isNewPhoto = before?.photo != now.photo
            if isNewPhoto || before?.words != now.words || placing.moved.contains(position) {
                difference.changed.append((contact, isNewPhoto, placing.indices[position]))
            }
            if !isNewPhoto, before?.place != now.place { difference.moved.append(contact) }
        }
        let ids = Set(people.map(\.id))
        difference.removed = oldPeople.map(\.id).filter { !ids.contains($0) }
        // A set: a file with many broken cards must not cost the square of their number at every change.
        let known = Set(oldFailures)
        difference.failures = failures.filter { !known.contains($0) }
        difference.order = Self.isAppended(oldPeople, people, old) ? nil : people.map(\.id)
        return difference
    }

    /// Takes over the owners of ids in the trash, after this program removed or restored a contact.
    mutating func learn(_ removed: Identities.Owners) { owners = owners.knowing(removed) }

    /// The unreadable parts of the book.
    var unreadable: UnreadableParts { UnreadableParts(failures) }

    /// Files that were read.
    var files: Set<FilePath> { Set(parts.keys) }

    /// See `Part.hasScaledPhotos`.
    var filesWithScaledPhotos: Set<FilePath> { Set(parts.lazy.filter(\.value.hasScaledPhotos).map(\.key)) }

    var ids: [String] { people.map(\.id) }

    /// Contacts with a photo file for which `isWanted` holds, without the groups that contain them.
    func contacts(whosePhotoFile isWanted: (Contact) -> Bool) -> [Contact] {
        zip(people, packed).compactMap { person, packed in
            guard packed.namesPhotoFile else { return nil }
            var contact = packed.contact
            contact.id = person.id
            return isWanted(contact) ? contact : nil
        }
    }

    /// Contacts with the URL of a photo for which `isWanted` holds, without the groups that contain them.
    func contactsWithPhotoURL(where isWanted: (String) -> Bool) -> [Contact] {
        zip(people, packed).compactMap { person, packed in
            guard packed.namesPhotoURL else { return nil }
            var contact = packed.contact
            contact.id = person.id
            if case .remote(let url)? = contact.photo, isWanted(url) { return contact }
            return nil
        }
    }

    /// The contacts in these files, by the files' paths in the book.
    func ids(in files: Set<String>) -> [String] {
        var (ids, start) = ([String](), 0)
        for file in order {
            let end = start + (parts[file]?.people.count ?? 0)
            if files.contains(file.string) { ids += people[start..<end].map(\.id) }
            start = end
        }
        return ids
    }

    /// All contacts, in the book's order.
    private var packed: some Sequence<PackedContact> { order.lazy.flatMap { parts[$0]?.people ?? [] } }

    /// If several contacts claim an id, the one with this id in `before` keeps it, else the first one gets it. Returns
    /// whether that changes an id.
    private mutating func learnOwners(of shared: Set<String>, before: [PackedContact]) -> Bool {
        let unknown = shared.filter { owners[$0] == nil }
        if unknown.isEmpty { return false }
        // Cards with one id are distinguished by their contents: before, there was one of each.
        let firsts = packed.lazy.filter { unknown.contains($0.id) }
        var isNew = false
        for (cards, isFirst) in [(Array(before), false), (Array(firsts), true)] {
            for card in cards where unknown.contains(card.id) && owners[card.id] == nil {
                owners[card.id] = Identities.Owner(card: card.contact.fingerprint)
                isNew = isNew || !isFirst
            }
        }
        return isNew
    }

    private static func isAppended(_ old: [Person], _ new: [Person], _ known: [String: Person]) -> Bool {
        let ids = Set(new.lazy.map(\.id))
        let stayed = old.lazy.map(\.id).filter { ids.contains($0) }
        var rest = new.lazy.map(\.id).makeIterator()
        for id in stayed where rest.next() != id { return false }
        while let id = rest.next() { if known[id] != nil { return false } }
        return true
    }

    private mutating func take(_ read: [FilePath: Part], _ order: [FilePath], _ listing: [ContactFailure]) {
        let known = Set(order)
        parts = parts.filter { known.contains($0.key) }
        parts.merge(read) { $1 }
        self.order = order
        failures = listing + order.flatMap { parts[$0]?.failures ?? [] }
    }

    /// The merged book without the contacts themselves: for one change, thousands of contacts need not be unpacked.
    /// Also returns the ids that several contacts claim.
    private func joined() -> (people: [Person], shared: Set<String>) {
        var merger = newMerger()
        let people = packed.map { packed in
            let (words, photo, place) = (packed.wordsFingerprint, packed.photoFingerprint, packed.photoPlace)
            if merger.isWithoutGroups {
                return Person(id: merger.add(packed), words: words, photo: photo, place: place)
            }
            let own = packed.contact
            let contact = merger.add(own)
            let added = contact.groups.dropFirst(own.groups.count)
            return Person(
                id: contact.id, words: added.isEmpty ? words : Self.hash(words, added), photo: photo, place: place)
        }
        return (people, merger.shared)
    }

    /// The contacts for which `isWanted` holds, as parts of the book, with their positions in it.
    private func parts(where isWanted: (Int, Person) -> Bool) -> [(position: Int, contact: Contact)] {
        let wanted = people.indices.filter { isWanted($0, people[$0]) }
        if wanted.isEmpty { return [] }
        let merger = newMerger()
        var (rest, result) = (wanted[...], [(position: Int, contact: Contact)]())
        for (position, packed) in packed.enumerated() where position == rest.first {
            rest.removeFirst()
            result.append((position, merger.complete(packed.contact, id: people[position].id)))
        }
        return result
    }

    private func newMerger() -> ContactMerger {
        var merger = ContactMerger(expecting: people.count, owners: owners)
        for group in order.lazy.flatMap({ parts[$0]?.groups ?? [] }) { merger.add(group: group) }
        return merger
    }

    private static func hash(_ words: UInt64, _ groups: ArraySlice<ContactGroup>) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(words)
        hasher.combine(groups)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
