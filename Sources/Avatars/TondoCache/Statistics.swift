package import FoundationEssentials

/// The size and the hit rate of a cache.
package struct Statistics: Equatable, Sendable {
    /// Entries of one style in one format.
    package struct Style: Codable, Equatable, Sendable {
        package var style: String
        /// Pixels.
        package var side: Int
        /// `png` or `webp`.
        package var format: String
        package var entries: Int
        /// Bytes of the files.
        package var bytes: Int
    }

    package var entries = 0
    /// Bytes of the files.
    package var bytes = 0
    /// Most bytes first.
    package var styles: [Style] = []
    package var hits = 0
    package var misses = 0
    /// Entries that were found damaged and removed.
    package var damaged = 0
    /// Evicted entries.
    package var evicted = 0
    package var oldest: Date?
    package var newest: Date?
    package var leastRecentlyUsed: Date?
    /// Negative entries by code; an expired one counts until it is replaced or evicted.
    package var failures: [String: Int] = [:]
    /// Bytes of the negative entries' files. Size limits apply to these and `bytes` together.
    package var failureBytes = 0

    package init() {}
}
