internal import SystemPackage

/// A contact as one run of bytes, for those who keep very many: `Contact` is a dozen strings and arrays. To look into it,
/// it is unpacked.
package struct PackedContact: Hashable, Sendable {
    /// What the contact says, then its photo, then where both lie; see `init(_:)`.
    private let bytes: [UInt8]
    /// Where what the contact says ends, and where its photo does.
    private let ends: Ends

    private struct Ends: Hashable {
        var words: UInt32
        var photo: UInt32
    }

    /// Not packed: it may be no text, and many contacts may share it.
    private let file: FilePath?
    /// The same for the bytes of a photo that is already decoded, since they are many.
    private let picture: [UInt8]?

    package init(_ contact: Contact) {
        var packing = ContactPacking()
        packing.add(contact.id)
        packing.add(wordsOf: contact)
        let words = packing.bytes.count
        packing.add(contact.photo)
        let photo = packing.bytes.count
        packing.add(placesOf: contact)
        // A copy has no room to spare.
        bytes = packing.bytes.withUnsafeBytes { Array($0) }
        ends = Ends(words: UInt32(words), photo: UInt32(photo))
        file = contact.place?.file
        if case .inline(.bytes(let picture), _) = contact.photo { self.picture = picture } else { picture = nil }
    }

    package var contact: Contact {
        bytes.withUnsafeBytes { bytes in
            var unpacking = ContactUnpacking(bytes)
            var contact = Contact(id: unpacking.text())
            unpacking.words(of: &contact)
            contact.photo = unpacking.photo(picture: picture ?? [])
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

    package func hasID(_ id: String) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var unpacking = ContactUnpacking(bytes)
            return unpacking.text(is: id)
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

    /// The same for all contacts that say the same, whatever their ids and photos are, and wherever they lie. Tells
    /// accidents, not attackers, apart.
    package var wordsFingerprint: UInt64 {
        bytes.withUnsafeBytes { bytes in
            var unpacking = ContactUnpacking(bytes)
            unpacking.skipText()
            return Fingerprint.of(UnsafeRawBufferPointer(rebasing: bytes[unpacking.offset..<Int(ends.words)]))
        }
    }

    /// The same for equal photos.
    package var photoFingerprint: UInt64 {
        let place = bytes.withUnsafeBytes { bytes in
            Fingerprint.of(UnsafeRawBufferPointer(rebasing: bytes[Int(ends.words)..<Int(ends.photo)]))
        }
        guard let picture else { return place }
        return place ^ picture.withUnsafeBytes { Fingerprint.of($0) }
    }

    /// The same for photos at the same place of the same file; 0 for those that need no place.
    package var photoPlace: UInt64 {
        let tag = bytes[Int(ends.words)]
        guard tag == ContactPacking.encodedTag || tag == ContactPacking.fileTag else { return 0 }
        var hasher = Hasher()
        hasher.combine(file)
        // A path beside the book does not care where in its file the contact is.
        if tag == ContactPacking.encodedTag { hasher.combine(bytes[Int(ends.photo)...]) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Its photo is a file beside the book's.
    package var namesPhotoFile: Bool { bytes[Int(ends.words)] == ContactPacking.fileTag }
}
