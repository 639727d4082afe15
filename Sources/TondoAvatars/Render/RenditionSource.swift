package import TondoCache
package import TondoImage

/// Where renditions come from: the cache if it has them, else one decode of the photo, whose pictures are stored.
/// A cache that cannot be used, or a full disk, never stands in the way of a picture. Usable from any thread; blocks it.
package struct RenditionSource: Sendable {
    package let renderer: AvatarRenderer
    private let limits: Limits
    private let cache: AvatarCache?
    private let timer: StepTimer?

    /// One photo, and who shows it.
    package struct Subject {
        package var photo: Photo
        package var digest: PhotoDigest
        package var contact: String?

        fileprivate var contacts: [String] { contact.map { [$0] } ?? [] }
    }

    /// One picture, handed out before the next is made.
    package enum Picture {
        case stored(OpenEntry)
        /// A PNG. `isStored`: the cache has it now.
        case drawn([UInt8], isStored: Bool)
    }

    package init(styles: [Style], limits: Limits, cache: AvatarCache? = nil, timer: StepTimer? = nil) {
        renderer = AvatarRenderer(styles: styles, limits: limits, timer: timer)
        (self.limits, self.cache, self.timer) = (limits, cache, timer)
    }

    /// The recipe of each style's picture. Reads the photo's header only.
    package func recipes(for subject: Subject) throws(RenderError) -> [Recipe] {
        let denominator = try renderer.decodeDenominator(for: subject.photo)
        return renderer.styles.map {
            Recipe(photo: subject.digest, crop: subject.photo.crop, style: $0, decodeDenominator: denominator)
        }
    }

    /// Hands the pictures of these styles, given by index, to `body`: first those of the cache, then the others.
    /// `isFresh`: draws all of them, whatever the cache has or remembers. Throws a `RenderError`, a `RememberedFailure`,
    /// or what `body` throws. Gives what the decode told, if there was one.
    package func make(
        _ wanted: [Int], of subject: Subject, recipes: [Recipe], isFresh: Bool = false,
        body: (Picture, Int) throws -> Void
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
        let decoding = try Recipe.decoding(
            subject.digest, crop: subject.photo.crop,
            decodeDenominator: renderer.decodeDenominator(for: subject.photo))
        if !isFresh, let failure = cache?.failure(of: decoding, memoryLimit: limits.maxMemory) {
            throw RememberedFailure(failure: failure)
        }
        do {
            let told = try noted(decoding) { try draw(missing, of: subject, recipes: recipes, body: body) }
            cache?.forgetFailure(of: decoding)
            return told
        } catch let error as RenderError {
            remember(error, decoding)
            throw error
        }
    }

    /// So that the next process knows the photo, should this one die of it.
    private func noted<Result>(_ decoding: String, _ body: () throws -> Result) throws -> Result {
        if let cache { try cache.drawing(decoding, body) } else { try body() }
    }

    private func draw(
        _ missing: [Int], of subject: Subject, recipes: [Recipe], body: (Picture, Int) throws -> Void
    ) throws -> (header: ImageHeader, warnings: [Warning]) {
        let clock = ContinuousClock()
        var last = clock.now
        return try renderer.draw(subject.photo, styles: missing) { canvas, index in
            let text = [(keyword: Recipe.keyword, value: recipes[index].text)]
            let png = timed(.encode, timer) {
                PNGEncoder.encode(pixels: canvas.bytes, width: canvas.side, height: canvas.side, text: text)
            }
            let cost = (clock.now - last) / .milliseconds(1)
            // What cannot be stored is drawn all the same; the cache has told why.
            let isStored = timed(.store, timer) {
                (try? cache?.store(png, key: recipes[index].key, cost: cost, contacts: subject.contacts)) != nil
            }
            try body(.drawn(png, isStored: isStored), index)
            last = clock.now
        }
    }

    /// The picture of an entry that is whole. A contact that was not known to show it is noted.
    func stored(_ key: CacheKey, for contact: String?) -> Rendition? {
        guard let cache, let hit = cache.lookup(key), let rendition = try? cache.read(hit) else { return nil }
        if let contact, !rendition.contacts.contains(contact) { try? cache.add(contacts: [contact], to: key) }
        return rendition
    }

    /// A contact shows what may have been drawn for another one.
    func note(_ contact: String, shows key: CacheKey) { try? cache?.add(contacts: [contact], to: key) }

    /// Drawing took so long that it was given up. It is tried again after a while.
    func noteTimeout(of subject: Subject) {
        guard let denominator = try? renderer.decodeDenominator(for: subject.photo) else { return }
        let decoding = Recipe.decoding(subject.digest, crop: subject.photo.crop, decodeDenominator: denominator)
        try? cache?.note(
            failureOf: decoding, stage: Stage.decode.rawValue, code: "timeout", reason: "took too long",
            isTransient: true)
    }

    /// An entry that is whole. A contact that was not known to show it is noted.
    private func open(_ key: CacheKey, for contact: String?) -> OpenEntry? {
        guard let cache, let hit = cache.lookup(key), let entry = try? cache.open(hit) else { return nil }
        if let contact, !entry.rendition.contacts.contains(contact) { try? cache.add(contacts: [contact], to: key) }
        return entry
    }

    /// What the header tells is not remembered: finding it out again costs nothing.
    private func remember(_ error: RenderError, _ decoding: String) {
        if error.stage == .probe { return }
        let isTransient = error.error == .outOfMemory
        var limit: Int?
        if case .overMemory = error.error { limit = limits.maxMemory }
        try? cache?.note(
            failureOf: decoding, stage: error.stage.rawValue, code: error.error.code, reason: error.description,
            memoryLimit: limit, isTransient: isTransient)
    }
}

/// A photo that could not be drawn before, and would not be now.
package struct RememberedFailure: Error, CustomStringConvertible {
    package let failure: Failure

    package var description: String { failure.reason }
}
