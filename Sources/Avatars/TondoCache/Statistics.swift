package import FoundationEssentials

/// The size and the hit rate of a cache.
package struct Statistics: Equatable, Sendable {
    /// Entries of one style in one format.
    package struct Style: Codable, Equatable, Sendable {
        /// The words of `Recipe.style`.
        package var style: String
        /// Pixels.
        package var side: Int
        /// `png` or `webp`.
        package var format: String
        package var entries: Int
        /// Bytes of the files.
        package var bytes: Int
    }

    /// Avatars, without negative entries.
    package var entries = 0
    /// Bytes of the files.
    package var bytes = 0
    /// Most bytes first.
    package var styles: [Style] = []
    /// Lookups that found an entry, in all processes, since the index was last rebuilt.
    package var hits = 0
    /// Lookups without a result, counted over the same time as `hits`.
    package var misses = 0
    /// Entries that were found damaged and removed.
    package var damaged = 0
    /// Evicted entries.
    package var evicted = 0
    /// When the oldest entry was stored; nil for an empty cache and in `tallies`, like the next two.
    package var oldest: Date?
    /// When the newest entry was stored.
    package var newest: Date?
    /// When the next entry to be evicted was last used.
    package var leastRecentlyUsed: Date?
    /// Negative entries by code; an expired one counts until it is replaced or evicted.
    package var failures: [String: Int] = [:]
    /// Bytes of the negative entries' files. Size limits apply to these and `bytes` together.
    package var failureBytes = 0

    package init() {}
}
