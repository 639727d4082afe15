package import TondoCache
package import TondoImage

extension AvatarPipeline {
    /// Draws on this thread, without queue and cache. Throws a `RenderError`.
    package static func draw(_ photo: PhotoSource, in style: Style) throws -> Avatar {
        let set = StyleSet([style], source: CachingRenderer(styles: [style], limits: Limits()))
        return try AvatarJob(AvatarRequest(photo, styles: set), cache: nil, limit: Limits().maxMemory).make()[0]
    }

    /// The avatar with this key, if the cache has it, it has this style, and it belongs to this contact. The key
    /// matters because an avatar that was drawn together with larger ones can differ by a level from one that was drawn
    /// alone. Blocks.
    package func cached(_ key: CacheKey, _ style: Style, of contact: String) -> Avatar? {
        guard let cache, let hit = cache.lookup(key), let avatar = try? cache.read(hit),
            avatar.shows(contact),
            let recipe = avatar.png.withUnsafeBytes({ AvatarRecipe(readingFrom: $0) }),
            Recipe(recipe.text)?.style == style.canonicalText
        else { return nil }
        return Avatar(style: style, key: key, source: .cache, isStored: true, png: avatar.png, milliseconds: 0)
    }
}
