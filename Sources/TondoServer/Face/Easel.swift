internal import NIOCore
internal import Synchronization
internal import TondoAvatars
internal import TondoCache
internal import TondoImage
internal import TondoJobs

/// Draws what is no contact's photo, on a queue of its own and past the cache: strangers choose these pictures, and could
/// fill it with them. The queue has the bounds of the photos' queue: what would wait for too long is refused. Usable from
/// any thread.
final class Easel: Sendable {
    enum Subject: Hashable, Sendable {
        /// The silhouette.
        case placeholder(Style)
        /// Pixels a side.
        case generated(GeneratedPicture.Kind, AddressHash, side: Int, isCircle: Bool)
    }

    struct Picture: Sendable {
        let png: ByteBuffer
        let key: String
    }

    typealias Queue = JobQueue<Subject, Picture>

    private let queue: Queue
    private let known = Mutex(RecentTable<Subject, Picture>(limit: 8 << 20))

    init(_ options: Queue.Options = Easel.standard) { queue = JobQueue(options) }

    /// Photos come first: these pictures get half of the processors.
    static let standard: Queue.Options = {
        var options = Queue.Options()
        (options.workers, options.spares) = (max(options.workers / 2, 1), 0)
        (options.depth, options.wait) = (256, AvatarService.longestWait)
        return options
    }()

    var counters: JobCounters { queue.counters }

    /// Starts nothing more until `resume`.
    func pause() { queue.pause() }

    func resume() { queue.resume() }

    func picture(_ subject: Subject) async throws(ProblemDetails) -> Picture {
        if let picture = known.withLock({ $0.get(subject) }) { return picture }
        do { return try await queue.value(request(subject)) } catch { throw .queueFull }
    }

    /// The placeholder if it is at hand, else the one in the usual size while this one is drawn. Never waits.
    func placeholder(atOnce style: Style) -> Picture {
        let subject = Subject.placeholder(style)
        if let picture = known.withLock({ $0.get(subject) }) { return picture }
        // Whoever asks next may get it; a full queue refuses, and somebody asks again.
        _ = try? queue.submit(request(subject)) { _ in }
        return Self.usual
    }

    /// Some milliseconds' work, once.
    private static let usual =
        (try? draw(.placeholder(Style(size: AvatarQuery.size)))) ?? Picture(png: ByteBuffer(), key: "")

    private func request(_ subject: Subject) -> Queue.Request {
        var request = Queue.Request(subject) { [weak self] _ in
            let picture = try Self.draw(subject)
            self?.known.withLock { _ = $0.put(picture, for: subject, cost: picture.png.storageCapacity + 256) }
            return picture
        }
        request.priority = subject.priority
        return request
    }

    private static func draw(_ subject: Subject) throws -> Picture {
        switch subject {
        case .placeholder(let style): return try cut(Silhouette.photo, style)
        case .generated(let kind, let hash, let side, let isCircle):
            let pixels = GeneratedPicture.pixels(kind, hash: hash, side: side)
            let png = PNGEncoder.encode(pixels: pixels, width: side, height: side)
            if isCircle { return try cut(png, .face(pixels: side, shape: .circle)) }
            let key = CacheKey(recipe: "generated=\(kind.rawValue) hash=\(hash.bytes) side=\(side)").hexadecimal
            return Picture(png: ByteBuffer(bytes: png), key: key)
        }
    }

    private static func cut(_ photo: [UInt8], _ style: Style) throws -> Picture {
        let face = try AvatarPipeline.draw(PhotoFile(copying: photo), in: style)
        return Picture(png: ByteBuffer(bytes: face.png), key: face.key.hexadecimal)
    }
}

extension Easel.Subject {
    /// Small pictures take a hundredth of the time of large ones, and do not wait for them.
    fileprivate var priority: JobPriority {
        switch self {
        case .placeholder: .visible
        case .generated(_, _, let side, _): side <= 256 ? .near : .background
        }
    }
}

extension GeneratedPicture.Kind {
    /// The hash this kind is drawn from: none where it is the same for everybody.
    func effective(_ hash: AddressHash) -> AddressHash {
        self == .person || self == .blank ? AddressHash.md5(of: "") : hash
    }
}

extension Style {
    /// A face of so many pixels a side, or one less where no points and scale make as many.
    static func face(pixels: Int, shape: Shape) -> Style {
        let scale = pixels <= sizes.upperBound ? 1 : pixels.isMultiple(of: 3) && !pixels.isMultiple(of: 2) ? 3 : 2
        var style = Style(size: pixels / scale, scale: scale)
        style.shape = shape
        return style
    }
}
