internal import Synchronization
package import TondoCache
internal import TondoDigest
package import TondoImage
internal import TondoJobs
internal import TondoRender

/// One request whose photo was opened: its keys, and the work of the draw queue.
struct AvatarJob: Sendable {
    let request: AvatarRequest
    private let photo: ProbedPhoto
    private let recipes: [AvatarRecipe]
    /// Indices of styles.
    private let wanted: [Int]
    private let limit: Int

    /// Opens the photo. `limit`: bytes that may be held in memory. Throws as `ProbedPhoto`. Blocks.
    init(
        _ request: AvatarRequest, cache: AvatarCache?, limit: Int, keeping photos: KeptPhotos = KeptPhotos(limit: 0)
    ) throws {
        self.request = request
        self.limit = limit
        photo = try ProbedPhoto(
            source: request.photo, cache: cache, limit: limit, keeping: photos,
            isSandboxed: request.styles.source.isSandboxed)
        recipes = request.styles.source.recipes(for: Self.subject(photo, request))
        if let output = request.output {
            // The styles of a request with an output have one crop.
            output.opened(Self.requestedCrop(photo, of: request, in: request.styles.source.styles[0]))
            wanted = output.wanted(recipes)
        } else {
            wanted = Array(recipes.indices)
        }
    }

    var key: AvatarJobKey {
        AvatarJobKey(
            photo: photo.digest, crop: photo.crop, styles: styles, omitsBytes: request.omitsBytes,
            output: request.output.map { ObjectIdentifier($0) })
    }

    /// The kind of the workers that draw the photo.
    var kind: WorkerKind { WorkerKind(photo.geometry.format) }

    /// Sides in pixels above which a job counts as large.
    static let largeSide = 1_024

    /// Its kind in the draw queue: of its workers, or the one of large avatars.
    var queueKind: Int {
        let isLarge = wanted.contains { styles[$0].side > Self.largeSide }
        return isLarge && kind != .heif ? WorkerKind.allCases.count : kind.index
    }

    var digest: SHA256Digest { photo.digest }
    var crop: CropRectangle? { photo.crop }

    /// Throws as `ProbedPhoto.read`.
    func photoBytes(limit: Int) throws -> [UInt8] {
        let file = try photo.read(limit: limit)
        return withExtendedLifetime(file) { Array(file.bytes) }
    }

    /// The photo cannot be read again, neither by a later job nor by another run.
    var isReadOnce: Bool { photo.isReadOnce }

    /// 1 for avatars of ten megapixels together, more for more of them.
    var effort: Int { CachingRenderer.effort(of: wanted.map { styles[$0] }) }

    private var styles: [Style] { request.styles.styles }
    private var source: CachingRenderer { request.styles.source }
    private var subject: CachingRenderer.Subject { Self.subject(photo, request) }

    /// The styles with the recipes of their avatars, and the crops that were asked for, see `AvatarOutput.opened`.
    var explained: [(style: Style, recipe: AvatarRecipe, crop: CropReport?)] {
        let crops = source.styles.map { Self.requestedCrop(photo, of: request, in: $0) }
        return styles.indices.map { (styles[$0], recipes[$0], crops[$0]) }
    }

    /// The negative entry that prevents drawing.
    var negativeEntry: Failure? { source.negativeEntry(of: subject) }

    private static func subject(_ photo: ProbedPhoto, _ request: AvatarRequest) -> CachingRenderer.Subject {
        var subject = CachingRenderer.Subject(
            digest: photo.digest, geometry: photo.geometry, crop: photo.crop, contact: request.contact)
        subject.letters = photo.source.letters
        subject.isGenerated = request.photo.isGenerated
        return subject
    }

    /// Nil: it depends on faces, or there is no photo to crop.
    private static func requestedCrop(_ photo: ProbedPhoto, of request: AvatarRequest, in style: Style) -> CropReport? {
        if request.photo.isGenerated { return nil }
        return CropReport(of: nil, in: photo.geometry, contact: photo.crop, style: style.crop)
    }

    private var known: KnownPhoto? {
        guard case .contact = request.photo else { return nil }
        return KnownPhoto(digest: photo.digest, geometry: photo.geometry, crop: photo.crop)
    }

    /// All avatars, if the cache has every one of them; none for a request with an output, which has taken them.
    func stored() throws -> [Avatar]? {
        if let output = request.output { return try write(to: output) ? [] : nil }
        if let avatar = storedAlone() { return [avatar] }
        // Looked up first: if one is missing, `make` counts the lookups.
        guard let fetched = fetchMissing(Array(recipes.indices)) else { return nil }
        let clock = ContinuousClock()
        var avatars: [Avatar] = []
        avatars.reserveCapacity(styles.count)
        for (style, recipe) in zip(styles, recipes) {
            let start = clock.now
            let shared = fetched[recipe.key]
            guard let avatar = shared?.avatar ?? source.stored(recipe.key, for: request.contact) else { return nil }
            let time = (clock.now - start) / .milliseconds(1)
            avatars.append(
                Avatar(
                    style: style, key: recipe.key, source: .cache, isStored: shared?.isStored ?? true,
                    bytes: request.omitsBytes && shared?.isStored != false ? [] : avatar.bytes, milliseconds: time,
                    isInSharedTier: shared != nil, photo: known))
        }
        return avatars
    }

    /// The avatar of a request for one, the most usual one, if the cache has it: reading the entry also finds out whether
    /// there is one. Nil says nothing.
    private func storedAlone() -> Avatar? {
        guard styles.count == 1 else { return nil }
        let clock = ContinuousClock()
        let (style, key, start) = (styles[0], recipes[0].key, clock.now)
        guard let avatar = source.storedQuickly(key, format: style.format.entryFormat, for: request.contact)
        else { return nil }
        return Avatar(
            style: style, key: key, source: .cache, isStored: true, bytes: request.omitsBytes ? [] : avatar.bytes,
            milliseconds: (clock.now - start) / .milliseconds(1), photo: known)
    }

    /// What the cache lacks of these avatars, from the shared tier; nil if it lacks any of them, too.
    private func fetchMissing(_ indices: [Int]) -> [CacheKey: CachingRenderer.Fetched]? {
        let missing = indices.filter { !source.contains(recipes[$0].key, format: styles[$0].format.entryFormat) }
        if missing.isEmpty { return [:] }
        if request.isNew { return nil }
        let keys = Set(missing.map { recipes[$0].key })
        return source.fetch(keys, for: request.contact, later: request.isStoredLater)
    }

    /// False if an avatar has to be drawn: then `make` writes all of them. One entry is open at a time.
    private func write(to output: AvatarOutput) throws -> Bool {
        if output.isFresh { return wanted.isEmpty }
        guard let fetched = fetchMissing(wanted), fetched.allSatisfy({ $0.value.isStored }) else { return false }
        for index in wanted {
            // Damaged, or evicted meanwhile.
            guard let entry = source.open(recipes[index].key, for: request.contact) else { return false }
            try output.write(.stored(entry), index)
        }
        return true
    }

    /// All avatars; draws the misses. None for a request with an output. `wait`: for another instance's drawing, see
    /// `CachingRenderer.make`.
    func make(waiting wait: SharedWait? = nil) throws -> [Avatar] {
        let clock = ContinuousClock()
        var start = clock.now
        var avatars = [Avatar?](repeating: nil, count: styles.count)
        var shared: Set<CacheKey> = []
        let info = try source.make(
            wanted, of: subject, recipes: recipes, isFresh: request.output?.isFresh ?? false, wait: wait
        ) {
            try photo.read(limit: limit)
        } onShared: {
            shared.insert($0)
        } body: { output, index in
            if let taker = request.output { return try taker.write(output, index) }
            let time = (clock.now - start) / .milliseconds(1)
            var avatar = Avatar(output, style: styles[index], key: recipes[index].key, milliseconds: time)
            if request.omitsBytes, avatar.isStored { avatar.bytes = [] }
            avatars[index] = avatar
            start = clock.now
        }
        if let info { request.output?.decoded(info) }
        return avatars.compactMap { avatar in
            guard var avatar else { return nil }
            avatar.isInSharedTier = shared.contains(avatar.key)
            avatar.photo = known
            return avatar
        }
    }

    /// What an older renderer, or one without a face model, drew of this photo for the contact, if the cache has it still, in
    /// the first style. Blocks.
    var former: Avatar? {
        guard let cache = source.cache, let contact = request.contact, let style = styles.first,
            let now = Recipe(recipes[0].text)
        else { return nil }
        var query = EntryQuery()
        query.contact = contact
        query.order = .created
        query.limit = Self.mostFormer
        guard let entries = try? cache.entries(query) else { return nil }
        for recipe in entries.map(\.recipe)
        where recipe.photo == now.photo && recipe.contactCrop == now.contactCrop && recipe.showed(style) {
            let key = CacheKey(recipe: recipe.text)
            guard let hit = cache.lookup(key), let stored = try? cache.read(hit) else { continue }
            return Avatar(style: style, key: key, source: .cache, isStored: true, bytes: stored.bytes, milliseconds: 0)
        }
        return nil
    }

    /// Entries of a contact that are looked at, latest first: two renderers in all styles that are usual.
    private static let mostFormer = 100

    /// Records the result for a coalesced request: its contact has the same entries. A photo that timed out gets a
    /// negative entry for a while.
    func note(_ result: Result<[Avatar], JobError>) {
        switch result {
        case .success(let avatars):
            guard let contact = request.contact else { return }
            for avatar in avatars where avatar.isStored { source.note(contact, shows: avatar.key) }
        case .failure(.timedOut): source.noteTimeout(of: subject)
        case .failure: break
        }
    }
}

extension Avatar {
    fileprivate init(_ output: CachingRenderer.Output, style: Style, key: CacheKey, milliseconds: Double) {
        self.style = style
        self.key = key
        self.milliseconds = milliseconds
        switch output {
        case .stored(let entry):
            source = .cache
            isStored = true
            self.bytes = entry.avatar.bytes
        case .drawn(let bytes, let isKept):
            source = .rendered
            isStored = isKept
            self.bytes = bytes
        }
    }
}

extension AvatarPipeline {
    /// Draws on this thread, without queue and cache. Throws a `RenderError`.
    package static func draw(_ photo: PhotoSource, in style: Style) throws -> Avatar {
        let set = StyleSet([style], source: CachingRenderer(styles: [style], limits: Limits()))
        return try AvatarJob(AvatarRequest(photo, styles: set), cache: nil, limit: Limits().maxMemory).make()[0]
    }

    /// Draws where the photos of this pipeline are drawn, but without queue and cache. Throws a `RenderError`. Blocks.
    package func drawUncached(_ photo: PhotoSource, in style: Style) throws -> Avatar {
        let source = CachingRenderer(
            styles: [style], limits: options.limits, workers: options.workers, timeout: options.timeout,
            hasFaceModel: options.hasFaceModel, faces: options.faces)
        let request = AvatarRequest(photo, styles: StyleSet([style], source: source))
        return try AvatarJob(request, cache: nil, limit: options.limits.maxMemory).make()[0]
    }

    /// The avatar with this key, if the cache has it, it has this style, and it belongs to this contact. The key
    /// matters because an avatar that was drawn together with larger ones can differ by a level from one that was drawn
    /// alone. It may be that of an older renderer, or of one without a face model. Blocks.
    package func cached(_ key: CacheKey, _ style: Style, of contact: String) -> Avatar? {
        guard let cache, let hit = cache.lookup(key), let avatar = try? cache.read(hit),
            avatar.shows(contact), let recipe = Self.recipe(of: avatar.bytes), recipe.showed(style)
        else { return nil }
        return Avatar(style: style, key: key, source: .cache, isStored: true, bytes: avatar.bytes, milliseconds: 0)
    }

    /// Whether the avatar with this key, in any style, shows the same part of the same photo as `avatar`, or the same initials. Of
    /// other keys than that of `avatar`, the cache knows what they show. Blocks.
    package func shows(_ key: CacheKey, samePhotoAs avatar: Avatar) -> Bool {
        if key == avatar.key { return true }
        guard let cache, let hit = cache.lookup(key), let stored = try? cache.read(hit),
            let former = Self.recipe(of: stored.bytes), let now = Self.recipe(of: avatar.bytes)
        else { return false }
        return former.photo == now.photo && former.contactCrop == now.contactCrop
    }

    private static func recipe(of avatar: [UInt8]) -> Recipe? {
        avatar.withUnsafeBytes { AvatarRecipe(readingFrom: $0) }.flatMap { Recipe($0.text) }
    }
}
