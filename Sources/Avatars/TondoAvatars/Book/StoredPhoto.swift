package import TondoContacts
package import TondoImage

/// The photo that a book has of a contact, as it is stored. The bytes are held in memory as long as this is.
package struct StoredPhoto: Sendable {
    package let file: PhotoFile
    package let geometry: PhotoGeometry

    /// Reads the photo and its header, and decodes nothing. Nil: the contact has no photo. Throws a `PhotoProblem`, `FileError`
    /// or `RenderError`. Blocks.
    package init?(of contact: Contact, in photos: BookPhotos) throws {
        guard let photo = contact.photo else { return nil }
        let file = try photos.open(photo, of: contact, limit: Limits().maxMemory).file
        geometry = try withExtendedLifetime(file) { try PhotoGeometry(probing: file.bytes) }
        self.file = file
    }

    package var byteCount: Int { file.bytes.count }

    /// The extension for a file with these bytes.
    package var fileExtension: String { geometry.format == .jpeg ? "jpg" : geometry.format.rawValue }
}
