internal import FoundationEssentials

/// `Statistics` as JSON: of `tondo cache stat --json`, `GET /v1/cache` and `tondo status`.
package struct CacheReport: Codable, Equatable, Sendable {
    /// The size limit that the command compares with.
    package struct Limit: Codable, Equatable, Sendable {
        package var bytes: Int
        /// Whether entries and negative entries together exceed the limit.
        package var isOver: Bool
        /// Entries that pruning to the limit would remove.
        package var entriesToRemove: Int
        /// Negative entries that pruning would remove; expired ones come before everything else.
        package var failuresToRemove: Int
        /// Bytes of both together.
        package var bytesToRemove: Int

        /// `pruning`: from a trial run of `AvatarCache.prune` with this limit.
        package init(bytes: Int, statistics: Statistics, pruning: AvatarCache.Pruning) {
            self.bytes = bytes
            isOver = statistics.bytes + statistics.failureBytes > bytes
            entriesToRemove = pruning.entries
            failuresToRemove = pruning.failures
            bytesToRemove = pruning.bytes
        }
    }

    /// The folder; not over HTTP.
    package var path: String?
    /// Avatars, without negative entries.
    package var entries: Int
    /// Bytes of the files of these entries.
    package var bytes: Int
    /// Lookups that found an entry, in all processes, since the index was last rebuilt.
    package var hits: Int
    /// Lookups without a result, counted over the same time as `hits`.
    package var misses: Int
    /// Entries that were found damaged and removed, over the same time.
    package var damaged: Int
    /// Entries removed for their size or age, over the same time; removals by request do not count.
    package var evicted: Int
    /// The number of negative entries.
    package var failures: Int
    /// Bytes of the files of the negative entries. The size limit applies to `bytes` and these together.
    package var failureBytes: Int
    /// The numbers of negative entries by the codes of their causes.
    package var failuresByCode: [String: Int]
    /// Most bytes first.
    package var styles: [Statistics.Style]
    /// When the oldest entry was stored, in ISO 8601; absent for an empty cache.
    package var oldest: String?
    /// When the newest entry was stored, in ISO 8601.
    package var newest: String?
    /// When the next entry to be evicted was last used, in ISO 8601.
    package var leastRecentlyUsed: String?
    /// Not over HTTP.
    package var limit: Limit?

    /// Leaves out `path` and `limit`, which only the command shows.
    package init(_ statistics: Statistics) {
        entries = statistics.entries
        bytes = statistics.bytes
        hits = statistics.hits
        misses = statistics.misses
        damaged = statistics.damaged
        evicted = statistics.evicted
        failures = statistics.failures.values.reduce(0, +)
        failureBytes = statistics.failureBytes
        failuresByCode = statistics.failures
        styles = statistics.styles
        oldest = statistics.oldest?.iso
        newest = statistics.newest?.iso
        leastRecentlyUsed = statistics.leastRecentlyUsed?.iso
    }
}
