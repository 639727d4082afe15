internal import SystemPackage
package import TondoContacts

/// A contact of a book, with the means to open its photo. A contact without a photo gets the silhouette.
package struct ContactPhotoSource: Sendable {
    package let contact: Contact
    /// The folder of its book, as the user named it.
    private let folder: FilePath
    private let photos: BookPhotos

    init(_ contact: Contact, of read: ReadBook) {
        (self.contact, folder, photos) = (contact, read.book.folder, read.photos)
    }

    /// The silhouette for a contact without a photo.
    var photo: PhotoSource { PhotoSource(contact, in: photos) ?? .silhouette }

    /// Files that avatars must not replace: the contact's file, and its photo's.
    var sources: [FilePath] {
        [contact.place.map { folder.pushing($0.file) }, photos.file(of: contact)].compactMap(\.self)
    }

    /// `book.vcf:12: Ada Lovelace`.
    var name: String {
        let name = contact.displayName.isEmpty ? contact.id : contact.displayName
        guard let place = contact.place else { return name }
        return "\(folder.pushing(place.file)):\(place.line): \(name)"
    }
}

extension ContactPhotoSource: Equatable {
    package static func == (one: ContactPhotoSource, other: ContactPhotoSource) -> Bool {
        one.contact == other.contact && one.folder == other.folder
    }
}
