internal import Glibc
package import SystemPackage

/// A file that others own, such as a user's configuration, as long as no other Tondo process changes it. Links are
/// followed: the file at their end changes, and they stay. Blocks until another process is done.
package final class LockedFile {
    /// After resolving links.
    package let path: FilePath
    package let bytes: [UInt8]
    private let descriptor: FileDescriptor
    private let status: FileStatus

    /// Bytes; a larger file is not text that a user wrote.
    private static let largest = 1 << 20

    deinit { try? descriptor.close() }

    /// Creates the file and its folders if they are missing. Throws a `FileError`.
    package init(_ name: FilePath) throws(FileError) {
        do {
            try Folder.make(name.removingLastComponent())
            while true {
                let file = try FileDescriptor.open(
                    name, .readOnly, options: [.create, .closeOnExec, .nonBlocking], permissions: AtomicFile.shared)
                do {
                    // File systems without locks: the check before the replacement must be enough.
                    try? LockKind.exclusive.take(file.rawValue)
                    let status = try FileStatus(file)
                    guard status.kind == .regular else { throw Errno.invalidArgument }
                    // The previous holder of the lock may have put another file in its place.
                    guard let path = name.real, FileStatus(path)?.identity == status.identity else {
                        try file.close()
                        continue
                    }
                    guard status.size < Self.largest else { throw Errno.fileTooLarge }
                    (self.path, bytes) = (path, try Self.read(file))
                    (descriptor, self.status) = (file, status)
                    return
                } catch {
                    try? file.close()
                    throw error
                }
            }
        } catch {
            if let error = error as? FileError { throw error }
            throw FileError(.read, name, error as? Errno ?? .ioError)
        }
    }

    /// Replaces the contents; permissions, owner and group stay. Throws a `FileError`, and changes nothing, if a program
    /// that takes no lock changed the file meanwhile.
    package func replace(with bytes: [UInt8]) throws {
        try AtomicFile.replace(path, with: bytes, like: descriptor) { [path, status] temporary in
            guard FileStatus(path) == status else { throw FileError(.write, path, .resourceBusy) }
            try AtomicFile.rename(temporary, to: path)
        }
    }

    private static func read(_ file: FileDescriptor) throws -> [UInt8] {
        var (bytes, count) = ([UInt8](repeating: 0, count: largest), 0)
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
