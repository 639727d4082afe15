package import TondoContacts

/// What an avatar of a contact shows: the contact's photo, else its initials, else the silhouette. The loader, direct
/// requests, `tondo convert` and the publisher of jobs take the order from here, and decide for themselves how often they
/// try.
package struct ShownPhoto: Sendable {
    package let kind: PreparedAvatar.Kind
    package let source: PhotoSource
    /// The owner of the avatars in the cache; nil for the silhouette, which all contacts share, and for a name.
    package let owner: String?
    /// Has the initials that come next.
    private let contact: Contact?

    /// The first to try. `photos`: nil if the book is not read yet, as for a contact without a photo.
    package init(of contact: Contact, in photos: BookPhotos?, else initials: InitialsPhotos) {
        if let photos, let source = PhotoSource(contact, in: photos) {
            self.init(.photo, source, owner: contact.id, contact: contact)
        } else {
            self.init(withoutPhoto: contact, else: initials)
        }
    }

    /// A photo that nothing replaces.
    init(photo source: PhotoSource, owner: String?) { self.init(.photo, source, owner: owner, contact: nil) }

    /// The initials of a name, which nothing replaces; nil if none can be drawn.
    init?(name: String, drawnBy initials: InitialsPhotos) {
        guard let source = initials.photo(named: name, identity: name) else { return nil }
        self.init(.initials, source, owner: nil, contact: nil)
    }

    /// The first to try of a contact whose photo was tried before, or that has none.
    init(withoutPhoto contact: Contact, else initials: InitialsPhotos) {
        if let source = initials.photo(of: contact) {
            self.init(.initials, source, owner: contact.id, contact: contact)
        } else {
            self = .silhouette
        }
    }

    /// The last.
    package static let silhouette = ShownPhoto(.silhouette, .silhouette, owner: nil, contact: nil)

    private init(_ kind: PreparedAvatar.Kind, _ source: PhotoSource, owner: String?, contact: Contact?) {
        self.kind = kind
        self.source = source
        self.owner = owner
        self.contact = contact
    }

    /// What is shown instead, since this one gave no avatar; nil if nothing is. Further tries of this one, if any, come
    /// before.
    package func next(_ initials: InitialsPhotos) -> ShownPhoto? {
        guard let contact else { return nil }
        if kind == .photo { return ShownPhoto(withoutPhoto: contact, else: initials) }
        return .silhouette
    }
}

extension AvatarRequest {
    package init(_ photo: ShownPhoto, styles: StyleSet) {
        self.init(photo.source, contact: photo.owner, styles: styles)
    }
}
