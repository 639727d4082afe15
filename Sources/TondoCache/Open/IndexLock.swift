internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// The lock of processes that use the index: VERSION itself, open as long as the cache. One thread at a time.
final class IndexLock: Sendable {
    private let file: FileDescriptor

    init(in root: Folder) throws(Errno) { file = try root.open("VERSION", O_RDONLY) }

    deinit { try? file.close() }

    /// The identity of the locked file.
    var identity: FileIdentity? { (try? FileStatus(file))?.identity }

    /// Nil if another process holds it.
    func tryHold<Result>(_ kind: LockKind, _ body: () throws -> Result) rethrows -> Result? {
        guard kind.tryLock(file.rawValue) else { return nil }
        defer { flock(file.rawValue, LOCK_UN) }
        return try body()
    }

    func hold<Result>(_ kind: LockKind, _ body: () throws -> Result) throws -> Result {
        try kind.take(file.rawValue)
        defer { flock(file.rawValue, LOCK_UN) }
        return try body()
    }
}
