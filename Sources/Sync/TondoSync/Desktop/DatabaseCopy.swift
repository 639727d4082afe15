internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// A private copy of a SQLite database that another program may be writing, with its write-ahead log or rollback journal.
///
/// Thunderbird locks its books exclusively for as long as it runs, so that no other process can open them; and SQLite would write
/// beside a book that it opens to read. Here nothing is locked, and nothing is written there. The copy is one of a moment: sizes
/// and times of all files are the same before and after.
final class DatabaseCopy {
    /// Opening it applies the log.
    let path: FilePath

    private static let endings = ["", "-wal", "-journal"]
    /// SQLite's own, beside a copy.
    private static let leftovers = endings + ["-shm"]
    /// Bytes of all files. Twenty times a book of 10,000 contacts with photos in their cards.
    static let largest = 1 << 30
    /// Times of files are those of the kernel's last tick: of two changes within one, the second may leave no trace.
    private static let tick = 20_000_000

    /// `folder`: exists. `limit`: of the wait for a moment without a change. `clock`: nanoseconds since 1970, asked before each try.
    /// Throws a `DesktopError`, or `SyncError.cancelled`.
    init(
        of database: FilePath, in folder: FilePath, within limit: Duration = .seconds(10),
        clock: () -> Int = DatabaseCopy.now
    ) throws {
        path = folder.appending("book.sqlite")
        let end = ContinuousClock.now + limit
        do {
            while try !Self.copy(database, to: path, clock: clock) {
                guard ContinuousClock.now < end else { throw DesktopError.busy(database) }
                guard Interrupt.wait(.milliseconds(50)) else { throw SyncError.cancelled }
            }
        } catch {
            Self.remove(path)
            guard let reason = error as? Errno else { throw error }
            throw DesktopError.file(database, reason)
        }
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: FilePath) {
        for ending in leftovers { AtomicFile.remove(path.appendingToName(ending)) }
    }

    /// False: another process changed the files meanwhile.
    private static func copy(_ database: FilePath, to path: FilePath, clock: () -> Int) throws -> Bool {
        remove(path)
        let before = try stamps(database)
        guard before[0] != nil else { throw Errno.noSuchFileOrDirectory }
        if before.reduce(0, { $0 + ($1?.size ?? 0) }) > largest { throw Errno.fileTooLarge }
        let now = clock()
        if before.contains(where: { $0.map { 0..<tick ~= now - $0.changed } ?? false }) { return false }
        for (ending, status) in zip(endings, before) where status != nil {
            try copy(database.appendingToName(ending), to: path.appendingToName(ending), limit: largest)
        }
        return try stamps(database) == before
    }

    private static func stamps(_ database: FilePath) throws -> [FileStatus?] {
        try endings.map { try FileStatus.found(at: database.appendingToName($0)) }
    }

    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.nanoseconds
    }

    private static func copy(_ source: FilePath, to target: FilePath, limit: Int) throws {
        try source.withRegularFile(limit: limit) { input, _ in
            let output = try FileDescriptor.open(
                target, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite)
            try output.closeAfter {
                var (piece, copied) = ([UInt8](repeating: 0, count: 1 << 18), 0)
                while true {
                    let count = try piece.withUnsafeMutableBytes { try input.read(into: $0) }
                    copied += count
                    if count == 0 { return }
                    if copied > limit { throw Errno.fileTooLarge }
                    _ = try output.writeAll(piece[..<count])
                }
            }
        }
    }
}
