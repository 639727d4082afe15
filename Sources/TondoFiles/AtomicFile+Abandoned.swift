internal import Glibc
package import SystemPackage

/// Temporary files that killed processes left behind.
extension AtomicFile {
    /// Removes them from a folder, in which other processes may write now. A file stays while a process holds its lock, and while
    /// one with the number in its name lives: file systems without locks, and earlier versions, have that alone.
    package static func clear(_ folder: FilePath) {
        for name in (try? Folder(folder).names()) ?? [] {
            guard let owner = owner(of: name.string), !isAlive(owner) else { continue }
            let path = folder.appending(name)
            if owner == getpid(), isWriting(path) { continue }
            if TemporaryClaim.isFree(path) { remove(path) }
        }
    }

    /// The process that made the name, see `temporaryName`; nil: the name is of another kind.
    private static func owner(of name: String) -> pid_t? {
        guard name.hasPrefix(".tondo-"), name.hasSuffix(".tmp") else { return nil }
        let numbers = name.dropFirst(7).dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, UInt(numbers[1]) != nil, let owner = pid_t(numbers[0]), owner > 0 else { return nil }
        return owner
    }

    private static func isAlive(_ process: pid_t) -> Bool {
        process != getpid() && (kill(process, 0) == 0 || errno != ESRCH)
    }
}

/// The lock of a temporary file, which shows other processes that its owner lives, wherever that runs. Ends with the process.
struct TemporaryClaim {
    private let file: FileDescriptor?

    /// Without a lock where the file system has none. The descriptor is for reading, so that it is no writer of the file once
    /// that has its name.
    init(_ path: FilePath) {
        file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        if let file { _ = LockKind.exclusive.tryLock(file.rawValue) }
    }

    func end() { try? file?.close() }

    /// Whether it is a file that no process has claimed.
    static func isFree(_ path: FilePath) -> Bool {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        else { return false }
        defer { try? file.close() }
        guard let status = try? FileStatus(file), status.kind == .regular else { return false }
        if LockKind.exclusive.tryLock(file.rawValue) { return FileIdentity(path) == status.identity }
        return errno != EWOULDBLOCK
    }
}
