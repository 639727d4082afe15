internal import Glibc
package import SystemPackage

/// For files that must not be lost: they are on the disk, not only in the system's memory, once these return.
extension AtomicFile {
    /// Like `write`; the folder's own entry is left to `synchronise`.
    package static func writeThrough(_ bytes: [UInt8], to path: FilePath, permissions: FilePermissions) throws {
        try write(to: path, permissions: permissions) { file in
            _ = try file.writeAll(bytes)
            try synchronise(file)
        }
    }

    /// Creates a file that must not exist; throws a `FileError`.
    package static func create(_ path: FilePath, with bytes: [UInt8], mode: Int) throws {
        try write(to: path, permissions: .ownerReadWrite) { file in
            _ = try file.writeAll(bytes)
            if fchmod(file.rawValue, mode_t(mode & 0o777)) != 0 { throw Errno(rawValue: errno) }
            try synchronise(file)
        } place: {
            try renameNoReplace($0, to: path)
        }
        try? synchronise(folder: path.removingLastComponent())
    }

    /// Replaces the file, keeping permissions and, if permitted, owner and group of `model`. `place`: the last step,
    /// see `write`; after it, nothing is thrown any more.
    package static func replace(
        _ path: FilePath, with bytes: [UInt8], like model: FileDescriptor, place: (FilePath) throws -> Void
    ) throws {
        var status = stat()
        guard fstat(model.rawValue, &status) == 0 else { throw FileError(.write, path, Errno(rawValue: errno)) }
        try write(to: path, permissions: .ownerReadWrite) { file in
            _ = try file.writeAll(bytes)
            if fchown(file.rawValue, status.st_uid, status.st_gid) != 0 {
                // Only root can change the owner; the group may be one of the process's groups.
                _ = fchown(file.rawValue, uid_t.max, status.st_gid)
            }
            if fchmod(file.rawValue, status.st_mode & 0o777) != 0 { throw Errno(rawValue: errno) }
            try synchronise(file)
        } place: {
            try place($0)
        }
        try? synchronise(folder: path.removingLastComponent())
    }

    /// Makes the names in a folder durable.
    package static func synchronise(folder: FilePath) throws {
        do {
            let folder = folder.isEmpty ? "." : folder
            let descriptor = try FileDescriptor.open(folder, .readOnly, options: [.closeOnExec, .directory])
            try descriptor.closeAfter { try synchronise(descriptor) }
        } catch let error as Errno { throw FileError(.write, folder, error) }
    }

    /// Not all file systems support it.
    private static func synchronise(_ file: FileDescriptor) throws {
        if fsync(file.rawValue) != 0, ![EINVAL, ENOTSUP, EROFS].contains(errno) { throw Errno(rawValue: errno) }
    }
}
