internal import SystemPackage
internal import libsqlite3

/// Reads an own copy of a SQLite database, which is untrusted. On one thread. All methods throw a `DesktopError`, whose path is the
/// original's, or `SyncError.cancelled`.
final class SQLiteRows {
    private var handle: OpaquePointer?
    /// The path in errors.
    private let name: FilePath

    /// Bytes of a value, and of a row.
    private static let largest: Int32 = 64 << 20

    init(_ copy: FilePath, of name: FilePath) throws {
        self.name = name
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        guard sqlite3_open_v2(copy.string, &handle, flags, nil) == SQLITE_OK else { throw failure }
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.largest)
        sqlite3_progress_handler(handle, 100_000, { _ in Interrupt.isRequested ? 1 : 0 }, nil)
        // The index of the log stays in memory.
        for setting in ["locking_mode = EXCLUSIVE", "trusted_schema = OFF", "cell_size_check = ON"] {
            try forEach("PRAGMA \(setting)") { _ in }
        }
        // Pages of another moment would be a part of the contacts, and look like all.
        try forEach("PRAGMA quick_check(1)") { row in
            let result = row.text(0)
            if result != "ok" { throw DesktopError.damaged(name, "the database is damaged: \(result)") }
        }
    }

    deinit { sqlite3_close_v2(handle) }

    /// Throws unless there is such a table with these columns.
    func require(table: String, columns: [String]) throws {
        // A view or a virtual table could compute what it likes.
        var isTable = false
        try forEach(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(table)' AND sql LIKE 'CREATE TABLE%'"
        ) {
            _ in isTable = true
        }
        guard isTable else { throw DesktopError.schema(name, "the table \(table)") }
        var found: Set<String> = []
        try forEach("PRAGMA table_info('\(table)')") { found.insert($0.text(1)) }
        for column in columns where !found.contains(column) {
            throw DesktopError.schema(name, "the column \(column) of \(table)")
        }
    }

    func forEach(_ query: String, _ take: (Row) throws -> Void) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK else { throw failure }
        defer { sqlite3_finalize(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try take(Row(statement: statement))
            case SQLITE_DONE: return
            default: throw failure
            }
        }
    }

    private var failure: any Error {
        if Interrupt.isRequested { return SyncError.cancelled }
        return DesktopError.damaged(name, handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory")
    }

    /// Valid until the next one.
    struct Row {
        fileprivate let statement: OpaquePointer?

        /// As the database has them, without a check of the encoding; empty for no value.
        func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
            let text = sqlite3_column_text(statement, column)
            return UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
        }

        func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
    }
}
