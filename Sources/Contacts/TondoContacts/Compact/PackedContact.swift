internal import SystemPackage

/// A contact as one array of bytes, for callers that keep very many: `Contact` is a dozen strings and arrays. It must
/// be unpacked for access. What a book or a service adds to a contact stands beside the bytes, so that all of them share one array.
package struct PackedContact: Hashable, Sendable {
    /// Not packed: books and services give it another one, and every table of contacts shares this text.
    package private(set) var id: String
    /// The groups whose own cards name the contact, see `GroupMembers`.
    private var namingGroups: [ContactGroup] = []
    /// The contact's fields, then its photo, then the positions of both; see `init(_:)`.
    let bytes: [UInt8]
    /// The ends of the fields and of the photo.
    private let ends: Ends

    private struct Ends: Hashable {
        var words: UInt32
        var photo: UInt32
    }

    /// Not packed: it may not be UTF-8, and many contacts may share it.
    private let file: FilePath?
    /// The bytes of a decoded photo, apart because there are many.
    private let photoBytes: [UInt8]?

    /// Keeps everything, also the position in the file; `contact` is equal again.
    package init(_ contact: Contact) {
        var (parts, coder) = (contact, ContactCoder())
        coder.words(&parts)
        let words = coder.bytes.count
        coder.photo(&parts.photo, inline: [])
        let photo = coder.bytes.count
        coder.places(&parts, file: nil)
        id = contact.id
        // A copy without spare capacity.
        bytes = coder.bytes.withUnsafeBytes { Array($0) }
        ends = Ends(words: UInt32(words), photo: UInt32(photo))
        file = contact.place?.file
        if case .inline(.bytes(let photoBytes), _) = contact.photo {
            self.photoBytes = photoBytes
        } else {
            photoBytes = nil
        }
    }

    /// This contact under another id. Costs no copy of its bytes.
    package func renamed(_ id: String) -> PackedContact {
        var renamed = self
        renamed.id = id
        return renamed
    }

    /// This contact in further groups, which follow its own. Costs no copy of its bytes.
    func named(by groups: some Sequence<ContactGroup>) -> PackedContact {
        var named = self
        named.namingGroups = Array(groups)
        return named
    }

    private func read<Part>(_ part: Part, _ body: (inout ContactCoder, inout Part) -> Void) -> Part {
        bytes.withUnsafeBytes { bytes in
            var (part, coder) = (part, ContactCoder(reading: bytes))
            body(&coder, &part)
            return part
        }
    }

    /// Unpacks all fields; for a single one, the properties below are cheaper.
    package var contact: Contact {
        read(Contact(id: id)) { coder, contact in
            coder.words(&contact)
            contact.groups += namingGroups
            coder.photo(&contact.photo, inline: photoBytes ?? [])
            coder.places(&contact, file: file)
        }
    }

    /// Appends the members of its JSON between the id and those of lists, each with a comma before it, see `ContactWords`.
    func addWords(withMembers: Bool = false, isShown: Bool, withParts: Bool = false, to json: inout [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var words = ContactWords(bytes)
            words.add(naming: namingGroups, isShown: isShown, withParts: withParts, to: &json)
            if withMembers { words.addMembers(to: &json) }
        }
    }

    /// Bytes; no field has more.
    package var size: Int { namingGroups.reduce(bytes.count) { $0 + $1.id.utf8.count + $1.name.utf8.count } }

    /// Without unpacking the rest.
    package var kind: Contact.Kind { read(.individual) { $0.choice(&$1) } }

    /// Without unpacking the rest.
    package var name: ContactName {
        read(ContactName()) { coder, name in
            var kind = Contact.Kind.individual
            coder.choice(&kind)
            coder.name(&name)
        }
    }

    /// `Contact.listedName`; unpacks the rest only if the contact has no name.
    package var listedName: ContactName { name.listed { contact.organisation } }

    /// A hash of the folded display name, in this process alone; nil for a contact that shows none. Unpacks the rest only if the
    /// contact has no name. `buffer`: see `ComparedName.hash`.
    package func comparedName(by buffer: inout [UInt8]) -> UInt64? {
        ComparedName.hash(name.displayName ?? contact.displayName, by: &buffer)
    }

    /// Equal for all contacts with equal fields, independent of ids, photos and positions. Protects against accidents,
    /// not against attackers.
    package var wordsFingerprint: UInt64 {
        let words = fingerprint(0..<Int(ends.words))
        if namingGroups.isEmpty { return words }
        var hasher = Hasher()
        hasher.combine(words)
        hasher.combine(namingGroups)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Equal for equal photos.
    package var photoFingerprint: UInt64 {
        let place = fingerprint(Int(ends.words)..<Int(ends.photo))
        guard let photoBytes else { return place }
        return place ^ photoBytes.withUnsafeBytes { Fingerprint.of($0) }
    }

    private func fingerprint(_ part: Range<Int>) -> UInt64 {
        bytes.withUnsafeBytes { Fingerprint.of(UnsafeRawBufferPointer(rebasing: $0[part])) }
    }

    /// Equal for photos at the same position of the same file; 0 for photos without a position.
    package var photoPlace: UInt64 {
        guard photoTag == .encoded || photoTag == .file else { return 0 }
        var hasher = Hasher()
        hasher.combine(file)
        // The path of a file does not depend on the contact's position in its own file.
        if photoTag == .encoded { hasher.combine(bytes[Int(ends.photo)...]) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// It has a photo, of whatever kind.
    package var hasPhoto: Bool { photoTag != ContactCoder.Tag.none }

    /// Its photo is a file next to the book's.
    package var namesPhotoFile: Bool { photoTag == .file }

    /// Its photo has a URL.
    package var namesPhotoURL: Bool { photoTag == .remote }

    private var photoTag: ContactCoder.Tag? { .init(rawValue: bytes[Int(ends.words)]) }
}
