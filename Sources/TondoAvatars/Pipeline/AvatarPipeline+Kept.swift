package import TondoCache
package import TondoImage

extension AvatarPipeline {
    /// The avatar with this key, if the cache has it, it has this style, and it belongs to this contact. The key
    /// matters because an avatar that was drawn together with larger ones can differ by a level from one that was drawn
    /// alone. Blocks.
    package func kept(_ key: CacheKey, _ style: Style, of contact: String) -> Face? {
        guard let cache, let hit = cache.lookup(key), let rendition = try? cache.read(hit),
            rendition.contacts.contains(contact),
            let recipe = rendition.png.withUnsafeBytes({ Recipe(readingFrom: $0) }),
            Ingredients(recipe.text)?.style == style.canonicalText
        else { return nil }
        return Face(style: style, key: key, source: .cache, isStored: true, png: rendition.png, milliseconds: 0)
    }
}
