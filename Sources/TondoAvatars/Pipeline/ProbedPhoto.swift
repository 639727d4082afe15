internal import Synchronization
internal import TondoCache
internal import TondoContacts
internal import TondoFiles
internal import TondoImage

/// A photo that was opened once: everything its avatars' keys depend on, and where to read it again.
///
/// Its bytes are kept until it is drawn only while few jobs are queued, see `release`: reading a photo twice took 54 MB
/// instead of 31 for one of 23 MB, since two threads hold freed memory of their own.
struct ProbedPhoto: Sendable {
    let source: PhotoSource
    let digest: PhotoDigest
    let geometry: PhotoGeometry
    let crop: CropRectangle?
    /// Where the digest was taken; nil: equal places would not prove equal bytes.
    private let place: PhotoPlace?
    private let kept = KeptPhoto()

    /// Reads the photo only if its digest is not known by the file's identity. Throws a `RenderError` if its header is
    /// unusable, else as `PhotoSource.open` and `OpenPhoto.read`. `limit`: bytes that may be held in memory.
    /// `now`: nanoseconds since 1970, later in tests. Blocks.
    init(_ source: PhotoSource, cache: AvatarCache?, limit: Int, now: Int64 = .nanosecondsSince1970) throws {
        let photo = try source.open()
        let settled = photo.place.flatMap { $0.isSettled(now: now) ? $0 : nil }
        crop = photo.crop
        if let place = settled, let facts = cache?.photo(at: place),
            let geometry = PhotoGeometry(packed: facts.header)
        {
            (self.source, digest, self.geometry) = (source, PhotoDigest(facts.digest), geometry)
            self.place = place
            return
        }
        let file = try photo.read(limit: limit)
        // A pipe can be read only once.
        self.source = photo.place == nil ? .bytes(file) : source
        digest = PhotoDigest(file)
        geometry = try withExtendedLifetime(file) { try PhotoGeometry(probing: file.bytes) }
        place = photo.isUnchanged ? settled : nil
        kept.file.withLock { $0 = file }
        guard let place, let cache, let header = geometry.packed else { return }
        cache.remember(PhotoFacts(digest: digest.quarters, header: header), of: place)
    }

    /// Drops the bytes; they will be read again.
    func release() { kept.file.withLock { $0 = nil } }

    /// The bytes, when the job's turn comes. Throws `AvatarFailure.changed` if they are others by now.
    func read(limit: Int) throws -> PhotoFile {
        if let file = kept.file.withLock({ $0 }) { return file }
        let photo = try source.open()
        let file = try photo.read(limit: limit)
        // Equal places mean equal bytes; else the digest decides.
        if place != nil, photo.place == place, photo.isUnchanged { return file }
        guard PhotoDigest(file) == digest else { throw AvatarFailure.changed }
        return file
    }
}

/// The bytes of a photo between its two queues.
private final class KeptPhoto: Sendable {
    let file = Mutex<PhotoFile?>(nil)
}
