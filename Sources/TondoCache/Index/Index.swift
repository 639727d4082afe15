internal import FoundationEssentials
internal import GRDB
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The index of a cache: `index.sqlite` in WAL mode, or a database in memory where the folder takes no changes. It is
/// opened when it is first needed. A lost or damaged one is made anew from the files; processes lock VERSION while they
/// use the index, so that only one does so. Usable from any thread; blocks it.
final class Index: Sendable {
    private static let name = "index.sqlite"
    /// Why an index that is not there is made.
    static let missing = "missing"

    private let folder: CacheFolder
    private let isReadOnly: Bool
    private let notice: @Sendable (CacheNotice) -> Void
    private let connection = Mutex<Connection?>(nil)

    private struct Connection {
        var queue: DatabaseQueue
        /// Of the file when it was opened: another one means that somebody has made the index anew. Nil: in memory.
        var inode: UInt64?
    }

    /// The index cannot be read and has to be made anew.
    private struct Unusable: Error {
        var reason: String
    }

    init(_ folder: CacheFolder, isReadOnly: Bool, notice: @escaping @Sendable (CacheNotice) -> Void) {
        (self.folder, self.isReadOnly, self.notice) = (folder, isReadOnly, notice)
    }

    private var path: FilePath { folder.path.appending(Self.name) }

    func read<Result: Sendable>(_ body: (IndexReader) throws -> Result) throws(CacheError) -> Result {
        try use { queue in
            try queue.unsafeRead { database in
                var result: Result?
                try database.inTransaction(.deferred) {
                    result = try body(IndexReader(database: database))
                    return .rollback
                }
                guard let result else { throw Unusable(reason: "unreadable") }
                return result
            }
        }
    }

    func write<Result: Sendable>(_ body: (inout IndexWriter) throws -> Result) throws(CacheError) -> Result {
        try use { queue in
            try queue.inDatabase { database in
                var result: Result?
                try database.inTransaction(.immediate) {
                    var writer = IndexWriter(database)
                    result = try body(&writer)
                    return .commit
                }
                guard let result else { throw Unusable(reason: "unwritable") }
                return result
            }
        }
    }

    /// Makes it anew from the files. Counts of use and departures are lost, and nothing else. Gives the entries.
    func rebuild(reason: String) throws(CacheError) -> Int {
        try connection.withLock { connection throws(CacheError) in
            try Self.telling(path) { try replace(&connection, seen: nil, reason: reason) }
        }
    }

    /// Lets go of the database; the next use opens it again.
    func close() { connection.withLock { $0 = nil } }

    /// Whether SQLite finds its own file in order.
    func isIntact() throws(CacheError) -> Bool {
        try read { reader in
            try String.fetchOne(reader.database, sql: "PRAGMA quick_check(1)") == "ok"
        }
    }

    private func use<Result: Sendable>(_ body: (DatabaseQueue) throws -> Result) throws(CacheError) -> Result {
        try connection.withLock { connection throws(CacheError) in
            try Self.telling(path) {
                do { return try locked(.shared) { try body(try open(&connection)) } } catch {
                    guard let reason = Self.damage(error) else { throw error }
                    _ = try replace(&connection, seen: connection?.inode, reason: reason)
                    return try locked(.shared) { try body(try open(&connection)) }
                }
            }
        }
    }

    /// Turns what the database throws into what a cache tells.
    private static func telling<Result>(_ path: FilePath, _ body: () throws -> Result) throws(CacheError) -> Result {
        do { return try body() } catch let error as CacheError {
            throw error
        } catch let error as Errno {
            throw CacheError(error, at: path)
        } catch let error as Unusable {
            throw .index(path, reason: error.reason)
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_FULL: throw .full(path)
            case .SQLITE_READONLY: throw .readOnly(path)
            case .SQLITE_BUSY, .SQLITE_LOCKED: throw .index(path, reason: "another process holds it")
            default: throw .index(path, reason: error.message ?? "\(error.resultCode)")
            }
        } catch { throw .index(path, reason: "\(error)") }
    }

    /// Why the index has to be made anew, or nil when that would be of no use.
    private static func damage(_ error: any Error) -> String? {
        if let error = error as? Unusable { return error.reason }
        guard let error = error as? DatabaseError else { return nil }
        return switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_FORMAT: "damaged"
        default: nil
        }
    }

    private func locked<Result>(_ kind: LockKind, _ body: () throws -> Result) throws -> Result {
        try kind.take(folder.versionFile.rawValue)
        defer { flock(folder.versionFile.rawValue, LOCK_UN) }
        return try body()
    }
}

extension Index {
    /// To be called with the lock held.
    private func open(_ connection: inout Connection?) throws -> DatabaseQueue {
        if let connection, connection.inode == nil { return connection.queue }
        let state = try folder.root.status(Self.name)
        if let connection, connection.inode == state?.inode { return connection.queue }
        connection = nil
        guard let state, state.kind == .regular else {
            throw Unusable(reason: state == nil ? Self.missing : "not a file")
        }
        let queue = try DatabaseQueue(path: path.string, configuration: configuration)
        guard try queue.inDatabase({ try Schema.isCurrent($0) }) else { throw Unusable(reason: "of another version") }
        connection = Connection(queue: queue, inode: state.inode)
        return queue
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "tondo.cache.index"
        configuration.busyMode = .timeout(10)
        configuration.readonly = isReadOnly
        configuration.prepareDatabase { [isReadOnly] database in
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2000")
            // A power cut may take the last rows, never the index: WAL with NORMAL (sqlite.org/wal.html section 2.1).
            if !isReadOnly { try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL") }
        }
        return configuration
    }

    /// Makes a new index in place of the one whose inode is `seen`, unless somebody else has done so meanwhile. Where
    /// nothing may be changed, it is made in memory.
    private func replace(_ connection: inout Connection?, seen: UInt64?, reason: String) throws -> Int {
        connection = nil
        if isReadOnly {
            let queue = try DatabaseQueue()
            let count = try queue.inDatabase { try fill($0) }
            connection = Connection(queue: queue, inode: nil)
            return count
        }
        let count: Int? = try locked(.exclusive) {
            let state = try folder.root.status(Self.name)
            if let seen, let state, state.kind == .regular, state.inode != seen { return nil }
            if seen == nil, state?.kind == .regular, reason == Self.missing { return nil }
            return try make(replacing: state)
        }
        if let count, count > 0 || reason != Self.missing { notice(.rebuilt(reason: reason, entries: count)) }
        return count ?? 0
    }

    /// To be called with the exclusive lock held. The old index stays in place until the new one is whole.
    private func make(replacing old: FileState?) throws -> Int {
        let draft = "index-\(TemporaryName.random())"
        _ = try folder.temporary.open(draft, O_RDWR | O_CREAT | O_EXCL).closeAfter {}
        do {
            let count = try fillFile(folder.path.appending("tmp").appending(draft))
            if let old, old.kind != .regular {
                try folder.root.rename(Self.name, to: folder.temporary, "misplaced-\(TemporaryName.random())")
            }
            // A journal of the old index must never be applied to the new one.
            for suffix in ["-wal", "-shm"] where try folder.root.status(Self.name + suffix) != nil {
                try folder.root.remove(Self.name + suffix)
            }
            try folder.temporary.rename(draft, to: folder.root, Self.name)
            return count
        } catch {
            try? folder.temporary.remove(draft)
            throw error
        }
    }

    private func fillFile(_ path: FilePath) throws -> Int {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
        let queue = try DatabaseQueue(path: path.string, configuration: configuration)
        let count = try queue.inDatabase { try fill($0) }
        try queue.close()
        return count
    }

    /// Tables and a row for every entry that is whole.
    private func fill(_ database: Database) throws -> Int {
        var count = 0
        try database.inTransaction {
            try Schema.create(database)
            var writer = IndexWriter(database)
            let objects = Objects(folder: folder)
            for shard in UInt8.min ... .max {
                for key in (try? objects.keys(inShard: shard)) ?? [] {
                    guard let entry = try? objects.entry(key) else { continue }
                    try writer.put(entry)
                    count += 1
                }
            }
            return .commit
        }
        return count
    }
}
