internal import FoundationEssentials
internal import GRDB
internal import TondoText

/// The data that an entry's row and its file have in common, except for the contacts.
struct ListedFile: Equatable {
    /// Its text, valid or not.
    var recipe: String
    var size: Int
    var cost: Double
    /// Milliseconds since 1970.
    var created: Int64
}

extension ListedFile {
    init(_ entry: Entry) {
        self.init(
            recipe: entry.recipe.text, size: entry.size, cost: entry.cost, created: entry.created.milliseconds)
    }
}

/// Checking the index.
extension IndexReader {
    /// The rows of the keys that begin with this digit, 0 to 15, by their folder.
    func listed(beginningWith digit: UInt8) throws -> [UInt8: [CacheKey: ListedFile]] {
        let first = Hex.text(digit, digits: 1)
        guard let low = CacheKey(first + String(repeating: "0", count: 63)),
            let high = CacheKey(first + String(repeating: "f", count: 63))
        else { return [:] }
        var listed: [UInt8: [CacheKey: ListedFile]] = [:]
        try forEachListed(from: low, to: high) { key, row in listed[key.shard, default: [:]][key] = row }
        return listed
    }

    func listed(_ key: CacheKey) throws -> ListedFile? {
        var listed: ListedFile?
        try forEachListed(from: key, to: key) { listed = $1 }
        return listed
    }

    /// SQLite concatenates the recipe, as `Recipe.text` does, so that a row needs a single string.
    private func forEachListed(
        from low: CacheKey, to high: CacheKey, _ body: (CacheKey, ListedFile) -> Void
    ) throws {
        let rows = try database.rows(
            """
            SELECT key, 'photo=' || photo || ifnull(' crop=' || crop, '')
                || ifnull(' ' || nullif(text, ''), ''), size, cost, created
            FROM entries LEFT JOIN templates ON templates.id = template WHERE key BETWEEN ? AND ?
            """, with: Data(low.bytes), Data(high.bytes))
        while let row = try rows.next() {
            guard let key = try row.withUnsafeData(atIndex: 0, { $0.flatMap(Self.key) }) else { continue }
            body(
                key,
                ListedFile(
                    recipe: try row.decode(atIndex: 1), size: try row.decode(atIndex: 2),
                    cost: try row.decode(atIndex: 3), created: try row.decode(atIndex: 4)))
        }
    }

    /// Whether SQLite's own check passes, and the tables agree with each other.
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
                AND (SELECT count(*) FROM sums) = 1
                AND (SELECT entries FROM sums) = (SELECT count(*) FROM entries)
                AND (SELECT bytes FROM sums) = (SELECT ifnull(sum(size), 0) FROM entries)
                AND NOT EXISTS (SELECT 1 FROM failures WHERE length(key) <> \(CacheKey.byteCount))
                AND NOT EXISTS (
                    SELECT code, failures, bytes FROM failure_codes
                    EXCEPT SELECT code, count(*), sum(size) FROM failures GROUP BY code)
                AND (SELECT count(DISTINCT code) FROM failures) = (SELECT count(*) FROM failure_codes)
                """) == true
    }

    private static func schema(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql")
    }
}
