internal import Synchronization
internal import TondoCache
internal import TondoImage
internal import TondoJobs

/// A request whose photo has a digest. Blocks its callers.
final class RenderRequest: Sendable {
    let priority: JobPriority
    private let styles: StyleSet
    private let crop: CropRectangle?
    private let contact: String?
    private let omitsBytes: Bool
    private let digest: PhotoDigest
    /// Nil while the job is queued: the photo is opened again when the job starts.
    private let photo: Mutex<PhotoFile?>
    private let reopen: (@Sendable () throws -> PhotoFile)?

    init(_ request: AvatarRequest) {
        (styles, crop, contact) = (request.styles, request.crop, request.contact)
        (priority, omitsBytes, reopen) = (request.priority, request.omitsBytes, request.reopen)
        digest = PhotoDigest(request.photo)
        photo = Mutex(request.photo)
    }

    var job: AvatarJobKey { AvatarJobKey(photo: digest, crop: crop, styles: styles.styles, omitsBytes: omitsBytes) }

    /// 1 for avatars of ten megapixels together, more for more of them.
    var effort: Int { 1 + styles.styles.reduce(0) { $0 + $1.side * $1.side } / 10_000_000 }

    /// Releases the bytes until they are needed, if the photo can be opened again.
    func releasePhoto() {
        if reopen != nil { photo.withLock { $0 = nil } }
    }

    private var source: CachingRenderer { styles.source }

    /// Valid as long as `file`.
    private func subject(_ file: PhotoFile) -> CachingRenderer.Subject {
        let photo = Photo(file.bytes, isMapped: file.isMapped, crop: crop)
        return CachingRenderer.Subject(photo: photo, digest: digest, contact: contact)
    }

    private func file() throws -> PhotoFile {
        if let file = photo.withLock({ $0 }) { return file }
        guard let file = try reopen?(), PhotoDigest(file) == digest else { throw AvatarFailure.changed }
        return file
    }

    /// All avatars, if the cache has every one of them. Throws a `RenderError` if the header shows that drawing is
    /// impossible.
    func stored() throws -> [Avatar]? {
        let clock = ContinuousClock()
        let file = try file()
        var avatars: [Avatar] = []
        for (style, recipe) in zip(styles.styles, try source.recipes(for: subject(file))) {
            let start = clock.now
            guard let avatar = source.stored(recipe.key, for: contact) else { return nil }
            let time = (clock.now - start) / .milliseconds(1)
            avatars.append(
                Avatar(
                    style: style, key: recipe.key, source: .cache, isStored: true, png: omitsBytes ? [] : avatar.png,
                    milliseconds: time))
        }
        return withExtendedLifetime(file) { avatars }
    }

    /// All avatars; draws the misses.
    func make() throws -> [Avatar] {
        let file = try file()
        let (subject, styles) = (subject(file), styles.styles)
        let recipes = try source.recipes(for: subject)
        let clock = ContinuousClock()
        var start = clock.now
        var avatars = [Avatar?](repeating: nil, count: styles.count)
        _ = try source.make(Array(styles.indices), of: subject, recipes: recipes) { output, index in
            let time = (clock.now - start) / .milliseconds(1)
            var avatar = Avatar(output, style: styles[index], key: recipes[index].key, milliseconds: time)
            if omitsBytes, avatar.isStored { avatar.png = [] }
            avatars[index] = avatar
            start = clock.now
        }
        return withExtendedLifetime(file) { avatars.compactMap { $0 } }
    }

    /// Records the result for a coalesced request: its contact has the same entries. A photo that timed out gets a
    /// negative entry for a while.
    func note(_ result: Result<[Avatar], JobError>, in cache: AvatarCache?) {
        switch result {
        case .success(let avatars):
            guard let contact else { return }
            for avatar in avatars where avatar.isStored { source.note(contact, shows: avatar.key) }
        case .failure(.timedOut):
            if let file = try? file() { withExtendedLifetime(file) { source.noteTimeout(of: subject(file)) } }
        case .failure: break
        }
    }
}

extension Avatar {
    fileprivate init(_ output: CachingRenderer.Output, style: Style, key: CacheKey, milliseconds: Double) {
        (self.style, self.key, self.milliseconds) = (style, key, milliseconds)
        switch output {
        case .stored(let entry): (source, isStored, png) = (.cache, true, entry.avatar.png)
        case .drawn(let bytes, let isKept): (source, isStored, png) = (.rendered, isKept, bytes)
        }
    }
}
