package import TondoCache
package import TondoImage
package import TondoJobs

/// One photo that is wanted in some styles. All of them are drawn from one decode.
package struct AvatarRequest: Sendable {
    package var photo: PhotoFile
    /// The part of the photo its contact shows.
    package var crop: CropRectangle?
    /// Noted in the cache with every picture; nil where that would be everybody.
    package var contact: String?
    package var styles: StyleSet
    package var priority = JobPriority.background
    /// Faces that lie in the cache come without their bytes, for those who only tell of them.
    package var isBrief = false
    /// Opens the photo once more, so that its bytes need not be held while a job waits for others. Blocks.
    package var reopen: (@Sendable () throws -> PhotoFile)?

    package init(_ photo: PhotoFile, crop: CropRectangle? = nil, contact: String? = nil, styles: StyleSet) {
        (self.photo, self.crop, self.contact, self.styles) = (photo, crop, contact, styles)
    }
}

/// Styles that are drawn together, prepared once for many photos.
package final class StyleSet: Sendable {
    package let styles: [Style]
    let source: RenditionSource

    init(_ styles: [Style], source: RenditionSource) { (self.styles, self.source) = (styles, source) }
}

/// A picture that is ready.
package struct Face: Sendable {
    package enum Source: String, Sendable { case cache, rendered }

    package var style: Style
    package var key: CacheKey
    package var source: Source
    /// It lies in the cache; false where that takes nothing.
    package var isStored: Bool
    package var png: [UInt8]
    /// What it took to draw it, or to read it out of the cache.
    package var milliseconds: Double
}

/// What somebody has for a face.
package struct ContactFaces: Sendable {
    /// In the order of the styles.
    package var faces: [Face]
    /// Nil: they are drawn from the contact's photo; else they are the placeholder's, and why.
    package var problem: FaceFailure?
}

/// Why there is no face.
package struct FaceFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// When a loader tries again by itself.
    package enum Retry: Sendable {
        /// Not before the contact changes.
        case never
        /// What was in the way may be gone in a moment.
        case soon
        /// The cause takes longer to go away, and is remembered until then.
        case later
    }

    /// Stable, for scripts.
    package var code: String
    package var message: String
    /// Trying again soon may well work: the queue was full, or the program is about to end.
    package var isPassing = false
    package var retry = Retry.never

    package init(code: String, message: String) { (self.code, self.message) = (code, message) }

    package var description: String { message }
}

extension FaceFailure {
    /// While it waited.
    static let changed: FaceFailure = {
        var failure = FaceFailure(code: "photo-changed", message: "the photo was changed just now")
        (failure.isPassing, failure.retry) = (true, .soon)
        return failure
    }()

    package init(_ error: any Error) {
        switch error {
        case let error as FaceFailure: self = error
        case JobError.failed(let inner): self.init(inner)
        case let error as JobError: self.init(job: error)
        case let error as RenderError:
            self.init(code: error.error.code, message: error.description)
            if error.error == .outOfMemory { retry = .later }
        case let error as RememberedFailure:
            self.init(code: error.failure.code, message: error.description)
            if error.failure.until != nil { retry = .later }
        case let error as PhotoProblem:
            self.init(code: error.code, message: error.description)
            if error.isPassing { retry = .soon }
            if error.isShortage { isPassing = true }
        case let error as FileError:
            self.init(code: error.code, message: error.description)
            if error.errno?.isShortage == true { (isPassing, retry) = (true, .soon) }
        default: self.init(code: "unknown", message: "\(error)")
        }
    }

    private init(job error: JobError) {
        self.init(code: error.code, message: error.description)
        switch error {
        case .timedOut: retry = .later
        case .queueFull: (isPassing, retry) = (true, .soon)
        case .closed, .cancelled, .failed: isPassing = true
        }
    }
}
