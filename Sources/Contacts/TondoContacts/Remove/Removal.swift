internal import SystemPackage

/// A contact removed from a file's bytes; all others stay byte for byte.
package struct Removal: Equatable, Sendable {
    /// What the trash needs to restore the contact.
    package let cut: Cut
    /// The file without the contact. A book with only that contact becomes an empty one of its format; a vCard or LDIF
    /// file becomes empty, except for its byte-order mark.
    package let remaining: [UInt8]

    /// `contact`: as read from `file` earlier, with its place. Throws `contactMoved` if the file no longer has that
    /// contact, and `refused` if another contact would be lost or changed. Pure; writes nothing.
    package init(of contact: Contact, from file: [UInt8]) throws(ContactsError) {
        var cuts: [Cut] = []
        remaining = try Self.remaining(of: file, without: [contact]) { cuts.append($1) }
        cut = cuts[0]
    }

    /// The file without any of these contacts. `each` gets them one by one, the last in the file first, each cut from
    /// the result of the previous ones; its calls are void if this throws, as the initialiser does. `known`: all
    /// contacts of the file when these were read, by which equal ones are distinguished. Reads the file twice, however
    /// many contacts go.
    package static func remaining(
        of file: [UInt8], without contacts: [Contact], known: [Contact]? = nil, each: (Contact, Cut) -> Void
    ) throws(ContactsError) -> [UInt8] {
        guard case .book(let format) = BookFormat.recognise(file) else { throw .notABook }
        let name = contacts.first?.place?.file ?? "book"
        let former = try format.read(file, name: name).contacts
        let gone = try FormerPlaces(of: contacts, known: known, now: former).found
        var rest = ShrinkingFile(bytes: file, format: format)
        let places = gone.compactMap { index, contact in former[index].place.map { ($0.bytes, contact) } }
        // The last one first: the places of those before it stay as they are.
        for (place, contact) in places.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            each(contact, try rest.cut(place))
        }
        let others = former.indices.lazy.filter { gone[$0] == nil }.map { former[$0] }
        let remaining = rest.remaining
        // The result is read back before anything is written.
        let left: [Contact]
        do throws(ContactsError) {
            left = isNothing(remaining) ? [] : try BookFormat.contacts(of: remaining, word: format.word)?.contacts ?? []
        } catch { throw .refused("what is left could not be read: \(error)") }
        guard let lost = BookFormat.firstDifference(of: Array(others), from: left, in: format) else { return remaining }
        throw .refused("\(lost) would be lost or changed")
    }

    /// Whether a file contains only white space and a byte-order mark, as one whose last contact was removed.
    package static func isNothing(_ file: [UInt8]) -> Bool { FileUnits(file).isBlank }
}

extension BookFormat {
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
