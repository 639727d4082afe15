internal import FoundationEssentials
internal import GRDB
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// The index of a cache: `index.sqlite` in WAL mode, or a database in memory if the folder is read-only. It is opened
/// on first use. A lost or damaged one is rebuilt from the files; processes lock VERSION while they use the index, so
/// that only one rebuilds it. Usable from any thread; blocks it.
final class Index: Sendable {
    static let name = "index.sqlite"
    /// Suffixes of its file, and of the files that SQLite keeps beside it.
    static let suffixes = ["", "-wal", "-shm", "-journal"]
    /// The reason for building an index that does not exist.
    static let missing = "missing"

    let folder: CacheFolder
    let isReadOnly: Bool
    let busyTimeout: Double
    private let diagnostics: DiagnosticSink
    private let state = Mutex(State())

    struct State {
        var connection: Connection?
        /// The inode of the file that was opened last, or could not be.
        var seen: UInt64?
        /// To be reported once nothing is locked any longer.
        var notice: CacheNotice?
        /// Built from the files for queries on a full disk, until the next write.
        var spare: DatabaseQueue?
    }

    struct Connection {
        var queue: DatabaseQueue
        /// The inode of the open file: another one means that another process has rebuilt the index. Nil: in memory.
        var inode: UInt64?
    }

    /// The index is unreadable and must be rebuilt.
    struct Unusable: Error {
        var reason: String
    }

    /// `busyTimeout`: seconds to wait for another process that has locked the database or VERSION.
    init(_ folder: CacheFolder, isReadOnly: Bool, busyTimeout: Double, diagnostics: DiagnosticSink) {
        self.folder = folder
        self.isReadOnly = isReadOnly
        self.busyTimeout = busyTimeout
        self.diagnostics = diagnostics
    }

    /// On a full disk, where SQLite cannot even open it, an index in memory is built from the files.
    func read<Result: Sendable>(_ body: (IndexReader) throws -> Result) throws(CacheError) -> Result {
        do { return try use { queue in try Self.read(queue, body: body) } } catch {
            guard error.isFull, !isReadOnly else { throw error }
            return try locked { state in
                let queue = try state.spare ?? inMemory().queue
                state.spare = queue
                return try Self.read(queue, body: body)
            }
        }
    }

    /// Like `read`, but nil if the index is missing, damaged, or used by another thread or process: waits for neither,
    /// and repairs nothing. Opening the database may wait for SQLite.
    func peek<Result: Sendable>(_ body: (IndexReader) throws -> Result) -> Result? {
        state.withLockIfAvailable { state in
            let result = folder.indexLock.tryHold(.shared) { try? Self.read(open(&state), body: body) }
            return result ?? nil
        } ?? nil
    }

    private static func read<Result: Sendable>(
        _ queue: DatabaseQueue, body: (IndexReader) throws -> Result
    ) throws -> Result {
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

    func write<Result: Sendable>(_ body: (inout IndexWriter) throws -> Result) throws(CacheError) -> Result {
        state.withLock { $0.spare = nil }
        return try use { queue in
            try queue.inDatabase { database in
                var result: Result?
                try database.inTransaction(.immediate) {
                    var writer = IndexWriter(database: database)
                    result = try body(&writer)
                    try writer.boundRemovalRecords()
                    return .commit
                }
                guard let result else { throw Unusable(reason: "unwritable") }
                try shortenLog(database)
                return result
            }
        }
    }

    /// Pages of 4 KB in the write-ahead log above which a commit writes them back.
    private static let mostLogPages = 64
    /// Bytes.
    private static let longestLog = 2 * mostLogPages * 4096

    /// SQLite truncates a log only when it restarts it: after one large transaction the log would keep its length until
    /// the next one, which on a small disk takes the room of avatars. A reader that needs the log keeps it for now.
    private func shortenLog(_ database: Database) throws {
        guard let log = try folder.root.status(Self.name + "-wal"), log.size > Self.longestLog else { return }
        _ = try? database.checkpoint(.truncate)
    }

    /// Rebuilds it from the files. Only counters and removal records are lost. Returns the number of entries.
    func rebuild(reason: String) throws(CacheError) -> Int {
        try locked { state in
            state.seen = nil
            return try replace(&state, reason: reason)
        }
    }

    /// Closes the database; the next use opens it again. Without the lock it stays open, which does no harm at the end of the
    /// program.
    func close() {
        _ = try? locked { state in
            // The end of a program waits for a second at most.
            try folder.indexLock.hold(.shared, within: min(busyTimeout, 1)) { disconnect(&state) }
        }
    }

    /// A new index may be damaged again before it is used, and be replaced by another process, so that one attempt is
    /// not enough.
    private static let attempts = 5

    private func use<Result: Sendable>(_ body: (DatabaseQueue) throws -> Result) throws(CacheError) -> Result {
        try locked { state in
            let lock = folder.indexLock
            for _ in 1..<Self.attempts {
                do { return try lock.hold(.shared, within: busyTimeout) { try body(try open(&state)) } } catch {
                    if isForChangedFiles(error) {
                        try lock.hold(.shared, within: busyTimeout) { disconnect(&state) }
                    } else {
                        guard let reason = damage(error) else { throw error }
                        _ = try replace(&state, reason: reason)
                    }
                }
            }
            return try lock.hold(.shared, within: busyTimeout) { try body(try open(&state)) }
        }
    }

    func locked<Result: Sendable>(_ body: (inout State) throws -> Result) throws(CacheError) -> Result {
        let (result, notice) = state.withLock { state in
            let result = Swift.Result { () throws(CacheError) in try reportingErrors { try body(&state) } }
            defer { state.notice = nil }
            return (result, state.notice)
        }
        if let notice { diagnostics.report(notice) }
        return try result.get()
    }

    /// Converts the database's errors to cache errors.
    private func reportingErrors<Result>(_ body: () throws -> Result) throws(CacheError) -> Result {
        let path = folder.path.appending(Self.name)
        do { return try body() } catch let error as CacheError {
            throw error
        } catch Errno.timedOut {
            throw .index(path, reason: "another process has locked VERSION for too long")
        } catch let error as Errno {
            throw CacheError(error, at: error == .noSuchFileOrDirectory ? folder.path : path)
        } catch let error as Unusable {
            throw .index(path, reason: error.reason)
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_FULL: throw .full(path)
            // SQLite's code if it cannot create the files beside a database, or extend them.
            case .SQLITE_IOERR, .SQLITE_CANTOPEN:
                throw folder.temporary.hasNoRoom() ? .full(path) : .index(path, reason: Self.reason(for: error))
            case .SQLITE_READONLY: throw .readOnly(path)
            case .SQLITE_BUSY, .SQLITE_LOCKED: throw .index(path, reason: "locked by another process")
            default: throw .index(path, reason: Self.reason(for: error))
            }
        } catch { throw .index(path, reason: "\(error)") }
    }

    /// With SQLite's extended code, which distinguishes the many causes of a "disk I/O error".
    private static func reason(for error: DatabaseError) -> String {
        guard let message = error.message else { return "\(error.extendedResultCode)" }
        return "\(message) (SQLite code \(error.extendedResultCode.rawValue))"
    }

    func isForLackOfRoom(_ error: any Error) -> Bool {
        do throws(CacheError) { try reportingErrors { throw error } } catch { return error.isFull }
        return false
    }

    /// Whether SQLite found its files removed or replaced between two of its own calls: with an empty database, two
    /// processes at once remove the log, and the second fails. Opening the database again helps.
    private func isForChangedFiles(_ error: any Error) -> Bool {
        guard !isReadOnly, let code = (error as? DatabaseError)?.extendedResultCode else { return false }
        return code == .SQLITE_IOERR_DELETE_NOENT || code == .SQLITE_IOERR_FSTAT
    }

    /// Why the index must be rebuilt, or nil if that would not help.
    private func damage(_ error: any Error) -> String? {
        switch error {
        case let error as Unusable: return error.reason
        case is CacheError, is Errno: return nil
        // Its file was truncated while it was open.
        case let error as DatabaseError where error.extendedResultCode == .SQLITE_IOERR_SHORT_READ: return "damaged"
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_FORMAT, .SQLITE_CONSTRAINT:
                return "damaged"
            // A database in WAL mode may need files beside it that cannot be created.
            case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR: return isReadOnly ? "unreadable" : nil
            default: return nil
            }
        // A value of another type than the column's.
        default: return "damaged"
        }
    }

    /// Call with the shared lock held.
    private func open(_ state: inout State) throws -> DatabaseQueue {
        // In memory: there is no file that another process could replace.
        if let connection = state.connection, connection.inode == nil { return connection.queue }
        let file = try folder.root.status(Self.name)
        if let connection = state.connection, connection.inode == file?.inode { return connection.queue }
        disconnect(&state)
        // Noted before it is opened: a file that cannot be is the one to replace.
        state.seen = file?.inode
        try check(file)
        guard let path = folder.root.path(expected: folder.path) else { throw CacheError.missing(folder.path) }
        let queue = try DatabaseQueue(
            path: Self.text(of: path.appending(Self.name), in: folder.root), configuration: configuration)
        guard try queue.inDatabase({ try Schema.isCurrent($0) }) else { throw Unusable(reason: "of another version") }
        state.connection = Connection(queue: queue, inode: file?.inode)
        return queue
    }

    /// A path for SQLite, which accepts only text: a path that is not UTF-8 is named by the folder's descriptor
    /// (proc(5)), which SQLite resolves by itself. `path`: in `folder`, by its last name.
    static func text(of path: FilePath, in folder: Folder) -> String {
        if String(validating: path) != nil { return path.string }
        return "/proc/self/fd/\(folder.descriptor)/\(path.lastComponent?.string ?? "")"
    }

    /// SQLite only gets files that belong to the user.
    private func check(_ file: FileStatus?) throws {
        guard let file else { throw Unusable(reason: Self.missing) }
        guard file.kind == .regular else { throw Unusable(reason: "not a file") }
        guard folder.root.isAccessible(Self.name, forWriting: !isReadOnly) else {
            throw Unusable(reason: "not accessible")
        }
        for suffix in Self.suffixes.dropFirst() {
            if let beside = try folder.root.status(Self.name + suffix), beside.kind != .regular {
                throw Unusable(reason: "next to something that is not a file")
            }
        }
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "tondo.cache.index"
        configuration.busyMode = .timeout(busyTimeout)
        configuration.readonly = isReadOnly
        configuration.prepareDatabase { [isReadOnly] database in
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2000")
            // A power loss may lose the last rows, never the index: WAL with NORMAL (sqlite.org/wal.html section 2.1).
            guard !isReadOnly else { return }
            try database.execute(
                sql: """
                    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
                    PRAGMA wal_autocheckpoint = \(Self.mostLogPages); PRAGMA journal_size_limit = \(Self.longestLog)
                    """)
        }
        return configuration
    }

    /// Call with the lock held: the last process to close a database removes its log, which must not be a newer
    /// database's.
    func disconnect(_ state: inout State) {
        try? state.connection?.queue.close()
        state.connection = nil
        state.spare = nil
    }
}
