internal import FoundationEssentials

/// An avatar with the seal of an entry's file, for a store that other instances share: the key and the checksum in the seal
/// prove that the bytes are what was stored under this key. It names no contacts, which belong to one instance's books.
package struct SealedAvatar: Sendable {
    /// Why bytes are not what was stored under a key.
    package struct Damage: Error, Equatable {
        /// For logs, in words such as `the checksum differs`.
        package let reason: String
    }

    /// The checked avatar, without the seal.
    package let avatar: StoredAvatar
    /// Milliseconds it took to draw.
    package let cost: Double

    /// The bytes to store. Nil if `avatar` is not a whole PNG or WebP.
    package static func seal(_ avatar: [UInt8], key: CacheKey, cost: Double, created: Int64) -> [UInt8]? {
        let trailer = EntryTrailer(created: Date(milliseconds: created), cost: cost, contacts: [])
        return avatar.withUnsafeBytes { trailer.file(appendedTo: $0, key: key) }
    }

    /// Checks stored bytes, and that the recipe in them is the key's.
    package init(bytes: consuming [UInt8], key: CacheKey) throws(Damage) {
        do throws(EntryTrailer.Damage) {
            guard bytes.count <= EntryFile.largest else { throw .large }
            avatar = try StoredAvatar(entryFile: bytes, key: key)
            guard let trailer = EntryTrailer(text: avatar.fields) else { throw .noTrailer }
            cost = trailer.cost
            let recipe = avatar.bytes.withUnsafeBytes { RecipeReader.recipe(in: $0) }
            guard let recipe, CacheKey(recipe: recipe.text) == key else { throw .recipe }
        } catch { throw Damage(reason: error.rawValue) }
    }
}
