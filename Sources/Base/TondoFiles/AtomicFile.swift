internal import CLinux
internal import Glibc
internal import Synchronization
package import SystemPackage

/// Replaces a file atomically: its name leads to the old or the new bytes, never to a part of them.
package enum AtomicFile {
    private static let serial = Atomic<Int>(0)
    private static let temporaries = Mutex(Temporaries())

    /// The temporary files that a sudden end would leave behind.
    private struct Temporaries {
        var paths: Set<FilePath> = []
        var isAbandoned = false
    }

    /// Creates missing folders. On failure nothing is left behind.
    ///
    /// ```swift
    /// try AtomicFile.write(Array("{}".utf8), to: path.appending("state.json"))
    /// ```
    package static func write(_ bytes: [UInt8], to path: FilePath) throws {
        try write(to: path) { file in _ = try file.writeAll(bytes) }
    }

    /// Permissions of a file that all users may read.
    package static let shared: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]

    /// Replaces a file with what `fill` writes to the empty temporary file. `temporaries`: a folder on the same file system
    /// for it; nil: the folder of `path`.
    package static func write(
        to path: FilePath, permissions: FilePermissions = shared, temporaries: FilePath? = nil,
        fill: (FileDescriptor) throws -> Void
    ) throws {
        try write(to: path, permissions: permissions, temporaries: temporaries, fill: fill) { try rename($0, to: path) }
    }

    /// Replaces a file that a person asked for, which keeps its permissions; a new one has those that umask(2) leaves.
    package static func output(to path: FilePath, fill: (FileDescriptor) throws -> Void) throws {
        let former = FileStatus(path, followingLinks: false)
        try write(to: path, permissions: [shared, .groupWrite, .otherWrite]) { file in
            try fill(file)
            guard let former, former.kind == .regular else { return }
            _ = fchmod(file.rawValue, mode_t(former.mode & 0o777))
        }
    }

    /// Writes a private file that a person names. Links stay, and pipes and devices, which a new file would replace.
    package static func writeThrough(to path: FilePath, fill: (FileDescriptor) throws -> Void) throws {
        do {
            if let file = try stream(at: path) { return try file.closeAfter { try fill(file) } }
        } catch let error as Errno { throw FileError(.write, path: path, errno: error) }
        try write(to: path.followed, permissions: .ownerReadWrite, fill: fill)
    }

    /// Opens a pipe or a device; nil: something else has the name, or nothing. It is opened before it is looked at: another program may
    /// exchange the name in between, and a file is never written in place.
    private static func stream(at path: FilePath) throws -> FileDescriptor? {
        let opened = Result { try FileDescriptor.open(path, .writeOnly, options: .closeOnExec) }
        guard let file = try? opened.get() else { return FileStatus(path)?.kind == .other ? try opened.get() : nil }
        if (try? FileStatus(file))?.kind == .other { return file }
        try? file.close()
        return nil
    }

    /// Replaces a file with another last step: `install` gives the complete temporary file its name, and leaves nothing
    /// at the temporary one. If it throws, the temporary file is removed. `temporaries`: a folder on the same file system for
    /// the temporary file; nil: the folder of `path`.
    package static func write(
        to path: FilePath, permissions: FilePermissions, temporaries: FilePath? = nil,
        fill: (FileDescriptor) throws -> Void, install: (FilePath) throws -> Void
    ) throws {
        let folder = temporaries ?? path.removingLastComponent()
        do {
            try Folder.make(folder)
            let (temporary, descriptor) = try createTemporary(in: folder, permissions)
            // Held until the file has its name: a process that clears the folder would take it for an abandoned one.
            let claim = TemporaryClaim(temporary)
            defer {
                forget(temporary)
                claim.end()
            }
            do {
                try descriptor.closeAfter { try fill(descriptor) }
                try install(temporary)
            } catch {
                remove(temporary)
                throw error
            }
        } catch let error as Errno { throw FileError(.write, path: path, errno: error) }
    }

    /// Hidden, and unique among threads and processes.
    package static func temporaryName() -> String {
        let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
        return ".tondo-\(getpid())-\(number).tmp"
    }

    /// For a program that ends without waiting for its threads: removes every temporary file and creates no new one, so
    /// that further writes fail.
    package static func abandon() {
        temporaries.withLock { temporaries in
            temporaries.isAbandoned = true
            temporaries.paths.forEach(remove)
        }
    }

    /// Skips names of files that a killed process with the same id has left behind.
    private static func createTemporary(
        in folder: FilePath, _ permissions: FilePermissions
    ) throws -> (FilePath, FileDescriptor) {
        while true {
            let path = folder.appending(temporaryName())
            do { return (path, try create(path, permissions: permissions)) } catch Errno.fileExists {}
        }
    }

    /// Created under the lock, so that `abandon` cannot miss it.
    private static func create(_ path: FilePath, permissions: FilePermissions) throws -> FileDescriptor {
        try temporaries.withLock { temporaries in
            if temporaries.isAbandoned { throw Errno.canceled }
            let descriptor = try FileDescriptor.open(
                // Others may write to the folder: a link that has this name must not lead the bytes elsewhere.
                path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
                permissions: permissions)
            temporaries.paths.insert(path)
            return descriptor
        }
    }

    /// Whether this process writes it now.
    static func isWriting(_ path: FilePath) -> Bool { temporaries.withLock { $0.paths.contains(path) } }

    /// `abandon` ignores it from now on.
    package static func forget(_ path: FilePath) {
        temporaries.withLock { temporaries in _ = temporaries.paths.remove(path) }
    }

    /// Removes a name and ignores every error: another process may have removed the file already.
    package static func remove(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }

    /// Replaces the target in one step (rename(2)). Throws an `Errno`, which is EXDEV between two file systems.
    package static func rename(_ source: FilePath, to target: FilePath) throws {
        let status = source.withPlatformString { source in
            target.withPlatformString { Glibc.rename(source, $0) }
        }
        if status != 0 { throw Errno(rawValue: errno) }
    }

    /// Exchanges the files of two names. Returns the error, or nil.
    package static func exchange(_ one: FilePath, with other: FilePath) -> Errno? {
        let status = one.withPlatformString { one in
            other.withPlatformString { clinux_rename_exchange(AT_FDCWD, one, AT_FDCWD, $0) }
        }
        return status == 0 ? nil : Errno(rawValue: errno)
    }

    /// Renames unless the target exists.
    package static func renameNoReplace(_ source: FilePath, to target: FilePath) throws {
        let status = source.withPlatformString { source in
            target.withPlatformString { clinux_rename_noreplace(AT_FDCWD, source, AT_FDCWD, $0) }
        }
        if status == 0 { return }
        // The file system or the kernel does not know RENAME_NOREPLACE (renameat2(2)).
        guard [EINVAL, ENOSYS].contains(errno) else { throw Errno(rawValue: errno) }
        try moveInSteps(source, to: target)
    }

    /// Gives a file a second name, which must not exist.
    package static func link(_ source: FilePath, to target: FilePath) throws {
        let status = source.withPlatformString { source in target.withPlatformString { Glibc.link(source, $0) } }
        if status != 0 { throw Errno(rawValue: errno) }
    }

    /// Moves a file on file systems that cannot do it in one step.
    private static func moveInSteps(_ source: FilePath, to target: FilePath) throws {
        let status = source.withPlatformString { source in target.withPlatformString { Glibc.link(source, $0) } }
        if status == 0 { return remove(source) }
        // Not all file systems support hard links.
        guard [EPERM, ENOTSUP, ENOSYS].contains(errno) else { throw Errno(rawValue: errno) }
        // The target may still appear before the rename; such a file system offers nothing better.
        if FileStatus(target) != nil { throw Errno.fileExists }
        try rename(source, to: target)
    }
}
