import TondoCache

/// The report of `stat` for scripts.
struct StatisticsDocument: Encodable {
    struct Style: Encodable {
        var style: String
        var side: Int
        var entries: Int
        var bytes: Int
    }

    struct Limit: Encodable {
        var bytes: Int
        var isOver: Bool
        /// What pruning to the limit would remove.
        var entriesToRemove: Int
        var failuresToRemove: Int
        var bytesToRemove: Int
    }

    var path: String
    var entries: Int
    var bytes: Int
    var limit: Limit
    var styles: [Style]
    var hits: Int
    var misses: Int
    var evicted: Int
    var damaged: Int
    var oldest: String?
    var newest: String?
    var leastRecentlyUsed: String?
    var failures: [String: Int]
    var failureBytes: Int

    init(_ path: String, _ statistics: Statistics, limit: Int, pruning: AvatarCache.Pruning) {
        self.path = path
        (entries, bytes) = (statistics.entries, statistics.bytes)
        self.limit = Limit(
            bytes: limit, isOver: statistics.bytes + statistics.failureBytes > limit, entriesToRemove: pruning.entries,
            failuresToRemove: pruning.failures, bytesToRemove: pruning.bytes)
        styles = statistics.styles.map {
            Style(style: $0.style, side: $0.side, entries: $0.entries, bytes: $0.bytes)
        }
        (hits, misses, evicted) = (statistics.hits, statistics.misses, statistics.evicted)
        damaged = statistics.damaged
        (oldest, newest) = (statistics.oldest?.iso, statistics.newest?.iso)
        leastRecentlyUsed = statistics.leastRecentlyUsed?.iso
        (failures, failureBytes) = (statistics.failures, statistics.failureBytes)
    }
}
