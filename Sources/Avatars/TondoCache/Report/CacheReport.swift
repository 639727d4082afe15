internal import FoundationEssentials

/// `Statistics` as JSON: of `tondo cache stat --json`, `GET /v1/cache` and `tondo status`.
package struct CacheReport: Codable, Equatable, Sendable {
    /// The size limit that the command compares with.
    package struct Limit: Codable, Equatable, Sendable {
        package var bytes: Int
        package var isOver: Bool
        /// What pruning to the limit would remove.
        package var entriesToRemove: Int
        package var failuresToRemove: Int
        package var bytesToRemove: Int

        package init(_ bytes: Int, _ statistics: Statistics, pruning: AvatarCache.Pruning) {
            self.bytes = bytes
            isOver = statistics.bytes + statistics.failureBytes > bytes
            entriesToRemove = pruning.entries
            failuresToRemove = pruning.failures
            bytesToRemove = pruning.bytes
        }
    }

    /// The folder; not over HTTP.
    package var path: String?
    package var entries: Int
    package var bytes: Int
    package var hits: Int
    package var misses: Int
    package var damaged: Int
    package var evicted: Int
    /// The number of negative entries.
    package var failures: Int
    package var failureBytes: Int
    package var failuresByCode: [String: Int]
    package var styles: [Statistics.Style]
    package var oldest: String?
    package var newest: String?
    package var leastRecentlyUsed: String?
    /// Not over HTTP.
    package var limit: Limit?

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
