import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoCache

/// `tondo cache stat`
struct CacheStat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat", abstract: "Tells what is in the cache and how well it serves.")

    @OptionGroup var location: CacheLocation

    @Option(help: ArgumentHelp("The limit to compare with.", valueName: "bytes"))
    var maxSize = ByteCount(AvatarCache.defaultMaxSize)

    @Flag(help: "One JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let (statistics, pruning) = try CacheFailure.telling {
            (try cache.statistics(), try cache.prune(maxSize: maxSize.bytes, isTrial: true))
        }
        if json {
            try StandardOutput.write(
                json: StatisticsDocument(cache.path.string, statistics, limit: maxSize.bytes, pruning: pruning))
        } else {
            let text = StatisticsText(statistics, limit: maxSize.bytes, pruning: pruning, now: Date())
            try StandardOutput.write(text.text(path: cache.path.string, width: StandardStreams.outputColumns))
        }
    }
}

/// What `stat` prints for people.
struct StatisticsText {
    private let statistics: Statistics
    private let limit: Int
    private let pruning: AvatarCache.Pruning
    private let now: Date

    init(_ statistics: Statistics, limit: Int, pruning: AvatarCache.Pruning, now: Date) {
        (self.statistics, self.limit, self.pruning, self.now) = (statistics, limit, pruning, now)
    }

    /// `width`: cells a line, nil for as long as they are.
    func text(path: String, width: Int?) -> String {
        var block = KeyValueBlock()
        block.add("Cache", path)
        block.add("Entries", "\(Quantities.count(statistics.entries)), \(Quantities.bytes(statistics.bytes))")
        block.add("Limit", "\(Quantities.bytes(limit)): \(room)")
        block.add("Lookups", lookups)
        if statistics.evicted > 0 { block.add("Evicted", Quantities.count(statistics.evicted)) }
        if statistics.damaged > 0 { block.add("Found damaged", Quantities.count(statistics.damaged)) }
        block.add("Oldest", statistics.oldest.map(moment))
        block.add("Newest", statistics.newest.map(moment))
        block.add("Least recently used", statistics.leastRecentlyUsed.map(moment))
        block.add("Failures", failures)
        if statistics.styles.isEmpty { return block.text }
        return block.text + "\n" + styles.text(width: width)
    }

    private var room: String {
        if pruning.entries == 0 { return "\(Quantities.bytes(limit - statistics.bytes)) free" }
        let entries = pruning.entries == 1 ? "1 entry" : "\(Quantities.count(pruning.entries)) entries"
        return "over it by \(Quantities.bytes(statistics.bytes - limit)); "
            + "prune would remove \(entries), \(Quantities.bytes(pruning.bytes))"
    }

    private var lookups: String {
        let (hits, misses) = (statistics.hits, statistics.misses)
        let all = hits + misses
        let share = all > 0 ? " (\(hits * 100 / all) % hits)" : ""
        return "\(Quantities.count(hits)) hits, \(Quantities.count(misses)) misses\(share)"
    }

    private var failures: String {
        let all = statistics.failures.values.reduce(0, +)
        if all == 0 { return "none remembered" }
        let codes = statistics.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return "\(Quantities.count(all)) remembered: "
            + codes.map { "\(Quantities.count($0.value)) \($0.key)" }.joined(separator: ", ")
    }

    private var styles: Table {
        var table = Table([
            .init(title: "ENTRIES", alignment: .right), .init(title: "BYTES", alignment: .right),
            .init(title: "PIXELS", alignment: .right), .init(title: "STYLE", isFlexible: true),
        ])
        for style in statistics.styles {
            table.add([
                Quantities.count(style.entries), Quantities.bytes(style.bytes), String(style.side),
                StyleText.text(style.style),
            ])
        }
        return table
    }

    private func moment(_ date: Date) -> String {
        "\(WallClock.local.text(date)) (\(RelativeTime.text(date, now: now)))"
    }
}

private struct StatisticsDocument: Encodable {
    struct Style: Encodable {
        var style: String
        var side: Int
        var entries: Int
        var bytes: Int
    }

    struct Limit: Encodable {
        var bytes: Int
        var isOver: Bool
        /// What pruning to it would remove.
        var entriesToRemove: Int
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

    init(_ path: String, _ statistics: Statistics, limit: Int, pruning: AvatarCache.Pruning) {
        self.path = path
        (entries, bytes) = (statistics.entries, statistics.bytes)
        self.limit = Limit(
            bytes: limit, isOver: statistics.bytes > limit, entriesToRemove: pruning.entries,
            bytesToRemove: pruning.bytes)
        styles = statistics.styles.map {
            Style(style: $0.style, side: $0.side, entries: $0.entries, bytes: $0.bytes)
        }
        (hits, misses, evicted) = (statistics.hits, statistics.misses, statistics.evicted)
        damaged = statistics.damaged
        (oldest, newest) = (statistics.oldest?.iso, statistics.newest?.iso)
        leastRecentlyUsed = statistics.leastRecentlyUsed?.iso
        failures = statistics.failures
    }
}
