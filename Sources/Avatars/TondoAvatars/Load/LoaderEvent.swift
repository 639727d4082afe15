internal import SystemPackage
@_exported public import TondoContacts
internal import TondoFiles
internal import TondoText

/// The events of a loader. `total` comes first; a contact comes before its avatars; changes come after the first
/// `finished`.
///
/// ```swift
/// for try await event in loader.events() {
///     switch event {
///     case .total(let count): print("\(count) contacts")
///     case .contact(_, let contact): print(contact.displayName)
///     case .avatar(let avatar): print("avatar of \(avatar.contact)")
///     case .avatarFailed(let failure): print("no photo of \(failure.contact): \(failure.message)")
///     case .finished(let summary): print("\(summary.avatars) avatars")
///     default: break
///     }
/// }
/// ```
public enum LoaderEvent: Sendable {
    /// The number of contacts in the book.
    case total(Int)
    /// `index`: the contact's place in the book, from 0.
    case contact(index: Int, Contact)
    /// An unreadable contact; the others are loaded.
    case contactFailed(FailedContact)
    /// An avatar is ready to be shown.
    case avatar(PreparedAvatar)
    /// A contact's photo gives no avatar; the contact gets its initials, or a silhouette. If the cause is transient and the book is
    /// watched, the photo is retried, and an avatar follows when that succeeds.
    case avatarFailed(FailedAvatar)
    /// The first pass is finished.
    case finished(LoadSummary)
    /// A new, changed or moved contact. `index`: its place in the book's order, from 0. A client that removes the
    /// contact from its list and inserts it there, event by event, has the book's order after the last event.
    case contactChanged(index: Int, Contact)
    /// The contact with this id was removed from the book.
    case contactRemoved(id: String)
}

/// An avatar that is ready to be shown.
///
/// ```swift
/// for try await case .avatar(let avatar) in loader.events() where avatar.kind == .photo {
///     print(avatar.contact, avatar.scale, avatar.url ?? "not stored")
/// }
/// ```
public struct PreparedAvatar: Sendable {
    /// Where an avatar comes from.
    public enum Source: String, Sendable {
        /// The cache held it.
        case cache
        /// It was drawn by this load.
        case rendered
    }

    /// What an avatar shows.
    public enum Kind: String, Sendable {
        /// The contact's photo.
        case photo
        /// Letters of the contact's name, without a usable photo.
        case initials
        /// Head and shoulders, without a usable photo and without initials.
        case silhouette
    }

    /// The state of the contact that an avatar shows.
    public enum State: String, Sendable {
        /// Without a ring.
        case normal
        /// With a ring.
        case selected
    }

    /// The contact's id.
    public var contact: String
    /// The style's name.
    public var style: String
    /// The state it shows.
    public var state: State
    /// Pixels per point.
    public var scale: Int
    /// Identifies the avatar: equal keys mean equal bytes. 64 hexadecimal digits.
    public var key: String
    /// The URL of its file; nil if the cache could not store it.
    public var url: String?
    /// What it shows.
    public var kind = Kind.photo
    /// Where it comes from.
    public var source: Source
    /// The time to draw it, or to find it in the cache.
    public var milliseconds: Double
    package var tally = AvatarTally()
}

/// A contact whose photo gives no avatar.
public struct FailedAvatar: Sendable, Error {
    /// The contact's id.
    public var contact: String
    /// Stable, for programs.
    public var code: String
    /// For people.
    public var message: String
    package var tally = AvatarTally()
}

/// A contact that could not be read.
///
/// ```swift
/// for try await case .contactFailed(let failure) in loader.events() {
///     print("\(failure.file):\(failure.line ?? 0): \(failure.message)")
/// }
/// ```
public struct FailedContact: Sendable, Error {
    /// The file it is in, relative to the book.
    public var file: String
    /// Counted from 1; nil if the whole file is meant.
    public var line: Int?
    /// Stable, for programs.
    public var code: String
    /// For people.
    public var message: String
}

/// The counters of a first pass.
public struct LoadSummary: Sendable, Equatable {
    /// Contacts that were read.
    public var contacts = 0
    /// Avatars that are ready, placeholders included: those from the cache and those drawn.
    public var avatars = 0
    /// Avatars from the cache.
    public var cached = 0
    /// Avatars that were drawn.
    public var rendered = 0
    /// Unreadable contacts, and photos that gave no avatar.
    public var failed = 0
    /// The time of the whole pass.
    public var milliseconds = 0.0

    /// All counters are 0.
    public init() {}
}

/// Why a whole book cannot be loaded.
///
/// ```swift
/// do {
///     for try await event in loader.events() { print(event) }
/// } catch {
///     print("\(error.code): \(error.message)")
/// }
/// ```
public struct LoadError: Error, Sendable, CustomStringConvertible {
    /// Stable, for programs.
    public let code: String
    /// For people.
    public let message: String

    /// The message.
    public var description: String { message }
}

/// `file:` URLs (RFC 8089).
enum FileURL {
    static func text(of path: FilePath) -> String {
        "file://" + PercentEncoding.encode(path.absolute.bytes, as: .filePath)
    }
}
