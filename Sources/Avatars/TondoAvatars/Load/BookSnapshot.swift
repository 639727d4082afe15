internal import SystemPackage
internal import TondoContacts

/// The known state of a watched book: every file's contacts as they were read, and their merge. A change of a few files
/// costs these files, see `update(few:)`; any other change costs the book. Pure.
struct BookSnapshot {
    /// The contents of one file.
    struct Part: Sendable {
        var people: [PackedContact] = []
        var groups: [Contact] = []
        var failures: [ContactFailure] = []
        /// Its photo names stand for several sizes, see `ScaledPhoto`.
        var hasScaledPhotos = false

        var isEmpty: Bool { people.isEmpty && groups.isEmpty }

        /// The contacts as they were last read, of a file that cannot be read now.
        func kept(despite failure: ContactFailure) -> Part {
            var part = self
            part.failures = failures.filter { !$0.isUnreadablePart } + [failure]
            return part
        }
    }

    /// The changes of a book, from which its events follow.
    struct Difference {
        /// Ids, in the old order.
        var removed: [String] = []
        /// New, changed and moved contacts in the book's order; whether the photo is another one; and the index to
        /// insert them at, see `OrderChange`.
        var changed: [(contact: PackedContact, hasNewPhoto: Bool, index: Int)] = []
        /// Unchanged contacts whose photo is at another place now.
        var moved: [PackedContact] = []
        /// New failures.
        var failures: [ContactFailure] = []
    }

    /// A contact as a part of the book.
    struct Person: Equatable {
        var id: String
        /// A hash of all fields of the contact, including its groups.
        var words: UInt64
        var photo: UInt64
        /// The place of the photo; 0 if it does not matter.
        var place: UInt64

        /// `contact`: as `ContactMerger` gives it.
        init(_ contact: PackedContact) {
            id = contact.id
            words = contact.wordsFingerprint
            photo = contact.photoFingerprint
            place = contact.photoPlace
        }
    }

    var parts: [FilePath: Part] = [:]
    /// The book's files, and the number of contacts of each.
    var order: [FilePath] = []
    var counts: [Int] = []
    var people: [Person] = []
    var failures: [ContactFailure] = []
    /// The owners of ids that several contacts claim: they keep them as long as this exists, see `Identities`.
    private(set) var owners: Identities.Owners = [:]

    /// What follows from these, so that a change of a few files need not look at the others.
    var known = Derived()

    struct Derived {
        /// The folders of the files, see `VDir.plainFolders`.
        var folders: Set<FilePath>?
        /// Failures of no file.
        var listing: [ContactFailure] = []
        /// All ids.
        var ids: Set<String> = []
        /// Ids that several contacts claim.
        var shared: Set<String> = []
        /// With the groups, and without the contacts.
        var merger = ContactMerger()
        /// Listed files that were not read.
        var unread: Set<FilePath> = []
        var filesWithFailures: Set<FilePath> = []
        var filesWithScaledPhotos: Set<FilePath> = []
        /// Files that name photos by their paths, by the last component of those.
        var filesByPhotoName: [String: Set<FilePath>] = [:]

        mutating func note(_ part: Part, of file: FilePath) {
            if !part.failures.isEmpty { filesWithFailures.insert(file) }
            if part.hasScaledPhotos { filesWithScaledPhotos.insert(file) }
            for name in Self.photoNames(part) { filesByPhotoName[name, default: []].insert(file) }
        }

        mutating func forget(_ part: Part, of file: FilePath) {
            filesWithFailures.remove(file)
            filesWithScaledPhotos.remove(file)
            for name in Self.photoNames(part) {
                filesByPhotoName[name]?.remove(file)
                if filesByPhotoName[name]?.isEmpty == true { filesByPhotoName[name] = nil }
            }
        }

        private static func photoNames(_ part: Part) -> Set<String> {
            Set(
                part.people.lazy.filter(\.namesPhotoFile).compactMap { packed in
                    guard case .file(let path, _) = packed.contact.photo, !path.utf8.contains(0) else { return nil }
                    return FilePath(path).lastComponent?.string
                })
        }
    }

    init() {}

    /// See `update`.
    init(
        _ parts: [FilePath: Part], order: [FilePath], listing: [ContactFailure], folders: Set<FilePath>? = nil,
        owners: Identities.Owners = [:]
    ) {
        self.owners = owners
        take(parts, order: order, listing: listing)
        known.folders = folders
        join()
        _ = learnOwners(of: known.shared, before: [])
    }

    /// `order`: the book's files; `read`: the new contents of some of them; `kept`: files that cannot be read now, whose
    /// contacts stay. Files that are not in `order` are removed. `folders`: see `VDir.plainFolders`.
    mutating func update(
        _ read: [FilePath: Part], order: [FilePath], listing: [ContactFailure], folders: Set<FilePath>? = nil,
        keeping kept: [FilePath: ContactFailure] = [:]
    ) -> Difference {
        let (oldPeople, oldFailures, oldCards) = (people, failures, Array(packed))
        var read = read
        for (file, failure) in kept { read[file] = parts[file, default: Part()].kept(despite: failure) }
        take(read, order: order, listing: listing)
        known.folders = folders
        let old = Dictionary(oldPeople.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        repeat {
            join()
            // Repeated at most once, if a new contact claims an id with an owner.
        } while learnOwners(of: known.shared, before: oldCards.filter { known.shared.contains($0.id) })
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
        difference.removed = oldPeople.map(\.id).filter { !known.ids.contains($0) }
        // A set: a file with many broken cards must not cost the square of their number at every change.
        let reported = Set(oldFailures)
        difference.failures = failures.filter { !reported.contains($0) }
        return difference
    }

    /// Takes over the owners of ids in the trash, after this program removed or restored a contact.
    mutating func learn(_ removed: Identities.Owners) { owners = owners.knowing(removed) }

    /// The unreadable parts of the book.
    var unreadable: UnreadableParts { UnreadableParts(failures) }

    /// The paths of those parts in the book.
    var unreadableFiles: [FilePath] { failures.lazy.filter(\.isUnreadablePart).map(\.file) }

    /// What is broken or unreadable. Contacts have a line, files and folders have none.
    var broken: LoaderNotice { .broken(failures.count, contacts: failures.count { $0.line != nil }) }

    /// Files that were read.
    var files: Set<FilePath> { Set(parts.keys) }

    /// See `Part.hasScaledPhotos`.
    var filesWithScaledPhotos: Set<FilePath> { known.filesWithScaledPhotos }

    var ids: [String] { people.map(\.id) }

    /// Contacts with a photo file for which `isWanted` holds, without the groups that contain them.
    func contacts(whosePhotoFile isWanted: (Contact) -> Bool) -> [Contact] {
        if known.filesByPhotoName.isEmpty { return [] }
        return zip(people, packed).compactMap { person, packed in
            guard packed.namesPhotoFile else { return nil }
            let contact = packed.renamed(person.id).contact
            return isWanted(contact) ? contact : nil
        }
    }

    /// The contacts with these ids, without the groups that contain them.
    func contacts(withIDs ids: Set<String>) -> [Contact] {
        zip(people, packed).compactMap { person, packed in
            ids.contains(person.id) ? packed.renamed(person.id).contact : nil
        }
    }

    /// The contents of the file with this contact, without the groups that contain them; nil if no contact has this id.
    func contents(with id: String) -> BookContents? {
        guard let index = people.firstIndex(where: { $0.id == id }) else { return nil }
        var start = 0
        for (file, count) in zip(order, counts) {
            if index < start + count, let part = parts[file] {
                var contents = BookContents()
                contents.shared = known.shared
                contents.contacts = zip(people[start...], part.people).map { $1.renamed($0.id).contact }
                return contents
            }
            start += count
        }
        return nil
    }

    /// Contacts with the URL of a photo for which `isWanted` holds, without the groups that contain them.
    func contactsWithPhotoURL(where isWanted: (String) -> Bool) -> [Contact] {
        zip(people, packed).compactMap { person, packed in
            guard packed.namesPhotoURL else { return nil }
            let contact = packed.renamed(person.id).contact
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

    private mutating func take(_ read: [FilePath: Part], order: [FilePath], listing: [ContactFailure]) {
        let wanted = Set(order)
        parts = parts.filter { wanted.contains($0.key) }
        parts.merge(read) { $1 }
        self.order = order
        counts = order.map { parts[$0]?.people.count ?? 0 }
        known = Derived()
        known.listing = listing
        known.unread = Set(order.filter { parts[$0] == nil })
        for (file, part) in parts { known.note(part, of: file) }
        failures = listing + order.flatMap { parts[$0]?.failures ?? [] }
    }

    /// Merges the book without the contacts themselves: for one change, thousands of contacts need not be unpacked.
    private mutating func join() {
        var merger = ContactMerger(expecting: people.count, owners: owners)
        for group in order.flatMap({ parts[$0]?.groups ?? [] }) { merger.add(group: group) }
        known.merger = merger
        people = packed.map { Person(merger.add($0)) }
        known.shared = merger.shared
        known.ids = Set(people.lazy.map(\.id))
    }

    /// The contacts for which `isWanted` holds, as parts of the book, with their positions in it.
    private func parts(where isWanted: (Int, Person) -> Bool) -> [(position: Int, contact: PackedContact)] {
        let wanted = people.indices.filter { isWanted($0, people[$0]) }
        if wanted.isEmpty { return [] }
        var (rest, result) = (wanted[...], [(position: Int, contact: PackedContact)]())
        for (position, packed) in packed.enumerated() where position == rest.first {
            rest.removeFirst()
            result.append((position, known.merger.complete(packed, id: people[position].id)))
        }
        return result
    }
}
