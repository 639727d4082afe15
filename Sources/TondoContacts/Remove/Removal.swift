internal import SystemPackage

/// A contact taken out of a file's bytes; all others stay byte for byte.
package struct Removal: Equatable, Sendable {
    package let format: BookFormat
    /// The file without the contact. A book of that one contact becomes an empty one of its format; a vCard or LDIF file
    /// becomes empty.
    package let remaining: [UInt8]
    /// Where in the file they were that are gone: the contact, and what separated it from its neighbours.
    package let range: Range<Int>
    package let removed: [UInt8]
    /// The contact itself in `removed`.
    package let contact: Range<Int>

    /// `contact`: as read from `file` earlier, with its place. Throws `contactMoved` when these bytes are no longer that
    /// contact. Pure; writes nothing.
    package init(of contact: Contact, from file: [UInt8]) throws(ContactsError) {
        guard let place = contact.place, place.bytes.upperBound <= file.count, !place.bytes.isEmpty else {
            throw .contactMoved
        }
        guard case .book(let format) = BookFormat.recognise(file) else { throw .notABook }
        guard try Self.contact(at: place, in: file, format).map({ $0.says(sameAs: contact) }) == true else {
            throw .contactMoved
        }
        self.format = format
        range = FileUnits(file).cut(around: place.bytes, format)
        removed = Array(file[range])
        remaining = Array(file[..<range.lowerBound]) + file[range.upperBound...]
        self.contact = place.bytes.lowerBound - range.lowerBound..<place.bytes.upperBound - range.lowerBound
    }

    private static func contact(
        at place: ContactPlace, in file: [UInt8], _ format: BookFormat
    ) throws(ContactsError) -> Contact? {
        guard format == .vCard else {
            return try format.read(file, name: place.file).contacts.first { $0.place?.bytes == place.bytes }
        }
        return try file.withUnsafeBytes { bytes in
            Result { () throws(ContactsError) -> Contact? in
                let text = try VCardText(bytes)
                let card = text.cards.first { $0.bytes == place.bytes }
                return try card.map { card throws(ContactsError) in
                    try VCardParser(text, file: place.file).contact(in: card)
                }
            }
        }.get()
    }
}

extension Contact {
    /// Apart from what the rest of the book makes of it: an id kept apart from others, the groups of others' cards.
    fileprivate func says(sameAs other: Contact) -> Bool {
        var (one, other) = (self, other)
        (one.id, one.groups, one.members) = ("", [], [])
        (other.id, other.groups, other.members) = ("", [], [])
        return one == other
    }
}
