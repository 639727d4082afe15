internal import Synchronization
internal import TondoCache
internal import TondoContacts
internal import TondoFiles
internal import TondoImage

/// A photo that was opened once: everything its avatars' keys depend on, and where to read it again.
///
/// The bytes of a few photos are kept until they are drawn, see `KeptPhotos`; the others are read again.
struct ProbedPhoto: Sendable {
    let source: PhotoSource
    let digest: PhotoDigest
    let geometry: PhotoGeometry
    let crop: CropRectangle?
    /// Where the digest was taken; nil: equal places would not prove equal bytes.
    private let place: PhotoPlace?
    private let kept: KeptPhoto?
    /// It came from a pipe.
    let isReadOnce: Bool

    /// Reads the photo only if its digest is not known by the file's identity. Throws a `RenderError` if its header is
    /// unusable, else as `PhotoSource.open` and `OpenPhoto.read`. `limit`: bytes that may be held in memory.
    /// `now`: nanoseconds since 1970, later in tests. Blocks.
    init(
        _ source: PhotoSource, cache: AvatarCache?, limit: Int, keeping photos: KeptPhotos = KeptPhotos(limit: 1),
        now: Int64 = .nanosecondsSince1970
    ) throws {
        let photo = try source.open()
        let settled = photo.place.flatMap { $0.isSettled(now: now) ? $0 : nil }
        crop = photo.crop
        if let place = settled, let facts = cache?.photo(at: place),
            let geometry = PhotoGeometry(packed: facts.header)
        {
            (self.source, digest, self.geometry) = (source, PhotoDigest(facts.digest), geometry)
            (self.place, kept, isReadOnce) = (place, nil, false)
            return
        }
        let file = try photo.read(limit: limit)
        isReadOnce = photo.isReadOnce
        self.source = isReadOnce ? .bytes(file) : source
        digest = PhotoDigest(file)
        geometry = try withExtendedLifetime(file) { try PhotoGeometry(probing: file.bytes) }
        place = photo.isUnchanged ? settled : nil
        kept = photos.keep(file)
        guard let place, let cache, let header = geometry.packed else { return }
        cache.remember(PhotoFacts(digest: digest.quarters, header: header), of: place)
    }

    /// Drops the bytes; they will be read again.
    func release() { kept?.release() }

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
        let file = try photo.read(limit: limit)
        // Equal places mean equal bytes; else the digest decides.
        if place != nil, photo.place == place, photo.isUnchanged { return file }
        guard PhotoDigest(file) == digest else { throw AvatarFailure.changed }
        return file
    }
}

/// The photos that stay in memory between being opened and being drawn: a few, however many requests there are.
///
/// Without any, a photo is read twice, by two threads, each of which holds freed memory of its own.
final class KeptPhotos: Sendable {
    private let free: Mutex<Int>

    init(limit: Int) { free = Mutex(limit) }

    /// Nil: there are enough.
    fileprivate func keep(_ file: PhotoFile) -> KeptPhoto? {
        let isFree = free.withLock { free in
            if free == 0 { return false }
            free -= 1
            return true
        }
        return isFree ? KeptPhoto(file, of: self) : nil
    }

    fileprivate func giveBack() { free.withLock { $0 += 1 } }
}

private final class KeptPhoto: Sendable {
    private let state: Mutex<PhotoFile?>
    private let owner: KeptPhotos

    init(_ file: PhotoFile, of owner: KeptPhotos) {
        state = Mutex(file)
        self.owner = owner
    }

    deinit { release() }

    var file: PhotoFile? { state.withLock { $0 } }

    func release() {
        if state.withLock({ $0.take() }) != nil { owner.giveBack() }
    }
}
