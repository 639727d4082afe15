package import TondoCache
package import TondoImage

/// The source of avatars: the cache on a hit, else one decode of the photo, whose avatars are stored. An unusable
/// cache, or a full disk, never prevents an avatar. Usable from any thread; blocks it.
package struct CachingRenderer: Sendable {
    package let renderer: AvatarRenderer
    private let limits: Limits
    private let cache: AvatarCache?
    private let timer: StepTimer?

    /// What the recipes of one photo's avatars depend on, and its contact.
    package struct Subject: Sendable {
        package var digest: PhotoDigest
        package var geometry: PhotoGeometry
        package var crop: CropRectangle?
        package var contact: String?

        package init(
            digest: PhotoDigest, geometry: PhotoGeometry, crop: CropRectangle? = nil, contact: String? = nil
        ) {
            (self.digest, self.geometry, self.crop, self.contact) = (digest, geometry, crop, contact)
        }

        fileprivate var contacts: [String] { contact.map { [$0] } ?? [] }
    }

    /// One avatar, passed on before the next is drawn.
    package enum Output {
        case stored(OpenEntry)
        /// A PNG. `isStored`: the cache has it now.
        case drawn([UInt8], isStored: Bool)
    }

    package init(styles: [Style], limits: Limits, cache: AvatarCache? = nil, timer: StepTimer? = nil) {
        renderer = AvatarRenderer(styles: styles, limits: limits, timer: timer)
        (self.limits, self.cache, self.timer) = (limits, cache, timer)
    }

    /// The recipe of each style's avatar.
    package func recipes(for subject: Subject) -> [AvatarRecipe] {
        let denominator = denominator(subject)
        return renderer.styles.map {
            AvatarRecipe(photo: subject.digest, crop: subject.crop, style: $0, decodeDenominator: denominator)
        }
    }

    private func denominator(_ subject: Subject) -> Int {
        renderer.decodeDenominator(for: subject.geometry, crop: subject.crop)
    }

    /// The subject of negative entries.
    private func decoding(_ subject: Subject) -> String {
        AvatarRecipe.decoding(subject.digest, crop: subject.crop, decodeDenominator: denominator(subject))
    }

    /// Passes the avatars of these styles, given by index, to `body`: first the hits, then the others. `isFresh`: draws
    /// all of them, ignoring entries and negative entries. `photo`: opens the photo, if anything has to be drawn.
    /// Throws a `RenderError`, a `NegativeEntryError`, or an error of `photo` or `body`. Returns the warnings of the
    /// decode, if there was one.
    package func make(
        _ wanted: [Int], of subject: Subject, recipes: [AvatarRecipe], isFresh: Bool = false,
        photo: () throws -> PhotoFile, body: (Output, Int) throws -> Void
    ) throws -> (header: ImageHeader, warnings: [Warning])? {
        var missing: [Int] = []
        for index in wanted {
            if !isFresh, let entry = open(recipes[index].key, for: subject.contact) {
                try body(.stored(entry), index)
            } else {
                missing.append(index)
            }
        }
        if missing.isEmpty { return nil }
        let decoding = decoding(subject)
        if !isFresh, let failure = cache?.failure(of: decoding, memoryLimit: limits.maxMemory) {
            throw NegativeEntryError(failure: failure)
        }
        let file = try photo()
        do {
            let info = try withExtendedLifetime(file) {
                try noted(decoding) { try draw(missing, of: subject, file, recipes: recipes, body: body) }
            }
            cache?.forgetFailure(of: decoding)
            return info
        } catch let error as RenderError {
            recordFailure(error, decoding)
            throw error
        }
    }

    /// Recorded so that the next process knows the photo if this one crashes.
    private func noted<Result>(_ decoding: String, _ body: () throws -> Result) throws -> Result {
        if let cache { try cache.drawing(decoding, body) } else { try body() }
    }

    private func draw(
        _ missing: [Int], of subject: Subject, _ file: PhotoFile, recipes: [AvatarRecipe],
        body: (Output, Int) throws -> Void
    ) throws -> (header: ImageHeader, warnings: [Warning]) {
        let clock = ContinuousClock()
        var last = clock.now
        return try renderer.draw(Photo(file.bytes, isMapped: file.isMapped, crop: subject.crop), styles: missing) {
            canvas, index in
            let text = [(keyword: AvatarRecipe.keyword, value: recipes[index].text)]
            let png = timed(.encode, timer) {
                PNGEncoder.encode(pixels: canvas.bytes, width: canvas.side, height: canvas.side, text: text)
            }
            let cost = (clock.now - last) / .milliseconds(1)
            // An avatar that cannot be stored is drawn all the same; the cache has reported the reason.
            let isStored = timed(.store, timer) {
                (try? cache?.store(png, key: recipes[index].key, cost: cost, contacts: subject.contacts)) != nil
            }
            try body(.drawn(png, isStored: isStored), index)
            last = clock.now
        }
    }

    /// Whether there is an entry, intact or not. Counts as no lookup.
    func contains(_ key: CacheKey) -> Bool { cache?.contains(key) ?? false }

    /// The avatar of an intact entry. Records a new contact of it.
    func stored(_ key: CacheKey, for contact: String?) -> StoredAvatar? {
        guard let cache, let hit = cache.lookup(key), let avatar = try? cache.read(hit) else { return nil }
        if let contact, !avatar.shows(contact) { try? cache.add(contacts: [contact], to: key) }
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
        if let contact, !entry.avatar.shows(contact) { try? cache.add(contacts: [contact], to: key) }
        return entry
    }

    /// A failure in the header gets no negative entry: detecting it again costs little.
    private func recordFailure(_ error: RenderError, _ decoding: String) {
        if error.stage == .probe { return }
        let isTransient = error.error == .outOfMemory
        var limit: Int?
        if case .overMemory = error.error { limit = limits.maxMemory }
        try? cache?.note(
            failureOf: decoding, stage: error.stage.rawValue, code: error.error.code, reason: error.description,
            memoryLimit: limit, isTransient: isTransient)
    }
}

/// A photo with a negative entry that is still valid.
package struct NegativeEntryError: Error, CustomStringConvertible {
    package let failure: Failure

    package var description: String { failure.reason }
}
