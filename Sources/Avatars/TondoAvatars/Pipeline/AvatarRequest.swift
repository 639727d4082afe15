package import TondoCache
internal import TondoFiles
package import TondoImage
package import TondoJobs

/// A request for the avatars of one photo in some styles. All of them are drawn from one decode.
package struct AvatarRequest: Sendable {
    package var photo: PhotoSource
    /// Recorded in the cache with every entry; nil for the placeholder, which many contacts share.
    package var contact: String?
    package var styles: StyleSet
    package var priority = JobPriority.background
    /// Hits come without their bytes, for callers that only need the keys.
    package var omitsBytes = false
    /// Avatars of the shared tier are passed on before the cache has them, if at all, see `DeferredStores`, and do not count as
    /// stored.
    var isStoredLater = false
    /// The shared tier is asked when the avatars are about to be drawn, and not before: for avatars that are new in most
    /// cases.
    package var isNew = false
    /// Waits while another instance draws the photo. False for a caller that knows that the other one has ended.
    package var isLocked = true
    /// What the request gets if the photo cannot be opened; nil, or a result of nil: the failure. May block.
    var lastAvatars: (@Sendable () -> [Avatar]?)?
    /// Looks for what can be shown while the avatars are drawn, see `AvatarJob.former`.
    var findsFormer = false
    /// Takes the avatars, which the completion does not get then.
    var output: AvatarOutput?

    package init(_ photo: PhotoSource, contact: String? = nil, styles: StyleSet) {
        self.photo = photo
        self.contact = contact
        self.styles = styles
    }
}

/// Takes the avatars of one request on the worker, each before the next is drawn, so that large ones are not all in
/// memory. All are called on one thread at a time, and may block.
final class AvatarOutput: Sendable {
    /// Avatars are drawn though they are in the cache.
    let isFresh: Bool
    /// After the photo was opened, with the crop that was asked for; nil: it depends on faces, or there is no photo to crop.
    let opened: @Sendable (CropReport?) -> Void
    /// The styles whose avatars are needed, by index, for the recipes of all styles; the others are not looked up.
    let wanted: @Sendable ([AvatarRecipe]) -> [Int]
    let write: @Sendable (CachingRenderer.Output, Int) throws -> Void
    /// After a decode.
    let decoded: @Sendable (PhotoInfo) -> Void
    /// Before the photo is opened, and before it is drawn: a thrown error ends the request. Not repeatable: the photo was
    /// read from a pipe, and would be lost.
    let begin: @Sendable (_ isRepeatable: Bool) throws -> Void
    /// The time that a worker spent, without waiting.
    let worked: @Sendable (Duration) -> Void

    init(
        isFresh: Bool, opened: @escaping @Sendable (CropReport?) -> Void,
        wanted: @escaping @Sendable ([AvatarRecipe]) -> [Int],
        write: @escaping @Sendable (CachingRenderer.Output, Int) throws -> Void,
        decoded: @escaping @Sendable (PhotoInfo) -> Void,
        begin: @escaping @Sendable (_ isRepeatable: Bool) throws -> Void, worked: @escaping @Sendable (Duration) -> Void
    ) {
        self.isFresh = isFresh
        self.opened = opened
        self.wanted = wanted
        self.write = write
        self.decoded = decoded
        self.begin = begin
        self.worked = worked
    }

    /// The work of one worker.
    func perform<Result>(isRepeatable: Bool, _ work: () throws -> Result) throws -> Result {
        try begin(isRepeatable)
        let clock = ContinuousClock()
        let start = clock.now
        defer { worked(clock.now - start) }
        return try work()
    }
}

/// Styles that are drawn together, prepared once for many photos.
package final class StyleSet: Sendable {
    /// As they were requested; `source` has them as they are drawn.
    package let styles: [Style]
    let source: CachingRenderer

    init(_ styles: [Style], source: CachingRenderer) {
        self.styles = styles
        self.source = source
    }
}

/// A finished avatar.
package struct Avatar: Sendable {
    package enum Source: String, Sendable { case cache, rendered }

    package var style: Style
    package var key: CacheKey
    package var source: Source
    /// Whether it is in the cache; false if the cache cannot store.
    package var isStored: Bool
    /// The bytes of the avatar's file, in the format of the style.
    package var bytes: [UInt8]
    /// The time to draw it, or to read it from the cache.
    package var milliseconds: Double
    /// Certainly in the shared tier.
    package var isInSharedTier = false
    /// What it was drawn from, if that is the photo of a contact.
    var photo: KnownPhoto?
}

/// The avatars of one contact.
package struct ContactAvatars: Sendable {
    /// In the order of the styles.
    package var avatars: [Avatar]
    package var kind = PreparedAvatar.Kind.photo
    /// Nil: they are drawn from the contact's photo; else they are initials or the silhouette, and this is the reason.
    package var problem: AvatarFailure?
    /// False: initials may be drawn later, although the contact stays as it is.
    package var isLasting = true
}

/// Why there is no avatar.
package struct AvatarFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// When a loader retries by itself.
    package enum Retry: Sendable {
        /// Not before the contact changes.
        case never
        /// The cause may be gone in a moment.
        case soon
        /// The cause takes longer to go away, and is remembered until then.
        case later
    }

    /// Stable, for scripts.
    package var code: String
    package var message: String
    /// A retry may succeed soon: the queue was full, or the program is about to end.
    package var isTransient = false
    package var retry = Retry.never

    package init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

extension AvatarFailure {
    package static let noPhoto = AvatarFailure(code: "no-photo", message: "the contact has no photo")

    static let noInitials = AvatarFailure(code: "no-initials", message: "no letter of this name can be drawn")

    /// The photo is in a book that cannot be read now.
    package static let lost: AvatarFailure = {
        var failure = AvatarFailure(code: "book-unreadable", message: "the book of the photo cannot be read")
        failure.retry = .later
        return failure
    }()

    static let notLoaded = AvatarFailure(code: "not-loaded", message: "the book is not loaded")

    /// Changed while the job was queued.
    static let changed: AvatarFailure = {
        var failure = AvatarFailure(code: "photo-changed", message: "the photo changed while it was read")
        failure.isTransient = true
        failure.retry = .soon
        return failure
    }()

    package init(_ error: any Error) {
        switch error {
        case let error as AvatarFailure: self = error
        case JobError.failed(let inner): self.init(inner)
        case let error as JobError: self.init(job: error)
        case let error as DrawnElsewhere:
            self.init(code: "drawn-elsewhere", message: error.description)
            isTransient = true
            retry = .soon
        case let error as RenderError:
            self.init(code: error.error.code, message: error.description)
            if error.error.isTransient { retry = .later }
        case let error as NegativeEntryError:
            self.init(code: error.failure.code, message: error.description)
            if error.failure.until != nil { retry = .later }
        case let error as PhotoProblem:
            self.init(code: error.code, message: error.description)
            if error.isTransient { retry = .soon }
            if error.isShortage { isTransient = true }
        case let error as FileError:
            self.init(code: error.code, message: error.description)
            if error.errno.isShortage {
                isTransient = true
                retry = .soon
            }
        default: self.init(code: "unknown", message: "\(error)")
        }
    }

    private init(job error: JobError) {
        self.init(code: error.code, message: error.description)
        switch error {
        case .timedOut: retry = .later
        case .queueFull:
            isTransient = true
            retry = .soon
        case .closed, .cancelled, .failed: isTransient = true
        }
    }
}
