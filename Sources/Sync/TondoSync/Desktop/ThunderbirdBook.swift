package import SystemPackage

/// An address book of Thunderbird 78 and later: `abook.sqlite`, `abook-1.sqlite`, `history.sqlite` of a profile. Mailing lists are
/// left out.
package struct ThunderbirdBook: DesktopBook {
    private let path: FilePath
    private let folder: FilePath
    private let photos: LocalPhotos

    /// Bytes of a card, as many as a photo of 10 MB takes in it.
    static let largestCard = 16 << 20

    /// `path`: of the database, in the folder of the profile. `folder`: for a copy while it is read; exists. `photos`: counts those
    /// that cannot be read.
    package init(path: FilePath, folder: FilePath, photos: LocalPhotos) {
        self.path = path
        self.folder = folder
        self.photos = photos
    }

    /// Blocks. Throws a `DesktopError`, or `SyncError.cancelled`.
    package func read(_ take: (DesktopCard) throws -> Void) throws {
        let copy = try DatabaseCopy(of: path, in: folder)
        let rows = try SQLiteRows(copy.path, of: path)
        defer { withExtendedLifetime(copy) {} }
        try rows.require(table: "properties", columns: ["card", "name", "value"])
        try rows.require(table: "lists", columns: ["uid"])
        var contact = ThunderbirdCard(id: "")
        func end() throws {
            if !contact.id.isEmpty, let card = card(contact) { try take(card) }
        }
        let query = """
            SELECT card, name, value FROM properties
            WHERE card NOT IN (SELECT uid FROM lists WHERE uid IS NOT NULL) ORDER BY card
            """
        try rows.forEach(query) { row in
            let id = row.text(0)
            if id != contact.id {
                try end()
                contact = ThunderbirdCard(id: id)
            }
            contact.take(row.bytes(2), of: row.text(1))
        }
        try end()
    }

    /// Nil: it holds nothing that a contact has.
    private func card(_ contact: ThunderbirdCard) -> DesktopCard? {
        var card = DesktopCard(id: contact.id)
        if contact.isTooLarge { card.reason = "it has more than \(Self.largestCard >> 20) MB" }
        // Thunderbird, too, takes the other properties if it cannot read the vCard.
        card.versions = [contact.card, contact.written].compactMap(\.self).map { card in
            { withPhoto(card, of: contact) }
        }
        return card.versions.isEmpty && !contact.isTooLarge ? nil : card
    }

    /// The photo of a file of the profile, unless the card has one.
    private func withPhoto(_ card: [UInt8], of contact: ThunderbirdCard) -> [UInt8] {
        guard let name = contact.photoName, !CardPhotos.hasPhoto(card), let end = ThunderbirdCard.end(of: card) else {
            return card
        }
        guard let component = FilePath.Component(name), component.kind == .regular, component.string == name else {
            photos.refuse(name, reason: "no name of a file")
            return card
        }
        let file = path.removingLastComponent().appending("Photos").appending(component)
        guard let picture = photos.picture(at: file) else { return card }
        var output = Array(card[..<end])
        if output.last != 0x0A { output += [0x0D, 0x0A] }
        CardWriter.fold(photo: picture.bytes, kind: picture.kind, head: "PHOTO", into: &output)
        return output + card[end...]
    }
}
