/// The effort of the search for matches in a batch.
enum MatchEffort {
    /// Runs only: photographs with noise have no repetitions.
    case runs
    /// The last occurrence of a pixel, and of two.
    case fast
    /// Many occurrences, with lazy matching at the next pixel.
    case deep
}
