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
    /// The same for the bytes of a decoded photo, which are many.
    private let photoBytes: [UInt8]?

    package init(_ contact: Contact) {
        var packing = ContactPacking()
        packing.add(contact.id)
        packing.add(wordsOf: contact)
        let words = packing.bytes.count
        packing.add(contact.photo)
        let photo = packing.bytes.count
        packing.add(placesOf: contact)
        // A copy without spare capacity.
        bytes = packing.bytes.withUnsafeBytes { Array($0) }
        ends = Ends(words: UInt32(words), photo: UInt32(photo))
        file = contact.place?.file
        if case .inline(.bytes(let photoBytes), _) = contact.photo {
            self.photoBytes = photoBytes
        } else {
            photoBytes = nil
        }
    }

    package var contact: Contact {
        bytes.withUnsafeBytes { bytes in
            var unpacking = ContactUnpacking(bytes)
            var contact = Contact(id: unpacking.text())
            unpacking.words(of: &contact)
            contact.photo = unpacking.photo(photoBytes: photoBytes ?? [])
            unpacking.places(of: &contact, file: file)
            return contact
        }
    }

    package var id: String {
        bytes.withUnsafeBytes { bytes in
            var unpacking = ContactUnpacking(bytes)
            return unpacking.text()
        }
    }

    /// Whether its id has these bytes. Costs no text.
    package func hasID(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var unpacking = ContactUnpacking(bytes)
            return unpacking.textBytes().elementsEqual(id)
        }
    }

    /// Without unpacking the rest.
    package var kind: Contact.Kind {
        bytes.withUnsafeBytes { bytes in
            var unpacking = ContactUnpacking(bytes)
            unpacking.skipText()
            return unpacking.kind()
        }
    }

    /// Without unpacking the rest.
    package var name: ContactName {
        bytes.withUnsafeBytes { bytes in
            var unpacking = ContactUnpacking(bytes)
            unpacking.skipText()
            _ = unpacking.kind()
            return unpacking.name()
        }
    }

    /// Equal for all contacts with equal fields, independent of ids, photos and positions. Protects against accidents,
    /// not against attackers.
    package var wordsFingerprint: UInt64 {
        bytes.withUnsafeBytes { bytes in
            var unpacking = ContactUnpacking(bytes)
            unpacking.skipText()
            return Fingerprint.of(UnsafeRawBufferPointer(rebasing: bytes[unpacking.offset..<Int(ends.words)]))
        }
    }

    /// Equal for equal photos.
    package var photoFingerprint: UInt64 {
        let place = bytes.withUnsafeBytes { bytes in
            Fingerprint.of(UnsafeRawBufferPointer(rebasing: bytes[Int(ends.words)..<Int(ends.photo)]))
        }
        guard let photoBytes else { return place }
        return place ^ photoBytes.withUnsafeBytes { Fingerprint.of($0) }
    }

    /// Equal for photos at the same position of the same file; 0 for photos without a position.
    package var photoPlace: UInt64 {
        let tag = bytes[Int(ends.words)]
        guard tag == ContactPacking.encodedTag || tag == ContactPacking.fileTag else { return 0 }
        var hasher = Hasher()
        hasher.combine(file)
        // The path of a file does not depend on the contact's position in its own file.
        if tag == ContactPacking.encodedTag { hasher.combine(bytes[Int(ends.photo)...]) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Its photo is a file next to the book's.
    package var namesPhotoFile: Bool { bytes[Int(ends.words)] == ContactPacking.fileTag }
}
