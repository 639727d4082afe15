package import SystemPackage
internal import TondoFiles

/// Whole files of a mirror.
package enum MirrorFile {
    /// A state of 100,000 members has some 15 MB.
    package static let largest = 1 << 28

    /// Links are not followed. Throws an `Errno`. `limit`: bytes.
    package static func read(_ path: FilePath, limit: Int = largest) throws -> [UInt8] {
        try path.contents(limit: limit, followingLinks: false)
    }

    /// The first bytes of a file of the kernel, which has no size before it is read. Throws an `Errno`.
    static func readOfKernel(_ path: FilePath) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        return try file.closeAfter { try file.readPrefix(256) }
    }

    /// Throws an `Errno` or a `MirrorState.Failure`. Only the program writes it, by renaming, so it does not change meanwhile.
    static func state(at path: FilePath) throws -> MirrorState {
        try path.withRegularFile(limit: largest, followingLinks: false) { file, size in
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

    /// Whether the file holds exactly these bytes.
    static func holds(_ path: FilePath, bytes: [UInt8]) -> Bool {
        guard let status = FileStatus(path, followingLinks: false), status.kind == .regular, status.size == bytes.count
        else { return false }
        return (try? read(path)) == bytes
    }
}
