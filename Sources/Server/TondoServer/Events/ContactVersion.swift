internal import TondoAvatars
internal import TondoCache
internal import TondoContacts

/// Which contact an event is about, and how it is after the event: lets another instance see whether its own books have the
/// change already.
struct ContactVersion: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// A digest of what clients see of the contact, and of where its photo is.
        case present(String)
        case removed
        /// The event changes avatars alone.
        case same
    }

    var id: String
    var state: State

    init(id: String, state: State) {
        self.id = id
        self.state = state
    }

    init(_ contact: Contact) {
        let text = String(decoding: TondoSchema.summary(contact), as: UTF8.self) + Self.text(of: contact.photo)
        // Eight bytes are enough to distinguish the versions of one contact.
        self.init(id: contact.id, state: .present(String(CacheKey(recipe: text).hexadecimal.prefix(16))))
    }

    /// Not the place inside a file, which other contacts of the file change.
    private static func text(of photo: ContactPhoto?) -> String {
        switch photo {
        case nil: ""
        case .file(let path, let crop): "file \(path) \(String(describing: crop))"
        case .remote(let url): "remote \(url)"
        case .inline(let photo, let crop): "inline \(photo.decodingMemory) \(String(describing: crop))"
        }
    }
}

extension ContactVersion {
    /// One word and the id.
    var text: String {
        switch state {
        case .present(let digest): "\(digest) \(id)"
        case .removed: "removed \(id)"
        case .same: "same \(id)"
        }
    }

    /// Nil for anything else than `text`.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "removed": self.init(id: String(parts[1]), state: .removed)
        case "same": self.init(id: String(parts[1]), state: .same)
        default: self.init(id: String(parts[1]), state: .present(String(parts[0])))
        }
    }
}

extension PublishedEvent {
    /// Nil: the event is about no contact.
    var version: ContactVersion? {
        switch event {
        case .contact(_, var contact), .contactChanged(_, var contact):
            contact.photo = photo
            return ContactVersion(contact)
        case .contactRemoved(let id): return ContactVersion(id: id, state: .removed)
        case .avatar(let avatar): return ContactVersion(id: avatar.contact, state: .same)
        case .avatarFailed(let failure): return ContactVersion(id: failure.contact, state: .same)
        default: return nil
        }
    }
}

/// What the books of this instance know, for events that others publish. Usable from any thread.
struct OwnBooks: Sendable {
    /// Whether the contact is as this version says.
    var have: @Sendable (ContactVersion) -> Bool
    /// What is kept in memory of the contact's avatars is outdated.
    var outdate: @Sendable (String) -> Void
}

extension AddressBookService {
    var ownBooks: OwnBooks {
        OwnBooks(
            have: { [directory] version in
                switch version.state {
                case .present: directory.contact(version.id).map { ContactVersion($0) } == version
                case .removed: directory.book(of: version.id) == nil
                case .same: true
                }
            }, outdate: { [self] in changed(.contact($0)) })
    }
}
