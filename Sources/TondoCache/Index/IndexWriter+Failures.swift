internal import FoundationEssentials
internal import GRDB

/// The index row of a negative entry.
struct FailureRow: Equatable {
    var key: CacheKey
    var code: String
    /// Bytes of the file.
    var size: Int
    var since: Date
    var until: Date?

    init(_ failure: Failure, key: CacheKey, size: Int) {
        (self.key, code, self.size) = (key, failure.code, size)
        (since, until) = (failure.since, failure.until)
    }
}

/// Rows of negative entries, inside a transaction that its owner has begun.
extension IndexWriter {
    /// Inserts a row for a negative entry whose file exists. The sums by code follow from triggers, hence no upsert.
    func put(_ row: FailureRow) throws {
        try removeFailure(row.key)
        try database.cachedStatement(
            sql: "INSERT INTO failures (key, code, size, since, until) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            Data(row.key.bytes), row.code, row.size, row.since.milliseconds, row.until?.milliseconds,
        ])
    }

    func removeFailure(_ key: CacheKey) throws {
        try database.cachedStatement(sql: "DELETE FROM failures WHERE key = ?").execute(arguments: [Data(key.bytes)])
    }
}
