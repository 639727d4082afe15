internal import SystemPackage

/// A contact as one array of bytes, for callers that keep very many: `Contact` is a dozen strings and arrays. It must
/// be unpacked for access.
package struct PackedContact: Hashable, Sendable {
    /// The contact's fields, then its photo, then the positions of both; see `init(_:)`.
    private let bytes: [UInt8]
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
        coder.text(&parts.id)
        coder.words(&parts)
        let words = coder.bytes.count
        coder.photo(&parts.photo, inline: [])
        let photo = coder.bytes.count
        coder.places(&parts, file: nil)
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

    private func read<Part>(_ part: Part, _ body: (inout ContactCoder, inout Part) -> Void) -> Part {
        bytes.withUnsafeBytes { bytes in
            var (part, coder) = (part, ContactCoder(reading: bytes))
            body(&coder, &part)
            return part
        }
    }

    /// Unpacks all fields; for a single one, the properties below are cheaper.
    package var contact: Contact {
        read(Contact(id: "")) { coder, contact in
            coder.text(&contact.id)
            coder.words(&contact)
            coder.photo(&contact.photo, inline: photoBytes ?? [])
            coder.places(&contact, file: file)
        }
    }

    /// Without unpacking the rest.
    package var id: String { read("") { $0.text(&$1) } }

    /// Whether its id has these bytes. Costs no text.
    package func hasID(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var coder = ContactCoder(reading: bytes)
            let start = coder.skipText()
            return bytes[start..<coder.offset].elementsEqual(id)
        }
    }

    /// Without unpacking the rest.
    package var kind: Contact.Kind {
        read(.individual) { coder, kind in
            coder.skipText()
            coder.choice(&kind)
        }
    }

    /// Without unpacking the rest.
    package var name: ContactName {
        read(ContactName()) { coder, name in
            var kind = Contact.Kind.individual
            coder.skipText()
            coder.choice(&kind)
            coder.name(&name)
        }
    }

    /// Equal for all contacts with equal fields, independent of ids, photos and positions. Protects against accidents,
    /// not against attackers.
    package var wordsFingerprint: UInt64 {
        let idEnd = read(0) { coder, end in
            coder.skipText()
            end = coder.offset
        }
        return fingerprint(idEnd..<Int(ends.words))
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

    /// Its photo is a file next to the book's.
    package var namesPhotoFile: Bool { photoTag == .file }

    /// Its photo has a URL.
    package var namesPhotoURL: Bool { photoTag == .remote }

    private var photoTag: ContactCoder.Tag? { .init(rawValue: bytes[Int(ends.words)]) }
}
