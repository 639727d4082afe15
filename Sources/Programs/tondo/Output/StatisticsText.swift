import FoundationEssentials
import TondoCache
import TondoText

/// The report of `stat` for humans.
struct StatisticsText {
    private let statistics: Statistics
    private let limit: Int
    private let pruning: AvatarCache.Pruning
    private let now: Date

    init(statistics: Statistics, limit: Int, pruning: AvatarCache.Pruning, now: Date) {
        self.statistics = statistics
        self.limit = limit
        self.pruning = pruning
        self.now = now
    }

    /// `width`: cells per line, nil for no limit.
    func text(path: String, width: Int?) -> String {
        var block = KeyValueBlock()
        block.add("Cache", value: path)
        block.add("Entries", value: "\(Quantities.count(statistics.entries)), \(ByteAmount.text(statistics.bytes))")
        block.add("Limit", value: "\(ByteAmount.text(limit)): \(room)")
        block.add("Lookups", value: lookups)
        if statistics.evicted > 0 { block.add("Evicted", value: Quantities.count(statistics.evicted)) }
        if statistics.damaged > 0 { block.add("Found damaged", value: Quantities.count(statistics.damaged)) }
        block.add("Oldest", value: statistics.oldest.map { Moment.text($0, now: now) })
        block.add("Newest", value: statistics.newest.map { Moment.text($0, now: now) })
        block.add("Least recently used", value: statistics.leastRecentlyUsed.map { Moment.text($0, now: now) })
        block.add("Failures", value: failures)
        let summary = block.text(width: width)
        if statistics.styles.isEmpty { return summary }
        return summary + "\n" + styles.text(width: width)
    }

    private var room: String {
        let bytes = statistics.bytes + statistics.failureBytes
        if bytes <= limit { return "\(ByteAmount.text(limit - bytes)) free" }
        return "over it by \(ByteAmount.text(bytes - limit)); "
            + "prune would evict \(PruningText.removed(pruning)), \(ByteAmount.text(pruning.bytes))"
    }

    private var lookups: String {
        let (hits, misses) = (statistics.hits, statistics.misses)
        let all = hits + misses
        let share = all > 0 ? " (\((hits * 200 + all) / (2 * all)) % hits)" : ""
        let noun = misses == 1 ? "miss" : "misses"
        return "\(Quantities.counted(hits, of: "hit")), \(Quantities.count(misses)) \(noun)\(share)"
    }

    private var failures: String {
        let all = statistics.failures.values.reduce(0, +)
        if all == 0 { return "none" }
        let codes = statistics.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return "\(Quantities.count(all)) stored, \(ByteAmount.text(statistics.failureBytes)): "
            + codes.map { "\(Quantities.count($0.value)) \($0.key)" }.joined(separator: ", ")
    }

    private var styles: Table {
        var table = Table(columns: [
            .init(title: "ENTRIES", alignment: .right), .init(title: "BYTES", alignment: .right),
            .init(title: "PIXELS", alignment: .right), .init(title: "FORMAT"), .init(title: "STYLE", isFlexible: true),
        ])
        for style in statistics.styles {
            table.add([
                Quantities.count(style.entries), ByteAmount.text(style.bytes), String(style.side),
                style.format, StyleText.text(style.style),
            ])
        }
        return table
    }
}
