internal import NIOHTTP1
internal import Synchronization
internal import TondoAvatars
internal import TondoImage
internal import TondoJobs

/// Draws the photos that clients send, on a queue of its own and without the cache: nothing is kept of a photo that no book has
/// yet. Its waiting time is limited like that of the queue for photos. Usable from any thread.
final class PhotoUploads: Sendable {
    /// A photo as a book stores it, and how it is shown then.
    struct Drawn: Sendable {
        let fitted: FittedPhoto
        let avatar: Avatar
    }

    let budget = UploadBudget()
    /// Behind photos that take long, a client is asked to come again after this time.
    let longestWait: Duration?
    private let pipeline: AvatarPipeline
    private let queue: JobQueue<Int, Drawn>
    /// The last request: no two are equal, since that could only be found out by their bytes.
    private let last = Atomic<Int>(0)

    init(_ pipeline: AvatarPipeline, options: JobQueue<Int, Drawn>.Options = PhotoUploads.standard) {
        self.pipeline = pipeline
        var options = options
        options.longestWait = options.longestWait ?? Self.patience
        longestWait = options.longestWait
        queue = JobQueue(options)
    }

    private static let patience = Duration.seconds(5)

    /// Avatars have precedence, as with `GeneratedAvatars`. A photo that takes long does not keep all others waiting.
    static let standard: JobQueue<Int, Drawn>.Options = {
        var options = JobQueue<Int, Drawn>.Options()
        options.workers = max(Processors.ofService / 2, 2)
        options.spares = 0
        options.depth = 16
        options.wait = AvatarService.longestWait
        return options
    }()

    /// A photo that cannot be shown is refused, since it would replace one that can.
    func drawn(
        _ body: UploadedBody, as query: PhotoUploadQuery, in style: Style
    ) async throws(ProblemDetails) -> Drawn {
        let number = last.wrappingAdd(1, ordering: .relaxed).newValue
        var request = JobQueue<Int, Drawn>.Request(key: number) { [pipeline] context in
            try context.check()
            let fitted = try pipeline.fit(body.file, within: query.bounds, showing: query.part)
            try context.check()
            return Drawn(fitted: fitted, avatar: try pipeline.drawUncached(fitted, in: style))
        }
        request.priority = .visible
        // It is drawn up to three times: to find faces, to fit, and as an avatar.
        request.limit = pipeline.options.timeout.map { $0 * 3 }
        do { return try await queue.value(request) } catch {
            if case .failed(let reason) = error { throw Self.problem(reason) }
            if case .timedOut = error { throw .photoTimedOut }
            throw .queueFull
        }
    }

    /// No text about processes and programs, which may contain paths.
    private static func problem(_ error: any Error) -> ProblemDetails {
        if let outside = error as? PhotoPart.Outside {
            return ProblemDetails(.badRequest, code: "bad-parameter", detail: "crop \(outside).")
        }
        guard let problem = (error as? RenderError)?.error else {
            return ProblemDetails(.serviceUnavailable, code: AvatarFailure(error).code, retryAfter: 1)
        }
        switch problem {
        case .timedOut: return .photoTimedOut
        case .empty, .truncated, .corrupt, .tooManyScans, .decoderCrashed:
            return ProblemDetails(.unprocessableEntity, code: "photo-unreadable", detail: "The photo cannot be drawn.")
        case .unsupported(let what), .notAnImage(let what):
            return ProblemDetails(
                .unsupportedMediaType, code: "photo-format",
                detail: "The body must be a JPEG, PNG, WebP, GIF, HEIC or AVIF photo itself: \(what).")
        case .tooLarge, .overMemory:
            return ProblemDetails(.payloadTooLarge, code: "photo-too-large", detail: "\(problem).")
        case .missingGlyph, .otherFonts, .outOfMemory, .noDecoder:
            return ProblemDetails(.serviceUnavailable, code: problem.code, retryAfter: 1)
        }
    }
}

extension ProblemDetails {
    fileprivate static let photoTimedOut = ProblemDetails(
        .unprocessableEntity, code: "photo-timeout", detail: "Drawing the photo takes too long.")
}
