internal import Synchronization
internal import TondoCache
internal import TondoImage
internal import TondoJobs

/// A request whose photo has a digest. Blocks its callers.
final class WantedFaces: Sendable {
    let priority: JobPriority
    private let styles: StyleSet
    private let crop: CropRectangle?
    private let contact: String?
    private let isBrief: Bool
    private let digest: PhotoDigest
    /// Nil while the job is queued: the photo is opened again when the job starts.
    private let photo: Mutex<PhotoFile?>
    private let reopen: (@Sendable () throws -> PhotoFile)?

    init(_ request: AvatarRequest) {
        (styles, crop, contact) = (request.styles, request.crop, request.contact)
        (priority, isBrief, reopen) = (request.priority, request.isBrief, request.reopen)
        digest = PhotoDigest(request.photo)
        photo = Mutex(request.photo)
    }

    var job: FaceJob { FaceJob(photo: digest, crop: crop, styles: styles.styles, isBrief: isBrief) }

    /// 1 for avatars of ten megapixels together, more for more of them.
    var effort: Int { 1 + styles.styles.reduce(0) { $0 + $1.side * $1.side } / 10_000_000 }

    /// Releases the bytes until they are needed, if the photo can be opened again.
    func letGoOfPhoto() {
        if reopen != nil { photo.withLock { $0 = nil } }
    }

    private var source: RenditionSource { styles.source }

    /// Valid as long as `file`.
    private func subject(_ file: PhotoFile) -> RenditionSource.Subject {
        let photo = Photo(file.bytes, isMapped: file.isMapped, crop: crop)
        return RenditionSource.Subject(photo: photo, digest: digest, contact: contact)
    }

    private func file() throws -> PhotoFile {
        if let file = photo.withLock({ $0 }) { return file }
        guard let file = try reopen?(), PhotoDigest(file) == digest else { throw FaceFailure.changed }
        return file
    }

    /// All avatars, if the cache has every one of them. Throws a `RenderError` if the header shows that drawing is
    /// impossible.
    func stored() throws -> [Face]? {
        let clock = ContinuousClock()
        let file = try file()
        var faces: [Face] = []
        for (style, recipe) in zip(styles.styles, try source.recipes(for: subject(file))) {
            let start = clock.now
            guard let rendition = source.stored(recipe.key, for: contact) else { return nil }
            let time = (clock.now - start) / .milliseconds(1)
            faces.append(
                Face(
                    style: style, key: recipe.key, source: .cache, isStored: true, png: isBrief ? [] : rendition.png,
                    milliseconds: time))
        }
        return withExtendedLifetime(file) { faces }
    }

    /// All avatars; draws the misses.
    func make() throws -> [Face] {
        let file = try file()
        let (subject, styles) = (subject(file), styles.styles)
        let recipes = try source.recipes(for: subject)
        let clock = ContinuousClock()
        var start = clock.now
        var faces = [Face?](repeating: nil, count: styles.count)
        _ = try source.make(Array(styles.indices), of: subject, recipes: recipes) { picture, index in
            let time = (clock.now - start) / .milliseconds(1)
            var face = Face(picture, style: styles[index], key: recipes[index].key, milliseconds: time)
            if isBrief, face.isStored { face.png = [] }
            faces[index] = face
            start = clock.now
        }
        return withExtendedLifetime(file) { faces.compactMap { $0 } }
    }

    /// Records the result for a coalesced request: its contact has the same entries. A photo that timed out gets a
    /// negative entry for a while.
    func note(_ result: Result<[Face], JobError>, in cache: AvatarCache?) {
        switch result {
        case .success(let faces):
            guard let contact else { return }
            for face in faces where face.isStored { source.note(contact, shows: face.key) }
        case .failure(.timedOut):
            if let file = try? file() { withExtendedLifetime(file) { source.noteTimeout(of: subject(file)) } }
        case .failure: break
        }
    }
}

extension Face {
    fileprivate init(_ picture: RenditionSource.Picture, style: Style, key: CacheKey, milliseconds: Double) {
        (self.style, self.key, self.milliseconds) = (style, key, milliseconds)
        switch picture {
        case .stored(let entry): (source, isStored, png) = (.cache, true, entry.rendition.png)
        case .drawn(let bytes, let isKept): (source, isStored, png) = (.rendered, isKept, bytes)
        }
    }
}
