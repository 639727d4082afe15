internal import CLinux
internal import Glibc
internal import SystemPackage

/// An open folder. Names are resolved from its descriptor and links are never followed, so a replaced name cannot lead
/// elsewhere. Usable from any thread.
final class Folder: Sendable {
    let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Follows links: the user chooses where the cache as a whole is.
    convenience init(_ path: FilePath) throws(Errno) {
        self.init(
            descriptor: try Self.result(
                path.withPlatformString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }))
    }

    func folder(_ name: UnsafePointer<CChar>) throws(Errno) -> Folder {
        Folder(
            descriptor: try Self.result(openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)))
    }

    func makeFolder(_ name: UnsafePointer<CChar>) throws(Errno) {
        if mkdirat(descriptor, name, 0o700) != 0, errno != EEXIST { throw Errno(rawValue: errno) }
    }

    /// `mode`: permissions of a new file.
    func open(_ name: UnsafePointer<CChar>, _ flags: Int32, mode: mode_t = 0o600) throws(Errno) -> FileDescriptor {
        FileDescriptor(
            rawValue: try Self.result(openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode)))
    }

    /// Nil if nothing has this name.
    func status(_ name: UnsafePointer<CChar>) throws(Errno) -> FileState? {
        var raw = stat()
        if fstatat(descriptor, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 { return FileState(raw) }
        if errno == ENOENT { return nil }
        throw Errno(rawValue: errno)
    }

    /// Whether this process can read it, or write it.
    func isAccessible(_ name: UnsafePointer<CChar>, forWriting: Bool) -> Bool {
        faccessat(descriptor, name, forWriting ? R_OK | W_OK : R_OK, AT_EACCESS) == 0
    }

    func remove(_ name: UnsafePointer<CChar>) throws(Errno) { _ = try Self.result(unlinkat(descriptor, name, 0)) }

    func removeFolder(_ name: UnsafePointer<CChar>) throws(Errno) {
        _ = try Self.result(unlinkat(descriptor, name, AT_REMOVEDIR))
    }

    func rename(
        _ name: UnsafePointer<CChar>, to target: Folder, _ newName: UnsafePointer<CChar>
    ) throws(Errno) {
        _ = try Self.result(renameat(descriptor, name, target.descriptor, newName))
    }

    /// Like `rename`, but `fileExists` if the target exists (renameat2(2)). File systems without support replace it.
    func renameNoReplace(
        _ name: UnsafePointer<CChar>, to target: Folder, _ newName: UnsafePointer<CChar>
    ) throws(Errno) {
        if clinux_rename_anew(descriptor, name, target.descriptor, newName) == 0 { return }
        guard errno == EINVAL || errno == ENOSYS else { throw Errno(rawValue: errno) }
        try rename(name, to: target, newName)
    }

    /// Whether not even a small file can be written here: the disk, the quota or the largest file size is used up.
    func hasNoRoom() -> Bool {
        let name = TemporaryName.random() + "-0"
        do {
            let file = try open(name, O_WRONLY | O_CREAT | O_EXCL)
            defer { try? remove(name) }
            try file.closeAfter { _ = try file.writeAll([UInt8](repeating: 0xFF, count: 1 << 16)) }
            return false
        } catch { return CacheError(error as? Errno ?? .ioError, at: "").isFull }
    }

    /// Blocks until the lock is free. The lock ends with the folder's last owner.
    func lock(_ kind: LockKind) throws(Errno) { try kind.take(descriptor) }

    /// Without `.` and `..`, in no order.
    func names() throws(Errno) -> [FilePath.Component] {
        // A separate descriptor, since it has a position.
        let copy = try folder(".")
        var names: [FilePath.Component] = []
        try copy.forEachNameOnce { name in
            if let name = FilePath.Component(platformString: name) { names.append(name) }
        }
        return names
    }

    /// Like `names`, without allocating; each name is valid during its call. Once for each descriptor, which remembers
    /// its position. Uses getdents(2): opendir(3) would cost four more calls.
    func forEachNameOnce(_ body: (UnsafePointer<CChar>) -> Void) throws(Errno) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = clinux_list(descriptor, buffer.baseAddress!, buffer.count)
            // A folder that was removed meanwhile has no names (readdir(3) reports so, too).
            if count == 0 || (count < 0 && errno == ENOENT) { return }
            if count < 0 { throw Errno(rawValue: errno) }
            var offset = 0
            while offset < count {
                // The layout of a record: inode and position of eight bytes each, its size of two, one byte of a type,
                // the name.
                let record = UnsafeRawPointer(buffer.baseAddress! + offset)
                let name = (record + 19).assumingMemoryBound(to: CChar.self)
                if strcmp(name, ".") != 0 && strcmp(name, "..") != 0 { body(name) }
                offset += Int(record.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
            }
        }
    }

    /// Its path now, even if it was moved since it was opened; nil if it was deleted. `path`: the old path.
    func place(expected path: FilePath) -> FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        var places = [path]
        // Without /proc, the old path has to do.
        if readlink("/proc/self/fd/\(descriptor)", &buffer, Int(PATH_MAX)) > 0 {
            places.insert(FilePath(platformString: buffer), at: 0)
        }
        var (mine, found) = (stat(), stat())
        guard fstat(descriptor, &mine) == 0 else { return nil }
        return places.first { place in
            place.withPlatformString { stat($0, &found) } == 0
                && found.st_ino == mine.st_ino && found.st_dev == mine.st_dev
        }
    }

    private static func result(_ value: Int32) throws(Errno) -> Int32 {
        if value < 0 { throw Errno(rawValue: errno) }
        return value
    }
}

extension FileDescriptor {
    /// Waits until the file's bytes are on the disk, and closes it.
    func synchronize() throws {
        try closeAfter { if fsync(rawValue) != 0 { throw Errno(rawValue: errno) } }
    }
}

extension FilePath.Component {
    /// The name as a C string.
    func withName<Result>(_ body: (UnsafePointer<CChar>) throws(Errno) -> Result) throws(Errno) -> Result {
        let result = withPlatformString { name in
            Swift.Result { () throws(Errno) in try body(name) }
        }
        return try result.get()
    }
}

/// Locks between processes and threads (flock(2)); they end with the descriptor, so a killed process leaves none.
enum LockKind {
    case shared, exclusive

    func take(_ descriptor: Int32) throws(Errno) {
        while flock(descriptor, self == .shared ? LOCK_SH : LOCK_EX) != 0 {
            if errno != EINTR { throw Errno(rawValue: errno) }
        }
    }

    /// False if another process holds it.
    func tryLock(_ descriptor: Int32) -> Bool {
        flock(descriptor, (self == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
    }
}

/// The state of a name, without following links.
struct FileState: Equatable {
    enum Kind { case regular, folder, link, other }

    let kind: Kind
    /// Bytes.
    let size: Int
    let inode: UInt64
    let device: UInt64
    /// Permission bits.
    let mode: UInt32
    /// The number of its names.
    let links: Int
    /// The last change of its bytes, in nanoseconds since 1970.
    let modified: Int

    init(_ raw: stat) {
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int(raw.st_size)
        inode = UInt64(raw.st_ino)
        device = UInt64(raw.st_dev)
        mode = UInt32(raw.st_mode & 0o7777)
        links = Int(raw.st_nlink)
        modified = raw.st_mtim.tv_sec &* 1_000_000_000 &+ raw.st_mtim.tv_nsec
    }

    /// Whether this is the same file with the same bytes, under any name.
    func isSame(as other: FileState) -> Bool {
        inode == other.inode && device == other.device && size == other.size && modified == other.modified
    }

    init(_ descriptor: FileDescriptor) throws(Errno) {
        var raw = stat()
        if fstat(descriptor.rawValue, &raw) != 0 { throw Errno(rawValue: errno) }
        self.init(raw)
    }
}
