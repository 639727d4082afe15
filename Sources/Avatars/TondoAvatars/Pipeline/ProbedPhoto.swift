internal import Synchronization
internal import TondoCache
internal import TondoContacts
internal import TondoDigest
internal import TondoFiles
internal import TondoImage

/// A photo that was opened once: everything its avatars' keys depend on, and where to read it again.
///
/// The bytes of some photos are kept until they are drawn, see `KeptPhotos`; the others are read again.
struct ProbedPhoto: Sendable {
    let source: PhotoSource
    let digest: SHA256Digest
    let geometry: PhotoGeometry
    let crop: CropRectangle?
    /// Where the digest was taken; nil: equal identities would not prove equal bytes.
    private let identity: PhotoIdentity?
    private let kept: KeptPhoto?
    /// It came from a pipe.
    let isReadOnce: Bool
    /// Another process decodes it.
    private let isSandboxed: Bool

    /// Reads the photo only if its digest is not known by the file's identity. Throws a `RenderError` if its header is
    /// unusable, else as `PhotoSource.open` and `OpenPhoto.read`. `limit`: bytes that may be held in memory.
    /// `isSandboxed`: another process decodes the photo, so that a large file is not held here. `now`: nanoseconds since 1970,
    /// later in tests. Blocks.
    init(
        source: PhotoSource, cache: AvatarCache?, limit: Int, keeping photos: KeptPhotos = KeptPhotos(limit: 0),
        isSandboxed: Bool = false, now: Int64 = .nanosecondsSince1970
    ) throws {
        self.isSandboxed = isSandboxed
        if let cache, let (identity, crop) = source.identity, identity.isSettled(now: now),
            let facts = cache.photo(at: identity),
            let geometry = PhotoGeometry(packed: facts.header)
        {
            self.source = source
            digest = facts.digest
            self.geometry = geometry
            self.crop = crop
            self.identity = identity
            kept = nil
            isReadOnce = false
            return
        }
        let photo = try source.open()
        let settled = photo.identity.flatMap { $0.isSettled(now: now) ? $0 : nil }
        crop = photo.crop
        if let identity = settled, let facts = cache?.photo(at: identity),
            let geometry = PhotoGeometry(packed: facts.header)
        {
            self.source = source
            digest = facts.digest
            self.geometry = geometry
            self.identity = identity
            kept = nil
            isReadOnce = false
            return
        }
        if isSandboxed, let settled, let file = photo.shared(limit: limit), let found = file.handle?.probe(),
            photo.isUnchanged
        {
            self.source = source
            digest = found.digest
            geometry = found.geometry
            identity = settled
            kept = photos.keep(file)
            isReadOnce = false
            if let header = geometry.packed { cache?.remember(PhotoFacts(digest: digest, header: header), of: settled) }
            return
        }
        let file = try photo.read(limit: limit)
        isReadOnce = photo.isReadOnce
        self.source = isReadOnce ? .bytes(file) : source
        digest = SHA256Digest(file)
        geometry = try source.letters == nil ? withExtendedLifetime(file) { try .init(probing: file.bytes) } : .initials
        identity = photo.isUnchanged ? settled : nil
        kept = photos.keep(file)
        guard let identity, let cache, let header = geometry.packed else { return }
        cache.remember(PhotoFacts(digest: digest, header: header), of: identity)
    }

    /// The bytes, when the job's turn comes. Throws `AvatarFailure.changed` if they are others by now, or cannot be read
    /// any more: other requests share the job, whose photos are as they were, and each must look at its own photo again.
    func read(limit: Int) throws -> PhotoFile {
        if let file = kept?.file { return file }
        do { return try readAgain(limit: limit) } catch let error as RenderError where error.error == .outOfMemory {
            throw error
        } catch { throw AvatarFailure.changed }
    }

    private func readAgain(limit: Int) throws -> PhotoFile {
        let photo = try source.open()
        if isSandboxed, let identity, photo.identity == identity, let file = photo.shared(limit: limit) { return file }
        let file = try photo.read(limit: limit)
        // Equal identities mean equal bytes; else the digest decides.
        if identity != nil, photo.identity == identity, photo.isUnchanged { return file }
        guard SHA256Digest(file) == digest else { throw AvatarFailure.changed }
        return file
    }
}

/// The photos that stay in memory between being opened and being drawn, bounded by their bytes, however many requests
/// there are. Small ones always find room: reading a portrait again would take a tenth of the time of drawing it.
final class KeptPhotos: Sendable {
    private let free: Mutex<Int>
    private let limit: Int

    /// `limit`: bytes; a single larger photo is kept, too. 0: none.
    init(limit: Int) {
        self.limit = limit
        free = Mutex(limit)
    }

    /// Nil: there is no room.
    fileprivate func keep(_ file: PhotoFile) -> KeptPhoto? {
        let size = file.size
        let isFree = free.withLock { free in
            if free < size, limit == 0 || free < limit { return false }
            free -= size
            return true
        }
        return isFree ? KeptPhoto(file: file, of: self) : nil
    }

    fileprivate func giveBack(_ size: Int) { free.withLock { $0 += size } }
}

private final class KeptPhoto: Sendable {
    let file: PhotoFile
    private let owner: KeptPhotos

    init(file: PhotoFile, of owner: KeptPhotos) {
        self.file = file
        self.owner = owner
    }

    deinit { owner.giveBack(file.size) }
}
