internal import Dispatch
internal import NIOCore
internal import Synchronization
internal import TondoAvatars
internal import TondoCache
internal import TondoImage

/// Draws what is nobody's photo, on threads of its own and past the cache: strangers choose these pictures, and could
/// fill it with them. Usable from any thread.
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

    private let line = DispatchQueue(label: "tondo.server.easel")
    private let pipeline: AvatarPipeline
    private let known = Mutex(RecentTable<Subject, Picture>(limit: 8 << 20))
    private let waiting = Mutex(0)
    /// Pictures that may wait to be drawn.
    private let depth: Int

    init(depth: Int = 256) {
        self.depth = depth
        pipeline = AvatarPipeline(cache: nil)
    }

    func picture(_ subject: Subject) async throws(ProblemDetails) -> Picture {
        if let picture = known.withLock({ $0.get(subject) }) { return picture }
        guard enter() else { throw .queueFull }
        let result = await withCheckedContinuation { continuation in
            line.async { [self] in
                // Drawn for another one meanwhile.
                if let picture = known.withLock({ $0.get(subject) }) {
                    return continuation.resume(returning: Result<Picture, FaceFailure>.success(picture))
                }
                draw(subject) { continuation.resume(returning: $0) }
            }
        }
        waiting.withLock { $0 -= 1 }
        guard case .success(let picture) = result else { throw .queueFull }
        known.withLock { _ = $0.put(picture, for: subject, cost: picture.png.storageCapacity + 256) }
        return picture
    }

    private func enter() -> Bool {
        waiting.withLock { count in
            guard count < depth else { return false }
            count += 1
            return true
        }
    }

    private func draw(_ subject: Subject, _ completion: @escaping @Sendable (Result<Picture, FaceFailure>) -> Void) {
        switch subject {
        case .placeholder(let style): cut(Silhouette.photo, style, completion)
        case .generated(let kind, let hash, let side, let isCircle):
            let pixels = GeneratedPicture.pixels(kind, hash: hash, side: side)
            let png = PNGEncoder.encode(pixels: pixels, width: side, height: side)
            if isCircle { return cut(png, .face(pixels: side, shape: .circle), completion) }
            let key = CacheKey(recipe: "generated=\(kind.rawValue) hash=\(hash.bytes) side=\(side)").hexadecimal
            completion(.success(Picture(png: ByteBuffer(bytes: png), key: key)))
        }
    }

    private func cut(
        _ photo: [UInt8], _ style: Style, _ completion: @escaping @Sendable (Result<Picture, FaceFailure>) -> Void
    ) {
        pipeline.faces(AvatarRequest(PhotoFile(copying: photo), styles: pipeline.styles([style]))) { result in
            completion(
                result.flatMap { faces in
                    guard let face = faces.first else { return .failure(.gone) }
                    return .success(Picture(png: ByteBuffer(bytes: face.png), key: face.key.hexadecimal))
                })
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
