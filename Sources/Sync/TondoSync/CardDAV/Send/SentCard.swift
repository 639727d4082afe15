internal import SystemPackage
internal import TondoContacts
internal import TondoDigest

/// A card as two versions of it are compared: by the contact, and by the bytes of the photo. Pure.
struct SentCard: Equatable {
    /// What a card shows.
    enum Photo: Equatable {
        case none
        /// The digest is that of the decoded bytes.
        case picture(SHA256Digest, crop: PhotoCrop?)
        /// A file or a URL, or a picture that cannot be read.
        case other(ContactPhoto)

        /// Both are one picture, however it is cropped.
        func isPicture(of other: Photo) -> Bool {
            guard case .picture(let own, _) = self, case .picture(let its, _) = other else { return self == other }
            return own == its
        }
    }

    let bytes: [UInt8]
    let contact: Contact
    let photo: Photo

    /// Nil: no card that can be read. Lines of photos that the mirror has are the source's again.
    init?(_ card: [UInt8]) {
        bytes = CardPhotos.rewritten(card) { _ in nil }
        guard let contents = try? BookFormat.vCard.read(bytes, name: "card"), contents.contacts.count == 1,
            let contact = contents.contacts.first
        else { return nil }
        self.contact = contact
        photo = Self.photo(of: contact, in: bytes)
    }

    private static func photo(of contact: Contact, in bytes: [UInt8]) -> Photo {
        guard let photo = contact.photo else { return .none }
        guard case .inline(let inline, let crop) = photo else { return .other(photo) }
        switch inline {
        case .bytes(let picture): return .picture(SHA256Digest(of: picture), crop: crop)
        case .encoded(let text):
            let picture = bytes.withUnsafeBytes { bytes in
                try? text.decoded(from: UnsafeRawBufferPointer(rebasing: bytes[text.bytes]))
            }
            return picture.map { .picture(SHA256Digest(of: $0), crop: crop) } ?? .other(photo)
        }
    }

    /// The name of the card in all places; nil: it has none.
    var uid: String? { VCardText.uid(bytes) }

    /// All lines but those of photos, without folds, in any order. Times of changes and names of programs, which servers rewrite,
    /// are left out.
    var otherLines: [String] {
        var lines: [[UInt8]] = []
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if let first = line.first, first == 0x20 || first == 0x09, !lines.isEmpty {
                lines[lines.count - 1] += line.dropFirst()
            } else {
                lines.append(Array(line))
            }
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }.filter { !Self.isVolatile($0) }.sorted()
    }

    private static func isVolatile(_ line: String) -> Bool {
        let name = line.prefix { $0 != ":" && $0 != ";" }.uppercased()
        return ["PHOTO", "REV", "PRODID"].contains(name.split(separator: ".").last.map(String.init) ?? name)
    }

    /// The bytes of the photo, if they are in the card.
    var picture: (bytes: [UInt8], crop: PhotoCrop?)? {
        guard case .inline(let inline, let crop)? = contact.photo else { return nil }
        switch inline {
        case .bytes(let picture): return (picture, crop)
        case .encoded(let text):
            let picture = bytes.withUnsafeBytes { bytes in
                try? text.decoded(from: UnsafeRawBufferPointer(rebasing: bytes[text.bytes]))
            }
            return picture.map { ($0, crop) }
        }
    }

    /// The card with another photo. All around it, such as empty lines, stays.
    func replacingPhoto(by photo: CardPhoto.Replacement?, now: Int) throws(ContactsError) -> [UInt8] {
        guard let place = contact.place?.bytes else { throw .contactMoved }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes[place].starts(with: mark) ? place.lowerBound + mark.count : place.lowerBound
        let card = try CardPhoto.replaced(in: Array(bytes[start..<place.upperBound]), by: photo, now: now)
        return bytes[..<start] + card + bytes[place.upperBound...]
    }

    /// The card as it is sent: with the line ends of RFC 6350 section 3.2, which XML does not keep. Nil: it is no UTF-8, which
    /// the request promises.
    static func text(of card: [UInt8]) -> [UInt8]? {
        guard String(validating: card, as: UTF8.self) != nil else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(card.count + card.count / 64)
        for byte in card {
            if byte == 0x0A, text.last != 0x0D { text.append(0x0D) }
            text.append(byte)
        }
        return text
    }
}
