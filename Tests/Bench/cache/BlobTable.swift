import GRDBSQLite
import Glibc

/// A SQLite database by its C interface, with statements prepared once. WAL and synchronous NORMAL, as the cache's own.
final class Database {
    private var connection: OpaquePointer?

    init(_ path: String) {
        precondition(sqlite3_open(path, &connection) == SQLITE_OK)
        run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    }

    deinit { sqlite3_close(connection) }

    func run(_ sql: String) {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
            fatalError("\(String(cString: sqlite3_errmsg(connection))): \(sql)")
        }
    }

    func prepare(_ sql: String) -> OpaquePointer {
        var statement: OpaquePointer?
        precondition(
            sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK)
        guard let statement else { preconditionFailure() }
        return statement
    }
}

/// Pictures as blobs by their key.
final class BlobTable {
    private let database: Database
    private let insertion, selection: OpaquePointer

    init(_ path: String) {
        database = Database(path)
        database.run("CREATE TABLE blobs (key BLOB PRIMARY KEY, data BLOB NOT NULL)")
        insertion = database.prepare("INSERT OR REPLACE INTO blobs (key, data) VALUES (?, ?)")
        selection = database.prepare("SELECT data FROM blobs WHERE key = ?")
    }

    deinit {
        sqlite3_finalize(insertion)
        sqlite3_finalize(selection)
    }

    func transaction(_ body: () -> Void) {
        database.run("BEGIN IMMEDIATE")
        body()
        database.run("COMMIT")
    }

    /// In a transaction of its own, unless there is one. `key`: 32 bytes.
    func insert(_ key: [UInt8], _ data: [UInt8]) {
        sqlite3_bind_blob(insertion, 1, key, Int32(key.count), Self.transient)
        data.withUnsafeBytes { data in
            // Nil: the bytes stay where they are until the statement is reset.
            sqlite3_bind_blob(insertion, 2, data.baseAddress, Int32(data.count), nil)
            precondition(sqlite3_step(insertion) == SQLITE_DONE)
            sqlite3_reset(insertion)
        }
    }

    /// A copy of the blob, as a cache would give it. `key`: 32 bytes.
    func select(_ key: [UInt8]) -> (bytes: UnsafeMutableRawPointer, count: Int) {
        sqlite3_bind_blob(selection, 1, key, Int32(key.count), Self.transient)
        precondition(sqlite3_step(selection) == SQLITE_ROW)
        let count = Int(sqlite3_column_bytes(selection, 0))
        guard let data = sqlite3_column_blob(selection, 0), let bytes = malloc(count) else { preconditionFailure() }
        memcpy(bytes, data, count)
        sqlite3_reset(selection)
        return (bytes, count)
    }

    /// SQLITE_TRANSIENT, a macro that Swift does not see: the bytes are copied.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
