internal import NIOCore
internal import Synchronization
internal import TondoAvatars
internal import TondoCache
internal import TondoImage
internal import TondoJobs

/// Draws placeholders and generated avatars on a queue of its own, without the cache: strangers choose these requests,
/// and could fill the cache with them. The queue has the same limit of waiting time as the queue for photos. Usable
/// from any thread.
final class GeneratedAvatars: Sendable {
    enum Subject: Hashable, Sendable {
        /// The silhouette.
        case placeholder(Style)
        /// Side in pixels.
        case generated(DefaultImage.Kind, AddressHash, side: Int, isCircle: Bool)
        /// Initials.
        case letters(PhotoSource, side: Int, isCircle: Bool)
    }

    struct Output: Sendable {
        let bytes: ByteBuffer
        /// Such as `image/png`.
        let type: String
        let key: String
        /// Counts the memory of a photo's avatar until the response is made.
        var body: OutputBody?

        init(_ avatar: Avatar, body: OutputBody) {
            bytes = body.bytes
            self.body = body
            type = avatar.style.format.mediaType
            key = avatar.key.hexadecimal
        }

        init(_ avatar: Avatar) {
            bytes = ByteBuffer(bytes: avatar.bytes)
            type = avatar.style.format.mediaType
            key = avatar.key.hexadecimal
        }

        /// A PNG.
        fileprivate init(png: [UInt8], key: String) {
            bytes = ByteBuffer(bytes: png)
            type = AvatarFormat.png.mediaType
            self.key = key
        }
    }

    typealias Queue = JobQueue<Subject, Output>

    private let queue: Queue
    private let known = Mutex(LRUCache<Subject, Output>(limit: 2 << 20))

    /// Draws initials.
    private let drawing: Drawing

    typealias Drawing = @Sendable (PhotoSource, Style) throws -> Avatar

    init(
        options: Queue.Options = GeneratedAvatars.standard,
        drawing: @escaping Drawing = { try AvatarPipeline.draw($0, in: $1) }
    ) {
        queue = JobQueue(options)
        self.drawing = drawing
    }

    /// Photos have precedence: generated avatars get half of the processors.
    static let standard: Queue.Options = {
        var options = Queue.Options()
        options.workers = max(Processors.ofService / 2, 1)
        options.spares = 0
        options.depth = 256
        options.wait = AvatarService.longestWait
        return options
    }()

    var counters: JobCounters { queue.counters }

    /// Starts no further job until `resume`.
    func pause() { queue.pause() }

    func resume() { queue.resume() }

    func avatar(_ subject: Subject) async throws(ProblemDetails) -> Output {
        if let avatar = known.withLock({ $0.get(subject) }) { return avatar }
        do { return try await queue.value(request(subject)) } catch { throw .queueFull }
    }

    /// Nil if they cannot be drawn; `failed` gets the reason.
    func initials(
        _ photo: PhotoSource, side: Int, isCircle: Bool, failed: (AvatarFailure) -> Void
    ) async throws(ProblemDetails) -> Output? {
        let subject = Subject.letters(photo, side: side, isCircle: isCircle)
        if let avatar = known.withLock({ $0.get(subject) }) { return avatar }
        do { return try await queue.value(request(subject)) } catch {
            guard case JobError.failed = error else { throw .queueFull }
            failed(AvatarFailure(error))
            return nil
        }
    }

    /// The placeholder if it is in memory, else the one in the default size while this one is drawn. Never blocks.
    func placeholder(atOnce style: Style) -> Output {
        let subject = Subject.placeholder(style)
        if let avatar = known.withLock({ $0.get(subject) }) { return avatar }
        // A later request may find it; if the queue is full, a later request submits it again.
        _ = try? queue.submit(request(subject)) { _ in }
        return Self.usual
    }

    /// Some milliseconds of work, once.
    private static let usual =
        (try? cut(.silhouette, in: Style(size: Style.usualSize))) ?? Output(png: [], key: "")

    private func request(_ subject: Subject) -> Queue.Request {
        var request = Queue.Request(key: subject) { [weak self, drawing] _ in
            let avatar = try Self.draw(subject, with: drawing)
            self?.known.withLock { _ = $0.put(avatar, for: subject, cost: avatar.bytes.storageCapacity + 256) }
            return avatar
        }
        request.priority = subject.priority
        return request
    }

    private static func draw(_ subject: Subject, with drawing: Drawing) throws -> Output {
        switch subject {
        case .placeholder(let style): return try cut(.silhouette, in: style)
        case .letters(let photo, let side, let isCircle):
            return try cut(photo, in: .avatar(pixels: side, shape: isCircle ? .circle : .square), by: drawing)
        case .generated(let kind, let hash, let side, let isCircle):
            let pixels = DefaultImage.pixels(kind, hash: hash, side: side)
            let png = PNGEncoder.encode(pixels: pixels, width: side, height: side)
            if isCircle { return try cut(.bytes(PhotoFile(copying: png)), in: .avatar(pixels: side, shape: .circle)) }
            // No entry has this key: it only has to differ where the bytes do, for the entity tag.
            let key = CacheKey(recipe: "generated=\(kind.rawValue) hash=\(hash.bytes) side=\(side)").hexadecimal
            return Output(png: png, key: key)
        }
    }

    private static func cut(
        _ photo: PhotoSource, in style: Style, by drawing: Drawing = { try AvatarPipeline.draw($0, in: $1) }
    ) throws -> Output {
        Output(try drawing(photo, style))
    }
}

extension GeneratedAvatars.Subject {
    /// Small avatars take a hundredth of the time of large ones, and must not wait for them.
    fileprivate var priority: JobPriority {
        switch self {
        case .placeholder: .visible
        case .generated(_, _, let side, _), .letters(_, let side, _): side <= 256 ? .near : .background
        }
    }
}

extension DefaultImage.Kind {
    /// The hash this kind depends on: none if all hashes give the same avatar.
    func effective(_ hash: AddressHash) -> AddressHash {
        self == .person || self == .blank ? AddressHash.md5(of: "") : hash
    }
}

extension Style {
    /// A style with this side in pixels, or one pixel less if no points and scale give that side.
    static func avatar(pixels: Int, shape: Shape) -> Style {
        let scale = pixels <= sizes.upperBound ? 1 : pixels.isMultiple(of: 3) && !pixels.isMultiple(of: 2) ? 3 : 2
        var style = Style(size: pixels / scale, scale: scale)
        style.shape = shape
        return style
    }
}
