internal import TondoCache
internal import TondoImage

/// Finds the avatars of a photo that cannot be opened now, as the cache has them. Usable from any thread.
struct LastAvatars: Sendable {
    let cache: AvatarCache
    /// The styles in which the contact's avatars were reported, as they are drawn.
    let reported: [Style]
    /// The hash of the keys that were reported last, see `AvatarLedger`: entries of an earlier photo, or of a contact
    /// of another book with the same id, have others.
    let hash: Int

    private static let most = 1_000

    /// The stored avatars of the contact's last photo in these styles; nil if one is missing. Blocks.
    func avatars(of contact: String, _ styles: StyleSet) -> [Avatar]? {
        var query = EntryQuery()
        query.contact = contact
        query.order = .created
        query.limit = Self.most
        guard let entries = try? cache.entries(query) else { return nil }
        let photos = Dictionary(grouping: entries) { Photo($0.recipe) }
        for recipes in photos.values.map({ $0.map(\.recipe) }) {
            let keys = reported.compactMap { style in
                recipes.first { $0.shows(style) }.map { CacheKey(recipe: $0.text) }
            }
            guard keys.count == reported.count, AvatarLedger.hash(of: keys) == hash else { continue }
            return avatars(in: styles, recipes: recipes)
        }
        return nil
    }

    private struct Photo: Hashable {
        let words: [String?]

        init(_ recipe: Recipe) { words = [recipe.photo, recipe.contactCrop, recipe["initials"], recipe["renderer"]] }
    }

    private func avatars(in styles: StyleSet, recipes: [Recipe]) -> [Avatar]? {
        let avatars = zip(styles.styles, styles.source.styles).compactMap { style, drawn -> Avatar? in
            guard let recipe = recipes.first(where: { $0.shows(drawn) }) else { return nil }
            let key = CacheKey(recipe: recipe.text)
            guard let hit = cache.lookup(key), let stored = try? cache.read(hit) else { return nil }
            return Avatar(
                style: style, key: key, source: .cache, isStored: true, bytes: stored.bytes, milliseconds: 0)
        }
        return avatars.count == styles.styles.count ? avatars : nil
    }
}
