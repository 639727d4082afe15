internal import SystemPackage
internal import TondoContacts

/// What is known of a book that is watched: every file's contacts as they were read, and what they are together. Pure.
struct BookSnapshot {
    /// What one file holds.
    struct Part: Sendable {
        var people: [PackedContact] = []
        var groups: [Contact] = []
        var failures: [ContactFailure] = []
        /// The names of its pictures stand for several sizes, see `ScaledPicture`.
        var hasScaledPictures = false
    }

    /// What became different.
    struct Difference {
        /// Ids, in the old order.
        var removed: [String] = []
        /// New ones and changed ones, in the book's order; and whether their photo is another one.
        var changed: [(contact: Contact, hasNewPhoto: Bool)] = []
        /// Those who say the same as before, but whose photo has to be looked for elsewhere.
        var moved: [Contact] = []
        /// Those that were not known before.
        var failures: [ContactFailure] = []
    }

    /// Somebody as a part of the book.
    private struct Person: Equatable {
        var id: String
        /// Of all that the contact says, its groups included.
        var words: UInt64
        var photo: UInt64
        /// Where the photo is; 0 where that does not matter.
        var place: UInt64
    }

    private var parts: [FilePath: Part] = [:]
    /// The book's files.
    private var order: [FilePath] = []
    private var people: [Person] = []
    private var failures: [ContactFailure] = []

    init() {}

    /// See `update`.
    init(_ parts: [FilePath: Part], order: [FilePath], listing: [ContactFailure]) {
        take(parts, order, listing)
        people = joined { _, _ in }
    }

    /// `order`: the book's files; `read`: the new contents of some of them. Files that are not in `order` are gone.
    mutating func update(_ read: [FilePath: Part], order: [FilePath], listing: [ContactFailure]) -> Difference {
        let (oldPeople, oldFailures) = (people, failures)
        take(read, order, listing)
        let old = Dictionary(oldPeople.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var difference = Difference()
        people = joined { person, contact in
            guard let before = old[person.id] else { return difference.changed.append((contact(), true)) }
            if before == person { return }
            let isNewPhoto = before.photo != person.photo
            if isNewPhoto || before.words != person.words { difference.changed.append((contact(), isNewPhoto)) }
            if !isNewPhoto, before.place != person.place { difference.moved.append(contact()) }
        }
        let ids = Set(people.map(\.id))
        difference.removed = oldPeople.map(\.id).filter { !ids.contains($0) }
        // A set: a file of nothing but broken cards must not cost the square of their number at every change.
        let known = Set(oldFailures)
        difference.failures = failures.filter { !known.contains($0) }
        return difference
    }

    /// What of the book cannot be read.
    var unreadable: UnreadableParts { UnreadableParts(failures) }

    /// Files that were read.
    var files: Set<FilePath> { Set(parts.keys) }

    /// See `Part.hasScaledPictures`.
    var filesWithScaledPictures: Set<FilePath> { Set(parts.lazy.filter(\.value.hasScaledPictures).map(\.key)) }

    var ids: [String] { people.map(\.id) }

    /// Those whose photo is a file of its own for which `isWanted` holds, without the groups that name them.
    func contacts(whosePhotoFile isWanted: (Contact) -> Bool) -> [Contact] {
        zip(people, packed).compactMap { person, packed in
            guard packed.namesPhotoFile else { return nil }
            var contact = packed.contact
            contact.id = person.id
            return isWanted(contact) ? contact : nil
        }
    }

    /// Of the contacts in these files, by the files' paths in the book.
    func ids(in files: Set<String>) -> [String] {
        var (ids, start) = ([String](), 0)
        for file in order {
            let end = start + (parts[file]?.people.count ?? 0)
            if files.contains(file.string) { ids += people[start..<end].map(\.id) }
            start = end
        }
        return ids
    }

    /// Everybody, in the book's order.
    private var packed: some Sequence<PackedContact> { order.lazy.flatMap { parts[$0]?.people ?? [] } }

    private mutating func take(_ read: [FilePath: Part], _ order: [FilePath], _ listing: [ContactFailure]) {
        let known = Set(order)
        parts = parts.filter { known.contains($0.key) }
        parts.merge(read) { $1 }
        self.order = order
        failures = listing + order.flatMap { parts[$0]?.failures ?? [] }
    }

    /// `body` is told everybody, and can have the contact.
    private func joined(_ body: (Person, () -> Contact) -> Void) -> [Person] {
        var register = BookRegister(expecting: people.count)
        for group in order.flatMap({ parts[$0]?.groups ?? [] }) { register.add(group: group) }
        return packed.map { packed in
            let (words, photo, place) = (packed.wordsFingerprint, packed.photoFingerprint, packed.photoPlace)
            if register.isWithoutGroups {
                let person = Person(id: register.admit(id: packed.id), words: words, photo: photo, place: place)
                body(person) {
                    var contact = packed.contact
                    contact.id = person.id
                    return contact
                }
                return person
            }
            let own = packed.contact
            let contact = register.admit(own)
            let added = contact.groups.dropFirst(own.groups.count)
            let person = Person(
                id: contact.id, words: added.isEmpty ? words : Self.hash(words, added), photo: photo, place: place)
            body(person) { contact }
            return person
        }
    }

    private static func hash(_ words: UInt64, _ groups: ArraySlice<ContactGroup>) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(words)
        hasher.combine(groups)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
