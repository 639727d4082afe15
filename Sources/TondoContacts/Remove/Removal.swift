internal import SystemPackage

/// A contact removed from a file's bytes; all others stay byte for byte.
package struct Removal: Equatable, Sendable {
    package let format: BookFormat
    /// The file without the contact. A book with only that contact becomes an empty one of its format; a vCard or LDIF
    /// file becomes empty, except for its byte-order mark.
    package let remaining: [UInt8]
    /// The removed range of the file: the contact and its separator.
    package let range: Range<Int>
    package let removed: [UInt8]
    /// The contact itself in `removed`.
    package let contact: Range<Int>

    /// `contact`: as read from `file` earlier, with its place. Throws `contactMoved` if these bytes are no longer that
    /// contact, and `refused` if another contact would be lost or changed. Pure; writes nothing.
    package init(of contact: Contact, from file: [UInt8]) throws(ContactsError) {
        var removals: [Removal] = []
        _ = try Self.remaining(of: file, without: [contact]) { removals.append($1) }
        self = removals[0]
    }

    private init(_ contact: Range<Int>, _ format: BookFormat, from file: [UInt8]) {
        self.format = format
        range = FileUnits(file).cut(around: contact, format)
        removed = Array(file[range])
        remaining = Array(file[..<range.lowerBound]) + file[range.upperBound...]
        // A byte-order mark before the first contact stays.
        self.contact = max(contact.lowerBound - range.lowerBound, 0)..<contact.upperBound - range.lowerBound
    }

    /// The file without any of these contacts. `each` gets them one by one, the last in the file first, each removal
    /// from the result of the previous ones; its calls are void if this throws, as the initialiser does.
    package static func remaining(
        of file: [UInt8], without contacts: [Contact], each: (Contact, Removal) -> Void
    ) throws(ContactsError) -> [UInt8] {
        guard case .book(let format) = BookFormat.recognise(file) else { throw .notABook }
        let name = contacts.first?.place?.file ?? "book"
        let former = try format.read(file, name: name).contacts
        let gone = try places(of: contacts, in: former)
        var rest = file
        for (index, contact) in gone.sorted(by: { $0.key > $1.key }) {
            guard let place = former[index].place else { continue }
            let removal = Removal(place.bytes, format, from: rest)
            each(contact, removal)
            rest = removal.remaining
        }
        let others = former.indices.lazy.filter { gone[$0] == nil }.map { former[$0] }
        let left: [Contact]
        do throws(ContactsError) {
            left = isNothing(rest) ? [] : try BookFormat.contacts(of: rest, word: format.word)?.contacts ?? []
        } catch { throw .refused("what is left could not be read: \(error)") }
        guard let lost = BookFormat.firstDifference(Array(others), left, format) else { return rest }
        throw .refused("\(lost) would be lost or changed")
    }

    /// Whether a file contains only white space and a byte-order mark.
    package static func isNothing(_ file: [UInt8]) -> Bool { FileUnits(file).isBlank }

    /// The index in `former` of each of these; throws `contactMoved` if one is missing.
    private static func places(of contacts: [Contact], in former: [Contact]) throws(ContactsError) -> [Int: Contact] {
        let known = Dictionary(
            former.indices.map { (former[$0].place?.bytes, $0) }, uniquingKeysWith: { first, _ in first })
        var places: [Int: Contact] = [:]
        for contact in contacts {
            guard let bytes = contact.place?.bytes, !bytes.isEmpty, let index = known[bytes], places[index] == nil,
                former[index].hasSameContent(as: contact)
            else { throw .contactMoved }
            places[index] = contact
        }
        return places
    }
}

extension BookFormat {
    /// A description of the first contact that differs between both lists, in their order; nil if all are equal.
    static func firstDifference(_ contacts: [Contact], _ others: [Contact], _ format: BookFormat) -> String? {
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
        (one.id, one.groups, one.members) = ("", [], [])
        (other.id, other.groups, other.members) = ("", [], [])
        return one == other
    }

    /// Compares both as in their files. In LDIF the groups and members belong to other records.
    fileprivate func isEqual(to other: Contact, _ format: BookFormat) -> Bool {
        format == .ldif ? id == other.id && hasSameContent(as: other) : self == other
    }
}
