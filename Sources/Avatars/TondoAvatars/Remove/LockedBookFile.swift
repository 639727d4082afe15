internal import Glibc
internal import SystemPackage
internal import TondoContacts
internal import TondoFiles
internal import TondoMirror

/// A file of a book that no other Tondo process changes as long as this exists. Blocks until another one is done.
final class LockedBookFile {
    /// The path after resolving links.
    var path: FilePath { version.path }
    var bytes: [UInt8] { version.bytes }
    /// Its further names in the book (hard links): absolute, without links. They change with it.
    let otherNames: [FilePath]
    private let version: BookFileVersion
    private let interruption: Interruption?

    /// For tests: a change by another program, after the new bytes are on the disk and before they get the name.
    typealias Interruption = @Sendable (FilePath) -> Void

    deinit { try? version.descriptor.close() }

    /// `root`: the real folder that links must not leave; nil for a file that the user named. `names`: further names that
    /// the file may have, by its identity.
    init(
        _ name: FilePath, inside root: FilePath?,
        names: (FileIdentity) throws(ChangeProblem) -> [FilePath] = { _ in [] },
        _ interruption: Interruption? = nil
    ) throws(ChangeProblem) {
        self.interruption = interruption
        while true {
            let descriptor = try Self.open(name)
            guard let path = descriptor.path, path.isAbsolute else {
                try? descriptor.close()
                throw .file(FileError(.read, path: name, errno: .noSuchFileOrDirectory))
            }
            do throws(ChangeProblem) {
                if let root, !path.starts(with: root) { throw .outside(name) }
                try Self.lock(descriptor, name)
                // The previous holder of the lock may have put another file in its place.
                guard let status = try? FileStatus(descriptor), status.identity == FileIdentity(path) else {
                    try? descriptor.close()
                    continue
                }
                let names = status.links < 2 ? [] : try names(status.identity)
                version = BookFileVersion(
                    path: path, bytes: try Self.read(descriptor, name), descriptor: descriptor, status: status)
                otherNames = names.filter { other in
                    let isInside = root.map { other.starts(with: $0) } ?? true
                    return other != path && isInside
                        && FileStatus(other, followingLinks: false)?.identity == status.identity
                }
                return
            } catch {
                try? descriptor.close()
                throw error
            }
        }
    }

    func attributes() throws(ChangeProblem) -> FileAttributes {
        do { return try FileAttributes(version.descriptor) } catch {
            throw .file(FileError(.read, path: path, errno: error))
        }
    }

    /// Throws if it cannot or must not be changed, before anything is changed.
    func checkWritable() throws(ChangeProblem) {
        for path in [path, path.removingLastComponent()] + otherNames.map({ $0.removingLastComponent() }) {
            if path.withPlatformString({ faccessat(AT_FDCWD, $0, W_OK, AT_EACCESS) }) != 0 {
                throw .file(FileError(.write, path: path, errno: Errno(rawValue: errno)))
            }
        }
    }

    /// Throws `changed`, and changes nothing, if another program changed the file since it was read.
    func replace(with bytes: [UInt8]) throws(ChangeProblem) {
        do {
            try AtomicFile.replace(path, with: bytes, like: version.descriptor) { temporary in
                interruption?(path)
                try version.replace(by: temporary)
            }
        } catch { throw ChangeProblem(error, path) }
        for name in otherNames { try change(name) { try version.replace(otherName: name) } }
    }

    /// As `replace`.
    func delete() throws(ChangeProblem) {
        interruption?(path)
        let hidden = LeftBook.path(beside: path, holding: [FileDigest(bytes)])
        do { try version.delete(by: hidden) } catch { throw ChangeProblem(error, path) }
        try? AtomicFile.synchronise(folder: path.removingLastComponent())
        for name in otherNames { try change(name) { try version.delete(otherName: name) } }
    }

    private func change(_ name: FilePath, _ body: () throws -> Void) throws(ChangeProblem) {
        do { try body() } catch { throw .otherName(name, of: path) }
        try? AtomicFile.synchronise(folder: name.removingLastComponent())
    }

    private static func open(_ name: FilePath) throws(ChangeProblem) -> FileDescriptor {
        do {
            let file = try FileDescriptor.open(name, .readOnly, options: [.closeOnExec, .nonBlocking])
            guard (try? FileStatus(file))?.kind == .regular else {
                try? file.close()
                throw Errno.invalidArgument
            }
            return file
        } catch { throw .file(FileError(.read, path: name, errno: error as? Errno ?? .ioError)) }
    }

    /// If files cannot be locked, such as on some network file systems, the check before writing must be enough.
    private static func lock(_ descriptor: FileDescriptor, _ name: FilePath) throws(ChangeProblem) {
        do throws(Errno) { try LockKind.exclusive.take(descriptor.rawValue) } catch {
            if error == .timedOut { throw .changed(name) }
        }
    }

    private static func read(_ descriptor: FileDescriptor, _ name: FilePath) throws(ChangeProblem) -> [UInt8] {
        do {
            let bytes = try descriptor.readAll(capacity: 1 << 18)
            defer { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
            return Array(bytes)
        } catch { throw .file(FileError(.read, path: name, errno: error as? Errno ?? .ioError)) }
    }
}

/// The attempts to change a file of a book that another program is changing or has open for writing.
struct ChangeRetry: Sendable {
    /// Between the attempts. Most programs hold a file open for less than a millisecond. A process that they start
    /// inherits the open file until it executes its own program: on a busy machine, tens of milliseconds later. All
    /// pauses together stay below half a second, since an HTTP client waits for the result.
    private static let pauses = [1, 2, 4, 8, 32, 64, 256]

    /// Blocks for a number of milliseconds; tests let another program work meanwhile.
    var pause: @Sendable (Int) -> Void = { usleep(UInt32($0) * 1000) }

    /// The first result that is not nil; nil if no attempt had one.
    func run<Result, Problem: Error>(_ attempt: () throws(Problem) -> Result?) throws(Problem) -> Result? {
        for milliseconds in Self.pauses {
            if let result = try attempt() { return result }
            pause(milliseconds)
        }
        return try attempt()
    }
}
