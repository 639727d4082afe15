import FoundationEssentials
import SystemPackage
import TondoCache

/// An entry as JSON.
struct EntryDocument: Encodable {
    var key: String
    var file: String
    var recipe: String
    var photo: String
    var style: String
    var side: Int
    var bytes: Int
    var cost: Double
    var created: String
    var used: String
    var contacts: [String]

    init(_ entry: Entry, in cache: AvatarCache) {
        key = entry.key.hexadecimal
        file = cache.file(of: entry.key).string
        (recipe, photo, style) = (entry.recipe.text, entry.recipe.photo, entry.recipe.style)
        (side, bytes, cost) = (entry.recipe.side, entry.size, (entry.cost * 1000).rounded() / 1000)
        (created, used, contacts) = (entry.created.iso, entry.used.iso, entry.contacts)
    }
}
