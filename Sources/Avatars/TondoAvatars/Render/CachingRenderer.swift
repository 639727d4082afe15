internal import SystemPackage
package import TondoCache
package import TondoDigest
package import TondoImage
package import TondoRender

/// The source of avatars: the cache on a hit, else one decode of the photo, whose avatars are stored. An unusable
/// cache, or a full disk, never prevents an avatar. Usable from any thread; blocks it.
package struct CachingRenderer: Sendable {
    package let renderer: AvatarRenderer
    let limits: Limits
    let cache: AvatarCache?
    /// Behind the cache; nil: there is none.
    let shared: SharedTier?
    /// Avatars of the tier that the cache gets after they were used; nil: it gets them before.
    let deferred: DeferredStores?
    private let timer: StepTimer?
    /// Nil: photos are decoded in this process.
    private let workers: RenderWorkers?
    private let setup: RenderSetup
    /// The longest time that one photo may take; nil: the limit of the workers.
    private let timeout: Duration?

    /// What the recipes of one photo's avatars depend on, and its contact.
    package struct Subject: Sendable {
        package var digest: SHA256Digest
        package var geometry: PhotoGeometry
        package var crop: CropRectangle?
        package var contact: String?
        /// The letters of an avatar with initials.
        var letters: String?
        /// Initials or the silhouette, and no photo.
        var isGenerated = false

        package init(
            digest: SHA256Digest, geometry: PhotoGeometry, crop: CropRectangle? = nil, contact: String? = nil
        ) {
            self.digest = digest
            self.geometry = geometry
            // One that shows nothing of the photo does not count: the crop of the style does, which the recipe has to name.
            self.crop = geometry.shownSquare(contact: crop, style: .centre).isContact ? crop : nil
            self.contact = contact
        }

        fileprivate var contacts: [String] { contact.map { [$0] } ?? [] }
    }

    /// One avatar, passed on before the next is drawn.
    package enum Output {
        case stored(OpenEntry)
        /// The bytes of its file. `isStored`: the cache has it now.
        case drawn([UInt8], isStored: Bool)
    }

    /// `timeout`: of a photo that a worker draws; longer for large avatars. `hasFaceModel`: of the workers, or of
    /// this process, which then has `faces`.
    package init(
        styles: [Style], limits: Limits, cache: AvatarCache? = nil, timer: StepTimer? = nil,
        workers: RenderWorkers? = nil, timeout: Duration? = nil, hasFaceModel: Bool = false,
        faces: FaceDetector? = nil
    ) {
        self.init(
            styles: styles, limits: limits, cache: cache, shared: nil, deferred: nil, timer: timer, workers: workers,
            timeout: timeout, hasFaceModel: hasFaceModel, faces: faces)
    }

    init(
        styles: [Style], limits: Limits, cache: AvatarCache?, shared: SharedTier?, deferred: DeferredStores?,
        timer: StepTimer?, workers: RenderWorkers?, timeout: Duration?, hasFaceModel: Bool, faces: FaceDetector? = nil
    ) {
        let styles = styles.map { $0.drawn(hasFaceModel: hasFaceModel) }
        // Without a cache nothing is kept, here or elsewhere.
        self.shared = cache == nil ? nil : shared
        self.deferred = deferred
        self.workers = workers
        setup = RenderSetup(styles: styles, limits: limits)
        self.timeout = timeout
        renderer = AvatarRenderer(styles: styles, limits: limits, timer: timer, faces: faces, findsFaces: hasFaceModel)
        self.limits = limits
        self.cache = cache
        self.timer = timer
    }

    /// The recipe of each style's avatar.
    package func recipes(for subject: Subject) -> [AvatarRecipe] {
        let denominator = denominator(subject)
        return styles(of: subject).map {
            AvatarRecipe(
                photo: subject.digest, crop: subject.crop, letters: subject.letters, style: $0,
                decodeDenominator: denominator)
        }
    }

    private func denominator(_ subject: Subject) -> Int {
        renderer.decodeDenominator(for: subject.geometry, crop: subject.crop)
    }

    /// The subject of negative entries.
    func decoding(_ subject: Subject) -> String {
        AvatarRecipe.decoding(
            subject.digest, crop: subject.crop, styles: styles(of: subject), decodeDenominator: denominator(subject))
    }

    /// The negative entry that is still valid.
    func negativeEntry(of subject: Subject) -> Failure? {
        cache?.failure(of: decoding(subject), memoryLimit: limits.maxMemory)
    }

    /// Passes the avatars of these styles, given by index, to `body`: first the hits, then the others. `isFresh`: draws
    /// all of them, ignoring entries and negative entries. `photo`: opens the photo, if anything has to be drawn. `wait`: it
    /// may be called again while another instance draws the photo; nil: it is drawn without asking others.
    /// Throws a `RenderError`, a `NegativeEntryError`, `DrawnElsewhere`, or an error of `photo` or `body`. Returns the
    /// warnings of the decode, if there was one.
    package func make(
        _ wanted: [Int], of subject: Subject, recipes: [AvatarRecipe], isFresh: Bool = false,
        photo: () throws -> PhotoFile, body: (Output, Int) throws -> Void
    ) throws -> PhotoInfo? {
        try make(
            wanted, of: subject, recipes: recipes, isFresh: isFresh, wait: nil, photo: photo, onShared: { _ in },
            body: body)
    }

    /// `onShared`: called for avatars that the shared tier has, after `body`.
    func make(
        _ wanted: [Int], of subject: Subject, recipes: [AvatarRecipe], isFresh: Bool, wait: SharedWait?,
        photo: () throws -> PhotoFile, onShared: (CacheKey) -> Void, body: (Output, Int) throws -> Void
    ) throws -> PhotoInfo? {
        var missing: [Int] = []
        // Tried again after a wait: a lookup would count one more miss each time.
        let isAgain = wait?.isBegun ?? false
        for index in wanted {
            if !isFresh, !isAgain || contains(recipes[index].key),
                let entry = open(recipes[index].key, for: subject.contact)
            {
                try body(.stored(entry), index)
            } else {
                missing.append(index)
            }
        }
        if missing.isEmpty { return nil }
        let decoding = decoding(subject)
        if !isFresh, let failure = negativeEntry(of: subject) { throw NegativeEntryError(failure: failure) }
        let wanted = missing
        let drawing = try shared.map {
            try share(&missing, in: $0, of: subject, recipes: recipes, isFresh: isFresh, wait: wait, body: body)
        }
        for index in Set(wanted).subtracting(missing) { onShared(recipes[index].key) }
        // Whatever happens, the lock is released, after what was drawn is stored.
        defer {
            drawing?.end()
            drawing?.stored.forEach(onShared)
        }
        if missing.isEmpty { return nil }
        let file = try photo()
        do {
            let info = try withExtendedLifetime(file) {
                try noted(decoding) {
                    try draw(missing, of: subject, from: file, recipes: recipes, sharing: drawing, body: body)
                }
            }
            cache?.forgetFailure(of: decoding)
            return info
        } catch let error as RenderError {
            if let failure = recordFailure(error, decoding: decoding) { drawing?.add(failure) }
            throw error
        }
    }

    /// Recorded so that the next process knows the photo if this one crashes, which a worker's photo cannot cause.
    private func noted<Result>(_ decoding: String, body: () throws -> Result) throws -> Result {
        if let cache, workers == nil { try cache.drawing(decoding, body: body) } else { try body() }
    }

    private func draw(
        _ missing: [Int], of subject: Subject, from file: PhotoFile, recipes: [AvatarRecipe], sharing: SharedDrawing?,
        body: (Output, Int) throws -> Void
    ) throws -> PhotoInfo {
        let clock = ContinuousClock()
        var last = clock.now
        func take(_ avatar: [UInt8], at index: Int) throws {
            let cost = (clock.now - last) / .milliseconds(1)
            // An avatar that cannot be stored is drawn all the same; the cache has reported the reason.
            let isStored = timed(.store, by: timer) {
                (try? cache?.store(avatar, key: recipes[index].key, cost: cost, contacts: subject.contacts)) != nil
            }
            sharing?.add(avatar, key: recipes[index].key, cost: cost)
            try body(.drawn(avatar, isStored: isStored), index)
            last = clock.now
        }
        if let workers { return try draw(missing, of: subject, from: file, recipes: recipes, in: workers, body: take) }
        return try renderer.encode(
            Photo(file.bytes, isMapped: file.isMapped, crop: subject.crop), styles: missing,
            text: { (keyword: AvatarRecipe.keyword, value: recipes[$0].text) }, body: take)
    }

    private func draw(
        _ missing: [Int], of subject: Subject, from file: PhotoFile, recipes: [AvatarRecipe], in workers: RenderWorkers,
        body: ([UInt8], Int) throws -> Void
    ) throws -> PhotoInfo {
        let avatars = missing.map {
            RenderRequest.Avatar(index: $0, keyword: AvatarRecipe.keyword, text: recipes[$0].text)
        }
        // The queue's own limit comes first, so that its result is the one that is recorded.
        let limit = timeout.map { $0 * Self.effort(of: missing.map { styles[$0] }) + .milliseconds(500) }
        do {
            return try workers.draw(
                avatars, with: setup(of: subject), of: file.forWorkers, format: subject.geometry.format,
                crop: subject.crop, within: limit, timer: timer, body: body)
        } catch is RenderWorkers.ChangedFile { throw AvatarFailure.changed }
    }

    /// Initials and the silhouette are drawn for a circle: they are shown whole in every style, and no face is looked for.
    private func styles(of subject: Subject) -> [Style] { subject.isGenerated ? styles.map(\.centred) : styles }

    func setup(of subject: Subject) -> RenderSetup {
        let styles = styles(of: subject)
        return styles == setup.styles ? setup : RenderSetup(styles: styles, limits: limits)
    }

    /// Other processes decode the photos.
    var isSandboxed: Bool { workers != nil }

    /// As they are drawn, see `Style.drawn`.
    var styles: [Style] { renderer.styles }

    /// 1 for avatars of ten megapixels together, more for more of them.
    static func effort(of styles: [Style]) -> Int { 1 + styles.reduce(0) { $0 + $1.side * $1.side } / 10_000_000 }

    /// Whether there is an entry, intact or not. Counts as no lookup.
    func contains(_ key: CacheKey) -> Bool { cache?.contains(key) ?? false }

    /// Whether the cache has an entry whose format is known. Takes half of the time of a search.
    func contains(_ key: CacheKey, format: EntryFormat) -> Bool { cache?.contains(key, format: format) ?? false }

    /// The avatar of an intact entry. Records a new contact of it.
    func stored(_ key: CacheKey, for contact: String?) -> StoredAvatar? {
        guard let cache, let hit = cache.lookup(key), let avatar = try? cache.read(hit) else { return nil }
        if let contact, avatar.lacks(contact) { try? cache.add(contacts: [contact], to: key) }
        return avatar
    }

    /// Looks up an entry whose format is known, in half of the time. Nil: a search has to look it up. Counts as a
    /// lookup only if there is an avatar.
    func storedQuickly(_ key: CacheKey, format: EntryFormat, for contact: String?) -> StoredAvatar? {
        guard let cache, let avatar = cache.readQuickly(key, format: format) else { return nil }
        if let contact, avatar.lacks(contact) { try? cache.add(contacts: [contact], to: key) }
        return avatar
    }

    /// A contact can share an entry that was drawn for another one.
    func note(_ contact: String, shows key: CacheKey) { try? cache?.add(contacts: [contact], to: key) }

    /// Drawing timed out. It is retried after a while.
    func noteTimeout(of subject: Subject) {
        try? cache?.note(
            failureOf: decoding(subject), stage: Stage.decode.rawValue, code: "timeout", reason: "took too long",
            isTransient: true)
    }

    /// An intact entry. Records a new contact of it.
    func open(_ key: CacheKey, for contact: String?) -> OpenEntry? {
        guard let cache, let hit = cache.lookup(key), let entry = try? cache.open(hit) else { return nil }
        if let contact, entry.avatar.lacks(contact) { try? cache.add(contacts: [contact], to: key) }
        return entry
    }

    /// A failure in the header gets no negative entry: detecting it again costs little. Neither does a photo that no worker
    /// could decode, nor one whose time limit the queue keeps, see `noteTimeout`. Returns the entry for other instances.
    private func recordFailure(_ error: RenderError, decoding: String) -> Failure? {
        if error.stage == .probe { return nil }
        if case .noDecoder = error.error { return nil }
        if error.error == .timedOut, timeout != nil { return nil }
        let isTransient = error.error.isTransient
        var limit: Int?
        if case .overMemory = error.error { limit = limits.maxMemory }
        try? cache?.note(
            failureOf: decoding, stage: error.stage.rawValue, code: error.error.code, reason: error.description,
            memoryLimit: limit, isTransient: isTransient)
        return shared.map {
            sharedFailure(
                error, decoding: decoding, memoryLimit: limit, life: isTransient ? $0.options.failureLife : nil)
        }
    }
}

extension ImageError {
    /// A retry may succeed, but not at once.
    var isTransient: Bool {
        switch self {
        case .outOfMemory, .decoderCrashed, .timedOut, .noDecoder: true
        default: false
        }
    }
}

/// A photo with a negative entry that is still valid.
package struct NegativeEntryError: Error, CustomStringConvertible {
    package let failure: Failure

    package var description: String { failure.reason }
}
