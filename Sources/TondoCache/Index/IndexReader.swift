internal import FoundationEssentials
internal import GRDB

/// Asks the index, inside a transaction that its owner has begun.
struct IndexReader {
    let database: Database

    /// Entries and their bytes.
    func totals() throws -> (entries: Int, bytes: Int) {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT ifnull(sum(entries), 0), ifnull(sum(bytes), 0) FROM templates"))
        return (row?[0] ?? 0, row?[1] ?? 0)
    }

    /// Without the failures, which are files.
    func statistics() throws -> Statistics {
        var statistics = Statistics()
        (statistics.entries, statistics.bytes) = try totals()
        statistics.styles = try Row.fetchAll(
            database,
            sql: """
                SELECT style, side, sum(entries), sum(bytes) FROM templates WHERE entries > 0
                GROUP BY style, side ORDER BY 4 DESC, style
                """
        ).map { Statistics.Style(style: $0[0], side: $0[1], entries: $0[2], bytes: $0[3]) }
        let counters = try Row.fetchAll(database, sql: "SELECT name, value FROM counters")
        let values = Dictionary(counters.map { ($0[0] as String, $0[1] as Int) }, uniquingKeysWith: +)
        (statistics.hits, statistics.misses) = (values["hits", default: 0], values["misses", default: 0])
        (statistics.damaged, statistics.evicted) = (values["damaged", default: 0], values["evicted", default: 0])
        statistics.oldest = try date("SELECT min(created) FROM entries")
        statistics.newest = try date("SELECT max(created) FROM entries")
        statistics.leastRecentlyUsed = try date("SELECT min(used) FROM entries")
        return statistics
    }

    func entry(_ key: CacheKey) throws -> Entry? {
        try entries(where: "key = ?", [Data(key.bytes)], order: "key", limit: 1).first
    }

    /// Keys that begin with these hexadecimal digits, in their order.
    func keys(prefix: String, limit: Int) throws -> [CacheKey] {
        guard let low = CacheKey(prefix + String(repeating: "0", count: max(64 - prefix.count, 0))),
            let high = CacheKey(prefix + String(repeating: "f", count: max(64 - prefix.count, 0)))
        else { return [] }
        return try Data.fetchAll(
            database, sql: "SELECT key FROM entries WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?",
            arguments: [Data(low.bytes), Data(high.bytes), limit]
        ).compactMap(Self.key)
    }

    func entries(_ query: EntryQuery) throws -> [Entry] {
        var conditions: [String] = []
        var arguments: [any DatabaseValueConvertible] = []
        func add(_ condition: String, _ values: (any DatabaseValueConvertible)...) {
            conditions.append(condition)
            arguments += values
        }
        if let contact = query.contact { add("id IN (SELECT entry FROM contacts WHERE contact = ?)", contact) }
        if let photo = query.photo { add("photo = ?", photo) }
        if let since = query.since { add("used >= ?", since.milliseconds) }
        if let size = query.largerThan { add("size > ?", size) }
        for word in query.styleWords {
            add("template IN (SELECT id FROM templates WHERE instr(' ' || style || ' ', ?) > 0)", " \(word) ")
        }
        return try entries(
            where: conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND "), arguments,
            order: "\(query.order.rawValue) DESC", limit: query.limit ?? -1)
    }

    /// Keys with their sizes, least recently used first. `before`: used earlier than this only.
    func leastRecentlyUsed(before: Date?, limit: Int) throws -> [(key: CacheKey, size: Int)] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT key, size FROM entries WHERE used < ? ORDER BY used, entries.id LIMIT ?"),
            arguments: [before?.milliseconds ?? .max, limit]
        ).compactMap { row in Self.key(row[0]).map { ($0, row[1]) } }
    }

    /// All entries in the order in which they would make room.
    func byLastUse() throws -> [(key: CacheKey, size: Int, used: Date)] {
        try Row.fetchAll(database, sql: "SELECT key, size, used FROM entries ORDER BY used, entries.id").compactMap {
            row in
            Self.key(row[0]).map { ($0, row[1], Date(milliseconds: row[2])) }
        }
    }

    /// Keys and sizes of one of the 256 folders.
    func rows(ofShard shard: UInt8) throws -> [CacheKey: Int] {
        let digits = (shard < 16 ? "0" : "") + String(shard, radix: 16)
        guard let low = CacheKey(digits + String(repeating: "0", count: 62)),
            let high = CacheKey(digits + String(repeating: "f", count: 62))
        else { return [:] }
        // A cursor shows each row where it is; an array of rows would copy them all.
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT key, size FROM entries WHERE key BETWEEN ? AND ?"),
            arguments: [Data(low.bytes), Data(high.bytes)])
        var sizes: [CacheKey: Int] = [:]
        while let row = try rows.next() {
            let key = try row.withUnsafeData(atIndex: 0) { data in data.flatMap(Self.key) }
            if let key { sizes[key] = row[1] }
        }
        return sizes
    }

    func departure(_ key: CacheKey) throws -> Departure? {
        try departures(where: "key = ?", Data(key.bytes)).first
    }

    /// What this contact showed, latest first.
    func departures(contact: String) throws -> [Departure] {
        try departures(
            where: "instr(char(10) || contacts || char(10), char(10) || ? || char(10)) > 0", contact)
    }

    private func departures(
        where condition: String, _ argument: any DatabaseValueConvertible
    ) throws -> [Departure] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT key, photo, crop, template, reason, date FROM departures WHERE \(condition) ORDER BY date DESC
                """,
            arguments: [argument]
        ).compactMap { row in
            guard let key = Self.key(row[0]), let recipe = Self.recipe(photo: row[1], crop: row[2], template: row[3]),
                let reason = Departure.Reason(rawValue: row[4])
            else { return nil }
            return Departure(key: key, recipe: recipe, reason: reason, date: Date(milliseconds: row[5]))
        }
    }

    private func entries(
        where condition: String, _ arguments: [any DatabaseValueConvertible], order: String, limit: Int
    ) throws -> [Entry] {
        // Which ones is asked first, by itself: an index alone answers that.
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT key, photo, crop, text, size, cost, created, used, entries.id
                FROM (SELECT id AS wanted FROM entries WHERE \(condition) ORDER BY \(order) LIMIT \(limit))
                    JOIN entries ON entries.id = wanted JOIN templates ON templates.id = template
                ORDER BY \(order)
                """,
            arguments: StatementArguments(arguments.map(\.databaseValue)))
        return try rows.compactMap { row in
            guard let key = Self.key(row[0]), let recipe = Self.recipe(photo: row[1], crop: row[2], template: row[3])
            else { return nil }
            let contacts = try String.fetchAll(
                database.cachedStatement(sql: "SELECT contact FROM contacts WHERE entry = ? ORDER BY place, contact"),
                arguments: [row[8] as Int64])
            return Entry(
                key: key, recipe: recipe, size: row[4], cost: row[5], created: Date(milliseconds: row[6]),
                used: Date(milliseconds: row[7]), contacts: contacts)
        }
    }

    private func date(_ sql: String) throws -> Date? {
        try Int64.fetchOne(database, sql: sql).map { Date(milliseconds: $0) }
    }

    private static func key(_ data: Data) -> CacheKey? { data.withUnsafeBytes { CacheKey(bytes: $0) } }

    private static func recipe(photo: String, crop: String?, template: String) -> Ingredients? {
        Ingredients(Ingredients.text(photo: photo, crop: crop, template: template))
    }
}
