/// Finds the largest variant of a photo: `NAME.png` is for 1x screens, `NAME@2x.png` and `NAME@3x.png` next to it, or
/// in a folder below, for higher densities.
package enum ScaledPhoto {
    /// For a name without an extension.
    private static let extensions = [".png", ".jpg", ".jpeg", ".webp", ".gif"]

    /// The names of the variants, the largest first. `name`: from the book, perhaps with folders.
    package static func candidates(for name: String) -> [String] {
        let (stem, ending) = split(name)
        let endings = ending.isEmpty ? extensions : [ending]
        return ["@3x", "@2x", ""].flatMap { scale in endings.map { stem + scale + $0 } }
    }

    /// The largest existing variant; of equally large ones that in the fewest folders, then the first by name.
    /// `existing`: paths relative to the folder of the book's file, with `/` between folders.
    package static func pick(for name: String, among existing: some Sequence<String>) -> String? {
        let ranks = Dictionary(
            candidates(for: name).enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let depth = name.split(separator: "/").count
        let found = existing.compactMap { path -> Found? in
            let parts = path.split(separator: "/")
            guard parts.count >= depth, !name.hasPrefix("/") else { return nil }
            let rank = ranks[parts.suffix(depth).joined(separator: "/")]
            return rank.map { Found(rank: $0, depth: parts.count, path: path) }
        }
        return found.min()?.path
    }

    private struct Found: Comparable {
        var rank: Int
        var depth: Int
        var path: String

        static func < (one: Found, other: Found) -> Bool {
            (one.rank, one.depth, one.path) < (other.rank, other.depth, other.path)
        }
    }

    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, !name[dot...].contains("/") else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }
}
