internal import CLinux
internal import Dispatch
internal import Glibc
package import SystemPackage

/// An open folder. Names are resolved from its descriptor and links are never followed, so a replaced name cannot lead
/// elsewhere. Usable from any thread.
package final class Folder: Sendable {
    /// Closed when the last owner releases the folder: use it only while the folder is retained.
    package let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Follows links: the user chooses where a folder is.
    package convenience init(_ path: FilePath) throws(Errno) {
        self.init(
            descriptor: try Self.result(
                path.withPlatformString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }))
    }

    /// Follows links in the parent folders, but `path` itself must not be a link. It ends with a zero.
    package convenience init(unlinked path: [CChar]) throws(Errno) {
        self.init(descriptor: try Self.result(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)))
    }

    /// `mkdir -p`. `made`: called after each folder that was missing.
    ///
    /// ```swift
    /// try Folder.make(path.appending("tondo/avatars"), mode: 0o700)
    /// ```
    package static func make(
        _ path: FilePath, mode: UInt32 = 0o777, made: (FilePath) -> Void = { _ in }
    ) throws(Errno) {
        if path.isEmpty || FileStatus(path)?.kind == .folder { return }
        let parent = path.removingLastComponent()
        if parent != path { try make(parent, mode: mode, made: made) }
        let status = path.withPlatformString { mkdir($0, mode) }
        // Another process may have made the folder since it was looked for.
        if status != 0, errno != EEXIST { throw Errno(rawValue: errno) }
        made(path)
    }

    /// Opens a sub-folder. Throws for a link, also for one that leads to a folder.
    package func folder(_ name: UnsafePointer<CChar>) throws(Errno) -> Folder {
        Folder(
            descriptor: try Self.result(openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)))
    }

    /// Makes a sub-folder with the permissions 0700. Succeeds if anything has this name already, even a file or a link.
    package func makeFolder(_ name: UnsafePointer<CChar>) throws(Errno) {
        if mkdirat(descriptor, name, 0o700) != 0, errno != EEXIST { throw Errno(rawValue: errno) }
    }

    /// `mode`: permissions of a new file.
    package func open(_ name: UnsafePointer<CChar>, flags: Int32, mode: UInt32 = 0o600) throws(Errno)
        -> FileDescriptor
    {
        FileDescriptor(
            // Opening a pipe would block until it has a writer.
            rawValue: try Self.result(openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode)))
    }

    /// The status of the folder itself.
    package func status() throws(Errno) -> FileStatus { try FileStatus(FileDescriptor(rawValue: descriptor)) }

    /// Nil if the status cannot be read.
    package var identity: FileIdentity? { (try? status())?.identity }

    /// Links are not followed. Nil if nothing has this name.
    package func status(_ name: UnsafePointer<CChar>) throws(Errno) -> FileStatus? {
        var raw = stat()
        if fstatat(descriptor, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(raw) }
        if errno == ENOENT { return nil }
        throw Errno(rawValue: errno)
    }

    /// The status of each name, in the order of the names. Asks on all cores, since each takes the kernel a
    /// microsecond. Nil: nothing has this name, or its status cannot be read.
    package func statuses(of names: [FilePath.Component]) -> [FileStatus?] {
        // The names of which one thread reads the states at a time.
        let portion = 256
        return [FileStatus?](unsafeUninitializedCapacity: names.count) { statuses, count in
            // Safe: each index is written by one thread.
            nonisolated(unsafe) let statuses = statuses
            DispatchQueue.concurrentPerform(iterations: (names.count + portion - 1) / portion) { part in
                for index in part * portion..<min((part + 1) * portion, names.count) {
                    let status = names[index].withPlatformString { (try? self.status($0)) ?? nil }
                    statuses.initializeElement(at: index, to: status)
                }
            }
            count = names.count
        }
    }

    /// Whether this process can read it, or write it.
    package func isAccessible(_ name: UnsafePointer<CChar>, forWriting: Bool) -> Bool {
        faccessat(descriptor, name, forWriting ? R_OK | W_OK : R_OK, AT_EACCESS) == 0
    }

    /// Removes the name of a file or of a link itself; throws for a folder, and for a missing name.
    package func remove(_ name: UnsafePointer<CChar>) throws(Errno) {
        _ = try Self.result(unlinkat(descriptor, name, 0))
    }

    /// Removes a sub-folder, which must be empty.
    package func removeFolder(_ name: UnsafePointer<CChar>) throws(Errno) {
        _ = try Self.result(unlinkat(descriptor, name, AT_REMOVEDIR))
    }

    /// Moves an entry into another folder in one step, and replaces a file that has the new name there (renameat(2)).
    package func rename(
        _ name: UnsafePointer<CChar>, to target: Folder, as newName: UnsafePointer<CChar>
    ) throws(Errno) {
        _ = try Self.result(renameat(descriptor, name, target.descriptor, newName))
    }

    /// Like `rename`, but `fileExists` if the target exists (renameat2(2)). File systems without support replace it.
    package func renameNoReplace(
        _ name: UnsafePointer<CChar>, to target: Folder, as newName: UnsafePointer<CChar>
    ) throws(Errno) {
        if clinux_rename_noreplace(descriptor, name, target.descriptor, newName) == 0 { return }
        guard errno == EINVAL || errno == ENOSYS else { throw Errno(rawValue: errno) }
        try rename(name, to: target, as: newName)
    }

    /// Waits until the lock is free, no longer than `LockKind.longestWait`. It ends with the folder's last owner.
    package func lock(_ kind: LockKind) throws(Errno) { try kind.take(descriptor) }

    /// Without `.` and `..`, in no order.
    package func names() throws(Errno) -> [FilePath.Component] {
        // A separate descriptor, since it has a position.
        let copy = try folder(".")
        var names: [FilePath.Component] = []
        try copy.forEachNameOnce { name, _ in
            if let name = FilePath.Component(platformString: name) { names.append(name) }
        }
        return names
    }

    /// The names without hidden ones, sorted by their bytes, so that every run sees the same order; and the error if the
    /// folder could not be read completely. Once for each descriptor.
    package func visibleNamesOnce() -> (names: [FilePath.Component], failure: Errno?) {
        var names: [(bytes: [UInt8], component: FilePath.Component)] = []
        var failure: Errno?
        do throws(Errno) {
            try forEachNameOnce { name, _ in
                guard name[0] != CChar(bitPattern: UInt8(ascii: ".")),
                    let component = FilePath.Component(platformString: name)
                else { return }
                names.append(([UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name))), component))
            }
        } catch { failure = error }
        return (names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.component), failure)
    }

    /// Like `names`, without allocating; each name is valid during its call. `type`: as in dirent(3), `DT_UNKNOWN` on file
    /// systems that do not store it with the name. Once for each descriptor, which remembers its position. Uses
    /// getdents(2): opendir(3) would cost four more calls.
    package func forEachNameOnce(_ body: (_ name: UnsafePointer<CChar>, _ type: UInt8) -> Void) throws(Errno) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = clinux_getdents(descriptor, buffer.baseAddress!, buffer.count)
            // A folder that was removed meanwhile has no names (readdir(3) reports so, too).
            if count == 0 || (count < 0 && errno == ENOENT) { return }
            if count < 0 { throw Errno(rawValue: errno) }
            var offset = 0
            while offset < count {
                // The layout of a record: inode and position of eight bytes each, its size of two, one byte of a type,
                // the name.
                let record = UnsafeRawPointer(buffer.baseAddress! + offset)
                let name = (record + 19).assumingMemoryBound(to: CChar.self)
                if strcmp(name, ".") != 0 && strcmp(name, "..") != 0 {
                    body(name, record.load(fromByteOffset: 18, as: UInt8.self))
                }
                offset += Int(record.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
            }
        }
    }

    /// Its path now, even if it was moved since it was opened; nil if it was deleted. `path`: the old path.
    package func path(expected path: FilePath) -> FilePath? {
        // Without /proc, the old path has to do.
        let paths = [FileDescriptor(rawValue: descriptor).path, path].compactMap(\.self)
        guard let identity else { return nil }
        return paths.first { FileIdentity($0) == identity }
    }

    private static func result(_ value: Int32) throws(Errno) -> Int32 {
        if value < 0 { throw Errno(rawValue: errno) }
        return value
    }
}

extension FileDescriptor {
    /// The path of the open file without links, by one call; nil without /proc. A deleted file has the path that it had,
    /// and " (deleted)" behind it (proc(5)).
    package var path: FilePath? { FilePath("/proc/self/fd/\(rawValue)").linkTarget }

    /// Waits until the file's bytes are on the disk, where the file system supports it, and closes it.
    package func synchronize() throws { try closeAfter { try AtomicFile.synchronise(self) } }
}

extension FilePath.Component {
    /// The name as a C string.
    package func withName<Result>(_ body: (UnsafePointer<CChar>) throws(Errno) -> Result) throws(Errno) -> Result {
        let result = withPlatformString { name in
            Swift.Result { () throws(Errno) in try body(name) }
        }
        return try result.get()
    }
}

/// Locks between processes and threads (flock(2)); they end with the descriptor, so a killed process leaves none.
package enum LockKind: Sendable {
    case shared, exclusive

    /// Waits for a lock no longer than this unless the caller says otherwise.
    package static let longestWait = Duration.seconds(10)

    /// Waits for other processes, no longer than `limit`; then throws `timedOut`. A process that is stopped while it holds a
    /// lock must not stop this one.
    package func take(_ descriptor: Int32, within limit: Duration = LockKind.longestWait) throws(Errno) {
        let operation = self == .shared ? LOCK_SH : LOCK_EX
        let deadline = ContinuousClock.now + limit
        // flock(2) has no limit of time. Most locks are held for less than a millisecond, so the first pauses are short.
        var pause: useconds_t = 100
        while flock(descriptor, operation | LOCK_NB) != 0 {
            let code = Errno(rawValue: errno)
            guard code == .wouldBlock || code == .interrupted else { throw code }
            guard ContinuousClock.now < deadline else { throw .timedOut }
            usleep(pause)
            pause = min(pause * 2, 16_000)
        }
    }

    /// False if another process holds it.
    package func tryLock(_ descriptor: Int32) -> Bool {
        flock(descriptor, (self == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
    }
}
