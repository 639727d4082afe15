internal import FoundationEssentials
internal import GRDB

/// What an entry's row tells that its file tells, too, but for the contacts.
struct ListedFile: Equatable {
    /// Nil when it is none.
    var recipe: String?
    var size: Int
    var cost: Double
    /// Milliseconds since 1970.
    var created: Int64

    init(recipe: String?, size: Int, cost: Double, created: Int64) {
        (self.recipe, self.size, self.cost, self.created) = (recipe, size, cost, created)
    }

    init(_ entry: Entry) {
        self.init(
            recipe: entry.recipe.text, size: entry.size, cost: entry.cost, created: entry.created.milliseconds)
    }
}

/// Whether the index is what it should be.
extension IndexReader {
    /// The rows of the keys that begin with this digit, 0 to 15.
    func listed(beginningWith digit: UInt8) throws -> [CacheKey: ListedFile] {
        let first = String(digit, radix: 16)
        guard let low = CacheKey(first + String(repeating: "0", count: 63)),
            let high = CacheKey(first + String(repeating: "f", count: 63))
        else { return [:] }
        return try listed(from: low, to: high)
    }

    func listed(_ key: CacheKey) throws -> ListedFile? { try listed(from: key, to: key)[key] }

    private func listed(from low: CacheKey, to high: CacheKey) throws -> [CacheKey: ListedFile] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT key, photo, crop, ifnull(text, ''), size, cost, created
                    FROM entries LEFT JOIN templates ON templates.id = template WHERE key BETWEEN ? AND ?
                    """),
            arguments: [Data(low.bytes), Data(high.bytes)])
        var listed: [CacheKey: ListedFile] = [:]
        for row in rows {
            guard let key = Self.key(try row.decode(atIndex: 0)) else { continue }
            listed[key] = ListedFile(
                recipe: try Self.recipe(row, 1)?.text, size: try row.decode(atIndex: 4),
                cost: try row.decode(atIndex: 5), created: try row.decode(atIndex: 6))
        }
        return listed
    }

    /// Whether SQLite finds its own file in order, and the tables agree with each other.
    func isIntact() throws -> Bool {
        guard try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok" else { return false }
        let fresh = try DatabaseQueue().inDatabase { database in
            try Schema.create(database)
            return try Self.schema(database)
        }
        guard try Self.schema(database) == fresh else { return false }
        return try Bool.fetchOne(
            database,
            sql: """
                SELECT NOT EXISTS (SELECT 1 FROM entries WHERE length(key) <> \(CacheKey.byteCount))
                AND NOT EXISTS (SELECT 1 FROM entries WHERE template NOT IN (SELECT id FROM templates))
                AND NOT EXISTS (SELECT 1 FROM contacts WHERE entry NOT IN (SELECT id FROM entries))
                AND NOT EXISTS (
                    SELECT 1 FROM templates LEFT JOIN (
                        SELECT template, count(*) AS number, sum(size) AS total FROM entries GROUP BY template
                    ) ON template = templates.id
                    WHERE entries <> ifnull(number, 0) OR bytes <> ifnull(total, 0))
                """) == true
    }

    private static func schema(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql")
    }
}
