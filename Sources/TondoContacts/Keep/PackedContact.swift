internal import SystemPackage

/// A contact in a few hundred bytes, for those who keep very many: a tenth of what `Contact` takes with its strings and
/// arrays. Packing and unpacking take some microseconds each.
package struct PackedContact: Sendable {
    /// What the contact says, then its photo, then where both lie; see `init(_:)`.
    private let bytes: [UInt8]
    /// Where what the contact says ends, and where its photo does.
    private let ends: (words: UInt32, photo: UInt32)
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
        ends = (UInt32(words), UInt32(photo))
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

    /// Its photo is a file beside the book's.
    package var namesPhotoFile: Bool { bytes[Int(ends.words)] == ContactPacking.fileTag }
}
