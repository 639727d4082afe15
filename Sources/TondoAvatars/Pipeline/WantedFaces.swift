internal import TondoCache
internal import TondoImage
internal import TondoJobs

/// A request whose photo has a name. Blocks its callers.
final class WantedFaces: Sendable {
    let request: AvatarRequest
    private let digest: PhotoDigest

    init(_ request: AvatarRequest) {
        self.request = request
        digest = PhotoDigest(request.photo)
    }

    var job: FaceJob {
        FaceJob(photo: digest, crop: request.crop, styles: request.styles.styles, isBrief: request.isBrief)
    }

    /// 1 for pictures of ten megapixels together, more for more of them.
    var effort: Int { 1 + request.styles.styles.reduce(0) { $0 + $1.side * $1.side } / 10_000_000 }

    private var source: RenditionSource { request.styles.source }

    private var subject: RenditionSource.Subject {
        let photo = Photo(request.photo.bytes, isMapped: request.photo.isMapped, crop: request.crop)
        return RenditionSource.Subject(photo: photo, digest: digest, contact: request.contact)
    }

    /// All faces, if the cache has every one of them. Throws a `RenderError` when the header says that there is none.
    func stored() throws -> [Face]? {
        let clock = ContinuousClock()
        var faces: [Face] = []
        for (style, recipe) in zip(request.styles.styles, try source.recipes(for: subject)) {
            let start = clock.now
            guard let rendition = source.stored(recipe.key, for: request.contact) else { return nil }
            let time = (clock.now - start) / .milliseconds(1)
            faces.append(
                Face(
                    style: style, key: recipe.key, source: .cache, isStored: true,
                    png: request.isBrief ? [] : rendition.png,
                    milliseconds: time))
        }
        return faces
    }

    /// All faces; draws what the cache does not have.
    func make() throws -> [Face] {
        let styles = request.styles.styles
        let recipes = try source.recipes(for: subject)
        let clock = ContinuousClock()
        var start = clock.now
        var faces = [Face?](repeating: nil, count: styles.count)
        _ = try source.make(Array(styles.indices), of: subject, recipes: recipes) { picture, index in
            let time = (clock.now - start) / .milliseconds(1)
            var face = Face(picture, style: styles[index], key: recipes[index].key, milliseconds: time)
            if request.isBrief, face.isStored { face.png = [] }
            faces[index] = face
            start = clock.now
        }
        return faces.compactMap { $0 }
    }

    /// What became of the job, where another request's work was done: this contact shows those faces, too. A photo that
    /// took too long is left alone for a while.
    func note(_ result: Result<[Face], JobError>, in cache: AvatarCache?) {
        switch result {
        case .success(let faces):
            guard let contact = request.contact else { return }
            for face in faces where face.isStored { source.note(contact, shows: face.key) }
        case .failure(.timedOut): source.noteTimeout(of: subject)
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
