package import SystemPackage
internal import TondoCache
internal import TondoContacts
internal import TondoFiles
package import TondoImage

/// Where a photo is, and which part of it is shown. Small: it holds no photo, except for one that lies nowhere else.
package enum PhotoSource: Hashable, Sendable {
    case file(FilePath)
    case contact(BookPhoto)
    case standardInput
    /// Such as the silhouette.
    case bytes(PhotoFile)
    /// Drawn when it is needed.
    case initials(InitialsDrawing)

    /// The photo of contacts without one.
    package static let silhouette = PhotoSource.bytes(PhotoFile(copying: Silhouette.photo))

    /// The folder that it is in, or that of its book; nil: it is in memory.
    var folder: FilePath? {
        switch self {
        case .file(let path): path.removingLastComponent()
        case .contact(let photo): photo.photos.folder
        case .standardInput: "/dev/stdin"
        case .bytes, .initials: nil
        }
    }

    /// The letters that it shows; nil: it is a picture.
    var letters: String? { if case .initials(let drawing) = self { drawing.text } else { nil } }

    /// Initials or the silhouette, and no photo.
    var isGenerated: Bool {
        switch self {
        case .initials: true
        // Only then is the silhouette needed, which takes some milliseconds once.
        case .bytes: self == .silhouette
        case .file, .contact, .standardInput: false
        }
    }

    /// The identity of the photo, if it is known without opening it, and its crop.
    var identity: (PhotoIdentity, CropRectangle?)? {
        guard case .contact(let photo) = self else { return nil }
        return photo.photos.identity(of: photo.photo, namedBy: photo.file)
    }

    /// Opens the photo's file without reading it. Throws a `PhotoProblem` or `FileError`. Blocks.
    func open() throws -> OpenPhoto {
        switch self {
        case .file(let path): try OpenPhoto(path)
        case .contact(let photo): try photo.photos.open(photo.photo, namedBy: photo.file)
        case .standardInput: try OpenPhoto.standardInput()
        case .bytes(let file): OpenPhoto(file)
        case .initials(let drawing): OpenPhoto(PhotoFile(copying: drawing.encoded))
        }
    }
}

/// The photo that a contact of a book has.
package struct BookPhoto: Sendable {
    let photos: BookPhotos
    let photo: ContactPhoto
    /// The contact's file, relative to the book's folder.
    let file: FilePath?
}

extension PhotoSource {
    /// Nil for a contact without a photo.
    init?(_ contact: Contact, in photos: BookPhotos) {
        guard let photo = contact.photo else { return nil }
        self = .contact(BookPhoto(photos: photos, photo: photo, file: contact.place?.file))
    }
}

extension BookPhoto: Hashable {
    package static func == (one: BookPhoto, other: BookPhoto) -> Bool {
        one.photos === other.photos && one.file == other.file && one.photo == other.photo
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(photos))
        hasher.combine(file)
        // A decoded photo is as long as the picture: its first bytes distinguish most photos.
        if case .inline(.bytes(let bytes), _) = photo {
            hasher.combine(bytes.prefix(64))
        } else {
            hasher.combine(photo)
        }
    }
}

extension PhotoFile: Hashable {
    /// Whether both are one object: comparing photos costs as much as reading them.
    package static func == (one: PhotoFile, other: PhotoFile) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
