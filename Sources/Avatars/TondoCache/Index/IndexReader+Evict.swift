internal import FoundationEssentials
internal import GRDB

/// The candidates of eviction, in their order.
extension IndexReader {
    /// The first candidates, without the first `skipped` of them: expired negative entries, then entries and negative
    /// entries by age. `before`: only older ones, and then expired negative entries have no precedence.
    func oldest(before: Date?, now: Date, skipped: Int = 0, limit: Int = -1) throws -> [Candidate] {
        try database.rows(
            """
            SELECT key, size, used AS age, 0 AS kind, 0 AS expired, used AS place, id
            FROM entries WHERE used < ?2
            UNION ALL
            SELECT key, size, since, 1, \(Self.isExpired), iif(\(Self.isExpired), -1, since), id
            FROM failures WHERE since < ?2
            ORDER BY place, id, kind LIMIT ?3 OFFSET ?4
            """, with: before == nil ? now.milliseconds : .min, before?.milliseconds ?? .max, limit, skipped
        ).candidates()
    }

    /// Entries only, least recently used first.
    func oldestEntries(skipped: Int, limit: Int) throws -> [Candidate] {
        try database.rows(
            "SELECT key, size, used, 0, 0 FROM entries ORDER BY used, id LIMIT ? OFFSET ?", with: limit, skipped
        ).candidates()
    }

    /// The first candidates among the negative entries.
    func oldestFailures(now: Date, skipped: Int, limit: Int) throws -> [Candidate] {
        try database.rows(
            """
            SELECT key, size, since, 1, \(Self.isExpired) AS expired FROM failures
            ORDER BY expired DESC, since, id LIMIT ?2 OFFSET ?3
            """, with: now.milliseconds, limit, skipped
        ).candidates()
    }

    private static let isExpired = "(until IS NOT NULL AND until <= ?1)"

    /// Negative entries by code.
    func failureCounts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let rows = try database.rows("SELECT code, failures FROM failure_codes WHERE failures > 0")
        while let row = try rows.next() { counts[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1) }
        return counts
    }

    func failureKeys() throws -> Set<CacheKey> {
        Set(try Data.fetchAll(database, sql: "SELECT key FROM failures").compactMap(Self.key))
    }

    func hasRow(_ key: CacheKey) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM entries WHERE key = ?1)
                        OR EXISTS (SELECT 1 FROM failures WHERE key = ?1)
                    """),
            arguments: [Data(key.bytes)]) ?? false
    }
}

extension RowCursor {
    fileprivate func candidates() throws -> [Candidate] {
        var found: [Candidate] = []
        while let row = try next() {
            guard let key = IndexReader.key(try row.decode(atIndex: 0)) else { continue }
            found.append(
                Candidate(
                    key: key, size: try IndexReader.size(row, column: 1),
                    age: Date(milliseconds: try row.decode(atIndex: 2)),
                    isFailure: try row.decode(atIndex: 3), isExpired: try row.decode(atIndex: 4)))
        }
        return found
    }
}
