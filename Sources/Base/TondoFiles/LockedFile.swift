internal import Glibc
package import SystemPackage

/// A file that others own, such as a user's configuration, as long as no other Tondo process changes it. Links are
/// followed: the file at their end changes, and they stay. Blocks until another process is done.
package final class LockedFile {
    /// After resolving links.
    package let path: FilePath
    /// The contents when the lock was taken.
    package let bytes: [UInt8]
    private let descriptor: FileDescriptor
    private let status: FileStatus
    /// There was no file before, and it has no contents yet.
    private var isPlaceholder: Bool

    /// Bytes; a larger file is not text that a user wrote.
    package static let largest = 1 << 20

    /// A caller that failed leaves no empty file behind. A process that waits for the lock of it sees that it is gone.
    deinit {
        if isPlaceholder, FileStatus(path) == status { AtomicFile.remove(path) }
        try? descriptor.close()
    }

    /// Creates the file and its folders if they are missing; without a replacement, the file is removed again at the end. Throws a
    /// `FileError`, with `timedOut` if another process has the file for longer than `limit`, and with `fileTooLarge` if it has
    /// `size` bytes or more. `permissions`: of a new file; with those of its owner alone, new folders are its owner's, too.
    package init(
        _ name: FilePath, within limit: Duration = LockKind.longestWait, size: Int = largest,
        permissions: FilePermissions = AtomicFile.shared
    ) throws(FileError) {
        do {
            let isPrivate = permissions == .ownerReadWrite
            try Folder.make(name.removingLastComponent(), mode: isPrivate ? 0o700 : 0o777)
            while true {
                let (file, isNew) = try Self.open(name, permissions: permissions)
                do {
                    try Self.lock(file, named: name, within: limit)
                    let status = try FileStatus(file)
                    // Opened without blocking, a pipe or a device gets as far as this.
                    guard status.kind == .regular else { throw Errno.invalidArgument }
                    // The previous holder of the lock may have put another file in its place.
                    guard let path = name.real, FileStatus(path)?.identity == status.identity else {
                        // An error here must not reach `catch`, which closes the descriptor: its number may be
                        // another file's by then. Nothing was written that could be lost.
                        try? file.close()
                        continue
                    }
                    guard status.size < size else { throw Errno.fileTooLarge }
                    self.path = path
                    bytes = try Self.read(file, expecting: status.size)
                    descriptor = file
                    self.status = status
                    isPlaceholder = isNew && status.size == 0
                    return
                } catch {
                    try? file.close()
                    throw error
                }
            }
        } catch {
            if let error = error as? FileError { throw error }
            throw FileError(.read, path: name, errno: error as? Errno ?? .ioError)
        }
    }

    /// Replaces the contents; permissions, owner and group stay. Throws a `FileError`, and changes nothing, if a program
    /// that takes no lock changed the file meanwhile.
    package func replace(with bytes: [UInt8]) throws {
        try AtomicFile.replace(path, with: bytes, like: descriptor) { [path, status] temporary in
            guard FileStatus(path) == status else { throw FileError(.write, path: path, errno: .resourceBusy) }
            try AtomicFile.rename(temporary, to: path)
        }
        isPlaceholder = false
    }

    /// `isNew`: it was missing a moment ago.
    private static func open(
        _ name: FilePath, permissions: FilePermissions
    ) throws -> (file: FileDescriptor, isNew: Bool) {
        let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
        do {
            return (try FileDescriptor.open(name, .readOnly, options: options), false)
        } catch Errno.noSuchFileOrDirectory {
            // Not exclusively, since a link may lead to a file that is missing.
            let file = try FileDescriptor.open(
                name, .readOnly, options: options.union(.create), permissions: permissions)
            return (file, true)
        }
    }

    /// If files cannot be locked, as on some network file systems, the check before the replacement must be enough.
    private static func lock(_ file: FileDescriptor, named name: FilePath, within limit: Duration) throws(FileError) {
        do throws(Errno) { try LockKind.exclusive.take(file.rawValue, within: limit) } catch {
            if error == .timedOut { throw FileError(.read, path: name, errno: error) }
        }
    }

    private static func read(_ file: FileDescriptor, expecting size: Int) throws -> [UInt8] {
        var (bytes, count) = ([UInt8](repeating: 0, count: size), 0)
        while count < bytes.count {
            let read = try bytes.withUnsafeMutableBytes {
                try file.read(fromAbsoluteOffset: Int64(count), into: .init(rebasing: $0[count...]))
            }
            if read == 0 { break }
            count += read
        }
        return Array(bytes[..<count])
    }
}
