@_exported public import TondoContacts

/// What a loader tells. `total` comes first; a contact comes before its avatars; after the first `finished` come changes.
public enum LoaderEvent: Sendable {
    /// So many people are in the book.
    case total(Int)
    /// `index`: the person's place in the book, from 0.
    case contact(index: Int, Contact)
    /// A person who could not be read; everybody else is loaded.
    case contactFailed(FailedContact)
    case avatar(PreparedAvatar)
    /// A contact's photo gives no face; it gets the placeholder. Where the cause is a passing one and the book is watched,
    /// the photo is tried again, and an avatar follows when that works.
    case avatarFailed(FailedAvatar)
    /// The first pass is over.
    case finished(LoadSummary)
    /// New, different from before, or in another place. `index`: the place in the book's order, from 0. A client that takes
    /// the contact out of its list and inserts it there, event by event, has the book's order after the last of them.
    case contactChanged(index: Int, Contact)
    case contactRemoved(id: String)
}

/// A face that is ready to be shown.
public struct PreparedAvatar: Sendable {
    public enum Source: String, Sendable { case cache, rendered }
    public enum State: String, Sendable { case normal, selected }

    /// The contact's id.
    public var contact: String
    /// The style's name.
    public var style: String
    public var state: State
    /// Pixels a point.
    public var scale: Int
    /// Names the picture: equal keys are equal pictures. 64 hexadecimal digits.
    public var key: String
    /// Where the PNG is; nil when the cache could not keep it.
    public var url: String?
    public var source: Source
    /// What it took to draw it, or to find it.
    public var milliseconds: Double
    package var tally = AvatarTally()
}

/// A contact whose photo gives no face.
public struct FailedAvatar: Sendable, Error {
    /// The contact's id.
    public var contact: String
    /// Stable, for programs.
    public var code: String
    public var message: String
    package var tally = AvatarTally()
}

/// A contact that could not be read.
public struct FailedContact: Sendable, Error {
    /// The file it is in, relative to the book.
    public var file: String
    /// Counted from 1; nil when it is the whole file.
    public var line: Int?
    /// Stable, for programs.
    public var code: String
    public var message: String
}

/// A first pass in numbers.
public struct LoadSummary: Sendable, Equatable {
    /// People who were read.
    public var contacts = 0
    /// Faces that are ready, placeholders included: those out of the cache and those drawn.
    public var avatars = 0
    public var cached = 0
    public var rendered = 0
    /// People who could not be read, and photos that gave no face.
    public var failed = 0
    public var milliseconds = 0.0

    public init() {}
}

/// Why a book cannot be loaded at all.
public struct LoadError: Error, Sendable, CustomStringConvertible {
    /// Stable, for programs.
    public let code: String
    public let message: String

    public var description: String { message }
}
