/// How hard to look for matches in a batch.
enum MatchEffort {
    /// Runs only: photographs with noise repeat nothing.
    case runs
    /// The last occurrence of a pixel, and of two.
    case fast
    /// Many occurrences, deferring to a better match at the next pixel.
    case deep
}
