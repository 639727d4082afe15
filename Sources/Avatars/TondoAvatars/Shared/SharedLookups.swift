internal import Dispatch
internal import Synchronization
internal import TondoCache
internal import TondoDigest
internal import TondoImage
internal import TondoRedis

/// What the key of a photo's avatars depends on, besides their style: of a photo that was opened before.
package struct KnownPhoto: Sendable {
    let digest: SHA256Digest
    let geometry: PhotoGeometry
    let crop: CropRectangle?

    fileprivate var subject: CachingRenderer.Subject { .init(digest: digest, geometry: geometry, crop: crop) }
}

/// Finds avatars of known photos in the shared tier, without opening the photo and without a thread for each: one thread
/// looks into the cache folder, and asks the tier for what is not there, many avatars at a time. Usable from any thread;
/// never blocks.
final class SharedLookups: Sendable {
    enum Outcome: Sendable {
        /// The shared tier has the avatar, and the cache folder does not.
        case found(Avatar)
        /// The cache folder has it.
        case stored
        /// Neither has it, or the tier gave no answer.
        case missing
    }

    typealias Completion = @Sendable (Outcome) -> Void

    private let tier: SharedTier
    private let deferred: DeferredStores?
    private let pipeline: RedisPipeline
    /// Equal lookups share one question.
    private let asked = Mutex<[CacheKey: [Completion]]>([:])
    private let running = DispatchGroup()

    /// `depth`: lookups at a time. Nil: the process has no descriptors left.
    init?(_ tier: SharedTier, _ deferred: DeferredStores?, depth: Int) {
        guard let pipeline = RedisPipeline(pool: tier.pool, depth: depth) else { return nil }
        self.tier = tier
        self.deferred = deferred
        self.pipeline = pipeline
    }

    /// Looks the avatar of the only style up. `completion` is called once, on another thread, and must not block. False: it
    /// is not, since too many lookups are running.
    func find(_ photo: KnownPhoto, for request: AvatarRequest, completion: @escaping Completion) -> Bool {
        running.enter()
        let isAccepted = pipeline.submit { [self] in
            call(photo, request: request) { outcome in
                completion(outcome)
                self.running.leave()
            }
        }
        if !isAccepted { running.leave() }
        return isAccepted
    }

    private func call(
        _ photo: KnownPhoto, request: AvatarRequest, completion: @escaping Completion
    ) -> RedisPipeline.Call? {
        let (style, source) = (request.styles.styles[0], request.styles.source)
        let key = source.recipes(for: photo.subject)[0].key
        if source.contains(key, format: style.format.entryFormat) {
            completion(.stored)
            return nil
        }
        let isFirst = asked.withLock { asked in
            asked[key, default: []].append(completion)
            return asked[key]?.count == 1
        }
        guard isFirst else { return nil }
        let start = ContinuousClock.now
        return RedisPipeline.Call(command: tier.lookup(key)) { [self] reply in
            switch tier.read(reply, of: key) {
            case .avatar(let sealed):
                deferred?.add(sealed, as: key, for: request.contact)
                let time = (ContinuousClock.now - start) / .milliseconds(1)
                end(key, with: .found(Avatar(sealed: sealed, style: style, key: key, milliseconds: time)))
            case .altered(let bytes, let reason):
                // Deletes it first, so that the drawing does not find it again; that blocks.
                DispatchQueue.global(qos: .utility).async { [self] in
                    tier.delete(SharedKey.avatar(key), altered: bytes, because: reason)
                    end(key, with: .missing)
                }
            case .none: end(key, with: .missing)
            }
        }
    }

    private func end(_ key: CacheKey, with outcome: Outcome) {
        for completion in asked.withLock({ $0.removeValue(forKey: key) }) ?? [] { completion(outcome) }
    }

    /// Returns when no lookup is running, after the time of a call at the latest.
    func finish() async {
        await withCheckedContinuation { done in running.notify(queue: .global()) { done.resume() } }
    }
}

extension Avatar {
    fileprivate init(sealed: SealedAvatar, style: Style, key: CacheKey, milliseconds: Double) {
        self.style = style
        self.key = key
        self.milliseconds = milliseconds
        bytes = sealed.avatar.bytes
        source = .cache
        isStored = false
        isInSharedTier = true
    }
}
