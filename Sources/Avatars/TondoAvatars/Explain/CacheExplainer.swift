package import SystemPackage
package import TondoCache
internal import TondoDigest
internal import TondoFiles
package import TondoImage

/// Explains whether an avatar is a hit or a miss, and why. Draws nothing and changes nothing.
package struct CacheExplainer: Sendable {
    /// The result of a request now.
    package enum Verdict: Sendable {
        /// The avatar is in the cache.
        case hit
        /// The avatar is not in the cache, but in the tier that instances share.
        case shared
        /// The entry exists, but its bytes are damaged; a request would remove it and draw the avatar again.
        case damaged(reason: String)
        /// It would not be drawn because of a negative entry.
        case negativeEntry(Failure)
        /// It would be tried, and could not be drawn.
        case undrawable(RenderError)
        /// The photo could not be opened; the code says why.
        case unopenable(code: String)
        /// It would be drawn.
        case miss
    }

    package struct Explanation: Sendable {
        package var style: Style
        package var verdict: Verdict
        /// Nil if the photo is missing, or not an image.
        package var recipe: Recipe?
        package var key: CacheKey?
        /// The entry in the index; for a miss, one whose file is missing.
        package var entry: Entry?
        /// When and why the entry was removed, if it existed.
        package var removalRecord: RemovalRecord?
        /// The most similar entry, for a miss.
        package var nearest: NearestEntry?
        /// The part of the photo that a hit shows, if that is known.
        package var crop: CropReport?

        /// The path of the entry's file, existing or not.
        package func file(in cache: AvatarCache) -> FilePath? {
            key.map { cache.file(of: $0, style.format.entryFormat) }
        }
    }

    private let cache: AvatarCache
    private let shared: SharedTier?
    /// As they are drawn.
    private let styles: [Style]
    private let limits: Limits
    private let hasFaceModel: Bool

    /// `hasFaceModel`: what draws the avatars has one.
    package init(
        cache: AvatarCache, shared: SharedTier? = nil, styles: [Style], limits: Limits = Limits(),
        hasFaceModel: Bool = false
    ) {
        self.cache = cache
        self.shared = shared
        self.styles = styles.map { $0.drawn(hasFaceModel: hasFaceModel) }
        self.limits = limits
        self.hasFaceModel = hasFaceModel
    }

    /// For a photo file, as `tondo convert` would draw it in these styles together.
    package func explain(photo path: FilePath) throws -> [Explanation] {
        let file = try PhotoFile.open(path, limit: limits.maxMemory)
        let digest = SHA256Digest(file)
        let name = path.lastComponent.map { FilePath(root: nil, components: $0) }?.withoutExtension.string
        let geometry: PhotoGeometry
        do {
            geometry = try withExtendedLifetime(file) { () throws(RenderError) in try .init(probing: file.bytes) }
        } catch {
            return styles.map { Explanation(style: $0, verdict: .undrawable(error)) }
        }
        let renderer = AvatarRenderer(styles: styles, limits: limits, findsFaces: hasFaceModel)
        let denominator = renderer.decodeDenominator(for: geometry, crop: nil)
        let failure = cache.failure(
            of: AvatarRecipe.decoding(digest, styles: styles, decodeDenominator: denominator),
            memoryLimit: limits.maxMemory)
        return try styles.map { style in
            let recipe = AvatarRecipe(photo: digest, style: style, decodeDenominator: denominator)
            guard let parsed = Recipe(recipe.text) else { return Explanation(style: style, verdict: .miss) }
            return try explanation(
                of: style, recipe: parsed, key: recipe.key, contact: name, failure: failure,
                crop: CropReport(of: nil, in: geometry, contact: nil, style: style.crop))
        }
    }

    /// Whether the cache has, or had, an avatar of the contact.
    package func isKnown(contact: String) throws -> Bool {
        var query = EntryQuery()
        query.contact = contact
        query.limit = 1
        return try !cache.entries(query).isEmpty || !cache.removalRecords(contact: contact).isEmpty
    }

    /// For a contact without a photo file: uses the contact's latest photo in the cache, with the decode of its
    /// entries.
    package func explain(contact: String) throws -> [Explanation] {
        var query = EntryQuery()
        query.contact = contact
        query.order = .created
        let entries = try cache.entries(query)
        let removalRecords = try cache.removalRecords(contact: contact)
        guard let latest = entries.first?.recipe ?? removalRecords.first?.recipe else {
            return styles.map { Explanation(style: $0, verdict: .miss) }
        }
        let known = entries.map(\.recipe) + removalRecords.map(\.recipe)
        return try styles.map { style in
            let found = known.first {
                $0.photo == latest.photo && $0.contactCrop == latest.contactCrop && $0.shows(style)
            }
            guard let recipe = found.flatMap(Self.drawnNow) else {
                return Explanation(style: style, verdict: .miss, nearest: NearestEntry(to: style, among: entries))
            }
            return try explanation(
                of: style, recipe: recipe, key: CacheKey(recipe: recipe.text), contact: contact, failure: nil, crop: nil
            )
        }
    }

    /// The recipe as the current renderer would write it.
    private static func drawnNow(_ recipe: Recipe) -> Recipe? {
        let words = recipe.words.map { word in
            "\(word.name)=\(word.name == "renderer" ? String(AvatarRecipe.rendererVersion) : word.value)"
        }
        return Recipe(words.joined(separator: " "))
    }

    /// `crop`: that was asked for; nil: it depends on faces, or is not known.
    func explanation(
        of style: Style, recipe: Recipe, key: CacheKey, contact: String?, failure: Failure?, crop: CropReport?
    ) throws -> Explanation {
        var explanation = Explanation(style: style, verdict: .miss, recipe: recipe, key: key)
        explanation.entry = try cache.entry(key)
        switch try cache.damage(of: key) {
        case nil:
            explanation.verdict = .hit
            let file = cache.file(of: key, style.format.entryFormat)
            explanation.crop = crop ?? CropRecord(ofFile: file).map { CropReport($0) }
        case AvatarCache.missing?:
            if shared?.contains(key) == true {
                explanation.verdict = .shared
                return explanation
            }
            if let failure { explanation.verdict = .negativeEntry(failure) }
            explanation.removalRecord = try cache.removalRecord(of: key)
            explanation.nearest = NearestEntry(
                to: recipe, among: try candidates(recipe, of: contact).filter { $0.key != key })
        case let reason?: explanation.verdict = .damaged(reason: reason)
        }
        return explanation
    }

    /// Entries of the same photo, then those of the same contact.
    private func candidates(_ recipe: Recipe, of contact: String?) throws -> [Entry] {
        var query = EntryQuery()
        query.photo = recipe.photo
        query.limit = 1000
        var entries = try cache.entries(query)
        if let contact {
            query.photo = nil
            query.contact = contact
            entries += try cache.entries(query)
        }
        return entries
    }
}
