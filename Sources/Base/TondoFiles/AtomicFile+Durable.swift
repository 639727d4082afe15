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
        try create(path, with: bytes) { file in
            if fchmod(file.rawValue, mode_t(mode & 0o777)) != 0 { throw Errno(rawValue: errno) }
        }
    }

    /// Writes a new file with the attributes that an earlier file with this name had.
    package static func create(_ path: FilePath, with bytes: [UInt8], attributes: FileAttributes) throws {
        try create(path, with: bytes) { try attributes.apply(to: $0) }
    }

    private static func create(
        _ path: FilePath, with bytes: [UInt8], prepare: (FileDescriptor) throws -> Void
    ) throws {
        try write(to: path, permissions: .ownerReadWrite) { file in
            _ = try file.writeAll(bytes)
            // Before the fsync and the name: a crash must not leave a file that is open to more users.
            try prepare(file)
            try synchronise(file)
        } install: {
            try renameNoReplace($0, to: path)
        }
        // The file is in its place: an error from here on would look like a write that failed.
        try? synchronise(folder: path.removingLastComponent())
    }

    /// Replaces the file, keeping the attributes of `model` as far as permitted. `install`: the last step, see `write`;
    /// after it, nothing is thrown any more.
    package static func replace(
        _ path: FilePath, with bytes: [UInt8], like model: FileDescriptor, install: (FilePath) throws -> Void
    ) throws {
        let attributes: FileAttributes
        do { attributes = try FileAttributes(model) } catch { throw FileError(.write, path: path, errno: error) }
        try write(to: path, permissions: .ownerReadWrite) { file in
            _ = try file.writeAll(bytes)
            try attributes.apply(to: file)
            try synchronise(file)
        } install: {
            try install($0)
        }
        try? synchronise(folder: path.removingLastComponent())
    }

    /// Makes the names in a folder durable.
    package static func synchronise(folder: FilePath) throws {
        do {
            let folder = folder.isEmpty ? "." : folder
            let descriptor = try FileDescriptor.open(folder, .readOnly, options: [.closeOnExec, .directory])
            try descriptor.closeAfter { try synchronise(descriptor) }
        } catch let error as Errno { throw FileError(.write, path: folder, errno: error) }
    }

    /// Writes the bytes of an open file through to the disk, where the file system supports it. Throws an `Errno`.
    package static func synchronise(_ file: FileDescriptor) throws { try check(fsync(file.rawValue)) }

    /// Like `synchronise`, without what no reader needs, such as the time of the change (fdatasync(2)).
    package static func synchroniseBytes(_ file: FileDescriptor) throws { try check(fdatasync(file.rawValue)) }

    /// The one rule for all files: a file system without such a call must not make writing impossible, and its user has
    /// chosen it.
    private static func check(_ result: Int32) throws {
        if result != 0, ![EINVAL, ENOTSUP, EROFS].contains(errno) { throw Errno(rawValue: errno) }
    }
}
