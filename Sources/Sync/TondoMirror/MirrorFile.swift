internal import CLinux
internal import Glibc
package import SystemPackage
internal import TondoFiles

/// Whole files of a mirror.
package enum MirrorFile {
    /// A state of 100,000 members has some 15 MB.
    package static let largest = 1 << 28

    /// Links are not followed. Throws an `Errno`. `limit`: bytes.
    package static func read(_ path: FilePath, limit: Int = largest) throws -> [UInt8] {
        try open(path, limit: limit) { file, size in
            var bytes = [UInt8](repeating: 0, count: size)
            var count = 0
            while count < bytes.count {
                let read = try bytes.withUnsafeMutableBytes { try file.read(into: .init(rebasing: $0[count...])) }
                if read == 0 { break }
                count += read
            }
            bytes.removeLast(bytes.count - count)
            return bytes
        }
    }

    /// The first bytes of a file of the kernel, which has no size before it is read. Throws an `Errno`.
    static func readOfKernel(_ path: FilePath) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
            return Array(bytes.prefix(count))
        }
    }

    /// Throws an `Errno` or a `MirrorState.Failure`. Only the program writes it, by renaming, so it does not change meanwhile.
    static func state(_ path: FilePath) throws -> MirrorState {
        try open(path, limit: largest) { file, size in
            var piece = [UInt8](repeating: 0, count: 1 << 18)
            let end = max(size - MirrorStateReader.tail, 0)
            let tail = try piece.withUnsafeMutableBytes {
                try file.read(fromAbsoluteOffset: Int64(end), into: .init(rebasing: $0[..<(size - end)]))
            }
            var reader = MirrorStateReader(size: size, tail: piece[..<tail])
            while true {
                let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
                if count == 0 { return try reader.finish() }
                try reader.take(piece[..<count])
            }
        }
    }

    static func open<Result>(
        _ path: FilePath, limit: Int, _ body: (FileDescriptor, _ size: Int) throws -> Result
    ) throws -> Result {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        return try file.closeAfter {
            let status = try FileStatus(file)
            guard status.kind == .regular, status.size <= limit else { throw Errno.fileTooLarge }
            return try body(file, status.size)
        }
    }

    /// Whether the file holds exactly these bytes.
    static func holds(_ path: FilePath, _ bytes: [UInt8]) -> Bool {
        guard let status = FileStatus(path, followingLinks: false), status.kind == .regular, status.size == bytes.count
        else { return false }
        return (try? read(path)) == bytes
    }
}
