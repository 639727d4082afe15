import ArgumentParser

/// Words of a recipe, with commas: `side=192,ring=8`. A bare number means `side`.
struct StyleWords: ExpressibleByArgument, Equatable, Sendable {
    let words: [String]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        words = parts.map { Int($0) != nil ? "side=\($0)" : String($0) }
        let areWords = words.allSatisfy { word in
            word.split(separator: "=", maxSplits: 1).count == 2 && !word.contains(" ")
        }
        guard areWords else { return nil }
    }
}
