internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoFiles
internal import TondoText

/// The folder of a cache, layout version 1:
///
///     CACHEDIR.TAG        makes backup programs skip the folder (Cache Directory Tagging Specification)
///     VERSION             "1"
///     objects/ab/KEY.png  the entries, mode 0600; KEY.webp for those in this format
///     failures/KEY        why a photo gave no picture
///     tmp/                files being written, and journals of changes whose rows are not yet in the index
///     index.sqlite        derived from the files
///     drawing-...         the photos that a running service draws now
struct CacheFolder: Sendable {
    static let version = 1

    let path: FilePath
    let root: Folder
    let objects: Folder
    let failures: Folder
    let temporary: Folder
    let indexLock: IndexLock
    /// It was created just now.
    let isNew: Bool

    static let folders = ["objects", "failures", "tmp"]
    static let tag = """
        Signature: 8a477f597d28d172789f06886806bc55
        # This folder holds pictures that Tondo can make again. See https://bford.info/cachedir/

        """

    /// `isMaking`: creates what is missing; else a folder without a cache is an error.
    init(path: FilePath, isMaking: Bool) throws(CacheError) {
        self.path = path
        do {
            if isMaking { try Folder.make(path, mode: 0o700) }
            root = try Folder(path)
        } catch Errno.noSuchFileOrDirectory {
            throw .missing(path)
        } catch Errno.notDirectory {
            throw .notCache(path, reason: "it is not a folder")
        } catch {
            throw CacheError(error, at: path)
        }
        try Self.checkVersion(root, at: path, isMaking: isMaking)
        objects = try Self.folder("objects", in: root, at: path, isMaking: isMaking)
        failures = try Self.folder("failures", in: root, at: path, isMaking: isMaking)
        temporary = try Self.folder("tmp", in: root, at: path, isMaking: isMaking)
        isNew = isMaking ? try Self.writeMissing(in: root, temporary: temporary, path: path) : false
        do { indexLock = try IndexLock(in: root) } catch { throw CacheError(error, at: path) }
    }

    private static func folder(
        _ name: String, in root: Folder, at path: FilePath, isMaking: Bool
    ) throws(CacheError) -> Folder {
        do throws(Errno) {
            if isMaking, try root.status(name) == nil { try root.makeFolder(name) }
            return try root.folder(name)
        } catch .notDirectory {
            throw .notCache(path, reason: "\(name) is not a folder")
        } catch .noSuchFileOrDirectory {
            throw .notCache(path, reason: "\(name) is missing")
        } catch {
            throw CacheError(error, at: path.appending(name))
        }
    }

    /// VERSION is written last: a folder with VERSION is complete. All processes must lock the same file, so it is
    /// never replaced. Returns whether there was none.
    private static func writeMissing(in root: Folder, temporary: Folder, path: FilePath) throws(CacheError) -> Bool {
        do {
            if try root.status("CACHEDIR.TAG") != nil, try root.status("VERSION") != nil { return false }
            let lock = try root.folder(".")
            try lock.lock(.exclusive)
            defer { withExtendedLifetime(lock) {} }
            let isNew = try root.status("VERSION") == nil
            for (name, text) in [("CACHEDIR.TAG", tag), ("VERSION", "\(version)\n")]
            where try root.status(name) == nil {
                let draft = "\(name)-\(TemporaryName.random())"
                let file = try temporary.open(draft, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
                do {
                    _ = try file.closeAfter { try file.writeAll(text.utf8) }
                    // After a power loss an empty VERSION would make the cache unusable.
                    try temporary.open(draft, flags: O_RDONLY).synchronize()
                    try temporary.rename(draft, to: root, as: name)
                } catch {
                    try? temporary.remove(draft)
                    throw error
                }
            }
            // Their names are synced, too, before anything is stored: without them the folder would look like another
            // program's.
            try AtomicFile.synchronise(FileDescriptor(rawValue: root.descriptor))
            return isNew
        } catch let error as Errno {
            throw CacheError(error, at: path)
        } catch { throw .notCache(path, reason: "\(error)") }
    }
}

/// Names in `tmp/`.
enum TemporaryName {
    /// 16 hexadecimal digits.
    static func random() -> String { Hex.text(UInt64.random(in: .min ... .max), digits: 16) }
}

extension Folder {
    /// Whether not even a small file can be written here: the disk, the quota or the largest file size is used up.
    func hasNoRoom() -> Bool {
        let name = TemporaryName.random() + "-0"
        do {
            let file = try open(name, flags: O_WRONLY | O_CREAT | O_EXCL)
            defer { try? remove(name) }
            try file.closeAfter { _ = try file.writeAll([UInt8](repeating: 0xFF, count: 1 << 16)) }
            return false
        } catch { return CacheError(error as? Errno ?? .ioError, at: "").isFull }
    }
}

/// The lock of processes that use the index: VERSION itself, open as long as the cache. One thread at a time.
final class IndexLock: Sendable {
    private let file: FileDescriptor
    /// When a wait for it was in vain. Waits that begin soon after give up at once: threads that queued up behind that one would
    /// otherwise wait one after the other.
    private let lastFailure = Mutex<ContinuousClock.Instant?>(nil)
    private static let pause = Duration.seconds(1)

    init(in root: Folder) throws(Errno) { file = try root.open("VERSION", flags: O_RDONLY) }

    deinit { try? file.close() }

    /// The identity of the locked file.
    var identity: FileIdentity? { (try? FileStatus(file))?.identity }

    /// Nil if another process holds it.
    func tryHold<Result>(_ kind: LockKind, body: () throws -> Result) rethrows -> Result? {
        guard kind.tryLock(file.rawValue) else { return nil }
        defer { flock(file.rawValue, LOCK_UN) }
        return try body()
    }

    /// Waits no longer than `limit` seconds; then throws `timedOut`.
    func hold<Result>(_ kind: LockKind, within limit: Double, body: () throws -> Result) throws -> Result {
        let isHopeless = lastFailure.withLock { $0.map { .now - $0 < Self.pause } ?? false }
        do throws(Errno) { try kind.take(file.rawValue, within: isHopeless ? .zero : .seconds(limit)) } catch {
            if error == .timedOut, !isHopeless { lastFailure.withLock { $0 = .now } }
            throw error
        }
        lastFailure.withLock { $0 = nil }
        defer { flock(file.rawValue, LOCK_UN) }
        return try body()
    }
}
