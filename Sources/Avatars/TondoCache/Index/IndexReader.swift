internal import FoundationEssentials
internal import GRDB

/// Queries of the index, inside a transaction that its owner has begun. A row may contain anything, since bytes of the
/// file may be damaged: a value of another type is an error, never a crash.
struct IndexReader {
    let database: Database

    /// Larger sizes in a row are clamped, so that sizes can be added.
    private static let largest = 1 << 40

    /// Entries and negative entries with the bytes of their files, from sums that triggers maintain.
    func totals() throws -> Totals {
        let row = try database.row(
            """
            SELECT entries, bytes,
                (SELECT ifnull(sum(failures), 0) FROM failure_codes), (SELECT ifnull(sum(bytes), 0) FROM failure_codes)
            FROM sums
            """)
        // Clamped: numbers of a damaged row must not make a sum overflow.
        func number(_ column: Int) throws -> Int { min(max(try row?.decode(atIndex: column) ?? 0, 0), 1 << 60) }
        return Totals(
            entries: try number(0), entryBytes: try number(1), failures: try number(2), failureBytes: try number(3))
    }

    /// Entries and negative entries, counted one by one.
    func count() throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT (SELECT count(*) FROM entries) + (SELECT count(*) FROM failures)"))
            ?? 0
    }

    /// Statistics without styles and dates. Reads as many rows as there are counters and failure codes, whatever the cache holds.
    func tallies() throws -> Statistics {
        var statistics = Statistics()
        let totals = try totals()
        statistics.entries = totals.entries
        statistics.bytes = totals.entryBytes
        statistics.failures = try failureCounts()
        statistics.failureBytes = totals.failureBytes
        var values: [String: Int] = [:]
        let rows = try database.rows("SELECT name, value FROM counters")
        while let row = try rows.next() { values[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1) }
        statistics.hits = values["hits", default: 0]
        statistics.misses = values["misses", default: 0]
        statistics.damaged = values["damaged", default: 0]
        statistics.evicted = values["evicted", default: 0]
        return statistics
    }

    /// Reads as many rows as there are styles, with the letters of initials, beside those of `tallies`.
    func statistics() throws -> Statistics {
        var statistics = try tallies()
        statistics.styles = try Row.fetchAll(
            database,
            sql: """
                SELECT style, side, \(Self.format), sum(entries), sum(bytes) FROM templates WHERE entries > 0
                GROUP BY style, side, 3 ORDER BY 5 DESC, style, 3
                """
        ).map { row in
            try Statistics.Style(
                style: row.decode(atIndex: 0), side: row.decode(atIndex: 1), format: row.decode(atIndex: 2),
                entries: row.decode(atIndex: 3), bytes: row.decode(atIndex: 4))
        }
        statistics.oldest = try date("SELECT min(created) FROM entries")
        statistics.newest = try date("SELECT max(created) FROM entries")
        statistics.leastRecentlyUsed = try date("SELECT min(used) FROM entries")
        return statistics
    }

    /// The format of a template, by its words: the same as `EntryFormat.init(_:)`.
    private static let format = "iif(instr(' ' || text || ' ', ' format=webp '), 'webp', 'png')"

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
        func add(_ condition: String, values: (any DatabaseValueConvertible)...) {
            conditions.append(condition)
            arguments += values
        }
        if let contact = query.contact { add("id IN (SELECT entry FROM contacts WHERE contact = ?)", values: contact) }
        if let photo = query.photo { add("photo = ?", values: photo) }
        if let since = query.since { add("used >= ?", values: since.milliseconds) }
        if let size = query.largerThan { add("size > ?", values: size) }
        if let format = query.format {
            add("template IN (SELECT id FROM templates WHERE \(Self.format) = ?)", values: format.rawValue)
        }
        for word in query.styleWords {
            // A column of its own, since that of contacts differs with each of them.
            if word.hasPrefix("crop=") {
                add("crop = ?", values: String(word.dropFirst(5)))
                continue
            }
            add("template IN (SELECT id FROM templates WHERE instr(' ' || style || ' ', ?) > 0)", values: " \(word) ")
        }
        return try entries(
            where: conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND "), arguments,
            order: "\(query.order.rawValue) DESC", limit: query.limit ?? -1)
    }

    func removalRecord(_ key: CacheKey) throws -> RemovalRecord? {
        try removalRecords(where: "key = ?", Data(key.bytes)).first
    }

    /// Removed entries of this contact, latest first.
    func removalRecords(contact: String) throws -> [RemovalRecord] {
        try removalRecords(where: "EXISTS (SELECT 1 FROM json_each(contacts) WHERE value = ?)", contact)
    }

    private func removalRecords(
        where condition: String, _ argument: any DatabaseValueConvertible
    ) throws -> [RemovalRecord] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT key, photo, crop, template, reason, date FROM departures WHERE \(condition) ORDER BY date DESC
                """,
            arguments: [argument]
        ).compactMap { row in
            guard let key = Self.key(try row.decode(atIndex: 0)), let recipe = try Self.recipe(row, from: 1),
                let reason = RemovalRecord.Reason(rawValue: try row.decode(atIndex: 4))
            else { return nil }
            return RemovalRecord(
                key: key, recipe: recipe, reason: reason, date: Date(milliseconds: try row.decode(atIndex: 5)))
        }
    }

    private func entries(
        where condition: String, _ arguments: [any DatabaseValueConvertible], order: String, limit: Int
    ) throws -> [Entry] {
        // The ids are selected in a subquery, since an index alone can do that.
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
            guard let key = try Self.key(row.decode(atIndex: 0)), let recipe = try Self.recipe(row, from: 1) else {
                return nil
            }
            let contacts = try String.fetchAll(
                database.cachedStatement(sql: "SELECT contact FROM contacts WHERE entry = ? ORDER BY place, contact"),
                arguments: [row.decode(Int64.self, atIndex: 8)])
            return Entry(
                key: key, recipe: recipe, size: try Self.size(row, column: 4), cost: try row.decode(atIndex: 5),
                created: Date(milliseconds: try row.decode(atIndex: 6)),
                used: Date(milliseconds: try row.decode(atIndex: 7)), contacts: contacts)
        }
    }

    private func date(_ sql: String) throws -> Date? {
        try Int64.fetchOne(database, sql: sql).map { Date(milliseconds: $0) }
    }

    static func key(_ data: Data) -> CacheKey? { data.withUnsafeBytes { CacheKey(bytes: $0) } }

    static func size(_ row: Row, column: Int) throws -> Int { min(max(try row.decode(atIndex: column), 0), largest) }

    /// From the columns photo, crop and template text.
    static func recipe(_ row: Row, from first: Int) throws -> Recipe? {
        Recipe(
            Recipe.text(
                photo: try row.decode(atIndex: first), crop: try row.decode(atIndex: first + 1),
                template: try row.decode(atIndex: first + 2)))
    }
}
