/// The number of typing errors between two words: the restricted Damerau-Levenshtein distance, where a swap of two
/// neighbours counts as one error.
package enum EditDistance {
    package static func between(_ one: String, and other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var before: [Int] = []
        var row = Array(0...other.count)
        for i in one.indices {
            var next = [i + 1]
            for j in other.indices {
                var least = min(row[j + 1] + 1, next[j] + 1, row[j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    least = min(least, before[j - 1] + 1)
                }
                next.append(least)
            }
            before = row
            row = next
        }
        return row[other.count]
    }

    /// Words that a typing error may have turned into `word`: at most a third of its letters, and at least one, may
    /// differ. Only the nearest ones, in the order of `words`.
    package static func nearest(to word: String, among words: [String]) -> [String] {
        // A longer word is a path or a sentence, and the time grows with the square of its length.
        guard (1...32).contains(word.count) else { return [] }
        let ranked = words.map { ($0, between(word.lowercased(), and: $0)) }
        guard let least = ranked.map(\.1).min(), least <= max(word.count / 3, 1) else { return [] }
        return ranked.filter { $0.1 == least }.map(\.0)
    }
}
