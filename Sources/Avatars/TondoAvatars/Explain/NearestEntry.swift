package import TondoCache
internal import TondoImage

/// The entry that is most similar to a requested avatar, and the differences.
package struct NearestEntry: Sendable {
    /// One word of the recipe that differs; nil if one of the two recipes does not have it.
    package struct Difference: Codable, Equatable, Sendable {
        package var name: String
        package var wanted: String?
        package var found: String?
    }

    package var entry: Entry
    /// In the order of the recipe.
    package var differences: [Difference]

    /// Nil if there is no candidate. With the same number of differences, the entry with the more similar size is
    /// nearer, then the later one.
    init?(to recipe: Recipe, among entries: [Entry]) {
        self.init(words: recipe.words, among: entries)
    }

    /// For a style only: the photo with its decode is not compared, and neither are the initials in its place. The crop is, unless
    /// it does not follow from the style of the entry.
    init?(to style: Style, among entries: [Entry]) {
        let text = "photo=none crop=\(style.crop.recipeText) \(style.canonicalText) \(style.format.canonicalText)"
        guard let words = Recipe(text)?.words.dropFirst() else { return nil }
        self.init(words: Array(words), among: entries) { recipe in
            ["photo", "initials", "decode", "renderer"] + (recipe.styleCrop == nil ? ["crop"] : [])
        }
    }

    /// `ignored`: the words that are not compared with those of this recipe.
    private init?(words: [Recipe.Word], among entries: [Entry], ignoring ignored: (Recipe) -> [String] = { _ in [] }) {
        let rated = entries.map { entry in
            NearestEntry(
                entry: entry,
                differences: Self.differences(words, from: entry.recipe, ignoring: ignored(entry.recipe)))
        }
        let side = words.first { $0.name == "side" }.flatMap { Int($0.value) } ?? 0
        guard let nearest = rated.min(by: { $0.isNearer(than: $1, side: side) }) else { return nil }
        self = nearest
    }

    private init(entry: Entry, differences: [Difference]) {
        self.entry = entry
        self.differences = differences
    }

    /// `side`: the requested pixels.
    private func isNearer(than other: NearestEntry, side: Int) -> Bool {
        let (distance, otherDistance) = (abs(entry.recipe.side - side), abs(other.entry.recipe.side - side))
        return (differences.count, distance, other.entry.created)
            < (other.differences.count, otherDistance, entry.created)
    }

    private static func differences(
        _ words: [Recipe.Word], from found: Recipe, ignoring ignored: [String]
    ) -> [Difference] {
        let names = words.map(\.name) + found.words.map(\.name).filter { name in !words.contains { $0.name == name } }
        return names.filter { !ignored.contains($0) }.compactMap { name in
            let wanted = words.first { $0.name == name }?.value
            return wanted == found[name] ? nil : Difference(name: name, wanted: wanted, found: found[name])
        }
    }
}
