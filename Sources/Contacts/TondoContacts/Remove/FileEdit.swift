internal import SystemPackage

/// A file's bytes with one contact removed, or changed; all others stay byte for byte. Pure; writes nothing.
package struct FileEdit: Equatable, Sendable {
    /// What the trash needs to restore the contact.
    package let cut: Cut
    /// The file afterwards. A book without its only contact becomes an empty one of its format; a vCard or LDIF file becomes
    /// empty, except for its byte-order mark.
    package let remaining: [UInt8]

    /// Gets a contact as it was read and the bytes of its card, and returns others in their place.
    package typealias Rewrite = (Contact, [UInt8]) throws(ContactsError) -> [UInt8]

    /// Removes a contact: as read from `file` earlier, with its place. Throws `contactMoved` if the file no longer has that
    /// contact, and `refused` if another contact would be lost or changed.
    package init(removing contact: Contact, from file: [UInt8]) throws(ContactsError) {
        var cuts: [Cut] = []
        remaining = try Self.applied(to: file, contacts: [contact]) { cuts.append($1) }
        cut = cuts[0]
    }

    /// The file without any of these contacts, or with other photos in them. `each` gets them one by one, the last in the file
    /// first, each cut from the result of the previous ones; its calls are void if this throws, as the initialiser does.
    /// `known`: all contacts of the file when these were read, by which equal ones are distinguished. `rewrite`: nil removes
    /// the contacts; else they stay, and only their photos and dates of change may differ. Reads the file twice, however many
    /// contacts change.
    package static func applied(
        to file: [UInt8], contacts: [Contact], known: [Contact]? = nil, rewrite: Rewrite? = nil,
        each: (Contact, Cut) -> Void
    ) throws(ContactsError) -> [UInt8] {
        guard case .book(let format) = BookFormat.recognise(file) else { throw .notABook }
        if rewrite != nil, format != .vCard { throw .refused("only vCards can store a photo, not \(format.name)") }
        let name = contacts.first?.place?.file ?? "book"
        let former = try format.read(file, name: name).contacts
        let found = try FormerPlaces(of: contacts, known: known, now: former).found
        var rest = ShrinkingFile(bytes: file, format: format)
        let places = found.compactMap { index, contact in former[index].place.map { ($0.bytes, contact) } }
        // The last one first: the places of those before it stay as they are.
        for (place, contact) in places.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            guard let rewrite else {
                each(contact, try rest.cut(place))
                continue
            }
            each(contact, try rest.cut(place) { card throws(ContactsError) in try rewrite(contact, card) })
        }
        let remaining = rest.remaining
        let isChanged = Set(found.keys)
        let expected =
            rewrite == nil
            ? former.indices.filter { !isChanged.contains($0) }.map { former[$0] }
            : former.withoutPhotos(at: isChanged)
        try check(remaining, format: format, is: expected, withoutPhotos: rewrite == nil ? [] : isChanged)
        return remaining
    }

    /// The result is read back before anything is written. `indices`: of contacts that may have any photo.
    private static func check(
        _ file: [UInt8], format: BookFormat, is expected: [Contact], withoutPhotos indices: Set<Int>
    ) throws(ContactsError) {
        let left: [Contact]
        do throws(ContactsError) {
            left = isNothing(file) ? [] : try BookFormat.contacts(of: file, word: format.word)?.contacts ?? []
        } catch { throw .refused("what is left could not be read: \(error)") }
        guard let lost = BookFormat.firstDifference(of: expected, from: left.withoutPhotos(at: indices), in: format)
        else { return }
        throw .refused("\(lost) would be lost or changed")
    }

    /// Whether a file contains only white space and a byte-order mark, as one whose last contact was removed.
    package static func isNothing(_ file: [UInt8]) -> Bool { FileUnits(file).isBlank }
}

extension [Contact] {
    /// Without what changes with a photo, where it may be another one.
    func withoutPhotos(at indices: Set<Int>) -> [Contact] {
        if indices.isEmpty { return self }
        return enumerated().map { indices.contains($0) ? $1.withoutPhoto : $1 }
    }
}

extension BookFormat {
    /// For messages.
    fileprivate var name: String {
        switch self {
        case .vCard: "vCards"
        case .json: "JSON"
        case .propertyList: "property lists"
        case .csv: "CSV"
        case .ldif: "LDIF"
        }
    }

    /// A description of the first contact that differs between both lists, in their order; nil if all are equal.
    static func firstDifference(of contacts: [Contact], from others: [Contact], in format: BookFormat) -> String? {
        for (one, other) in zip(contacts, others) where !one.isEqual(to: other, format) { return one.label }
        if contacts.count == others.count { return nil }
        return contacts.count > others.count ? contacts[others.count].label : "another contact"
    }
}

extension Contact {
    /// For messages.
    fileprivate var label: String { displayName.isEmpty ? "the contact \(id)" : displayName }

    /// Ignores changes by merging the book: an id made unique, the groups of others' cards.
    package func hasSameContent(as other: Contact) -> Bool {
        var (one, other) = (self, other)
        one.id = ""
        one.groups = []
        one.members = []
        other.id = ""
        other.groups = []
        other.members = []
        return one == other
    }

    /// Compares both as in their files. In LDIF the groups and members belong to other records.
    fileprivate func isEqual(to other: Contact, _ format: BookFormat) -> Bool {
        format == .ldif ? id == other.id && hasSameContent(as: other) : self == other
    }
}
