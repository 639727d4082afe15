internal import Glibc
package import SystemPackage

/// Files that are read whole.
extension FileDescriptor {
    /// All bytes from the position to the end: of a file, a pipe, or a file of the kernel that has no size. `expected`:
    /// the size if it is known, which saves memory and calls. `limit`: bytes; throws `fileTooLarge` once there are more,
    /// without reading the rest. Repeats interrupted calls. Blocks.
    package func readAll(expecting expected: Int = 0, limit: Int) throws(Errno) -> [UInt8] {
        // One byte more than expected, so that the end is found without a larger array.
        let most = limit == .max ? limit : limit + 1
        var bytes = [UInt8](repeating: 0, count: min(max(expected, 4_095) + 1, most))
        var count = 0
        while true {
            let got = try read(into: &bytes, from: count)
            count += got
            if count > limit { throw .fileTooLarge }
            if got == 0 { break }
            // A file may grow while it is read, and a pipe says nothing of its size.
            if count == bytes.count { bytes += repeatElement(0, count: min(count, most - count)) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// The next bytes, `count` at most; fewer only at the end. Blocks.
    package func readPrefix(_ count: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = try read(into: &bytes, from: filled)
            if got == 0 { break }
            filled += got
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Returns the number of bytes that came, 0 at the end.
    private func read(into bytes: inout [UInt8], from start: Int) throws(Errno) -> Int {
        do {
            return try bytes.withUnsafeMutableBytes { try read(into: .init(rebasing: $0[start...])) }
        } catch { throw error as? Errno ?? .ioError }
    }
}

extension FilePath {
    /// The bytes of a regular file; throws `fileTooLarge` for one of more than `limit` bytes, `isDirectory` for a folder, and
    /// `invalidArgument` for another kind, before anything is read. Does not wait for the writer of a pipe. Blocks.
    package func contents(limit: Int, followingLinks: Bool = true) throws(Errno) -> [UInt8] {
        do {
            return try withRegularFile(limit: limit, followingLinks: followingLinks) { file, size in
                try file.readAll(expecting: size, limit: limit)
            }
        } catch { throw error as? Errno ?? .ioError }
    }

    /// Opens a regular file as `contents` does, throws an `Errno` as it does, or what `body` throws, which gets the size, too.
    package func withRegularFile<Result>(
        limit: Int, followingLinks: Bool = true, _ body: (FileDescriptor, _ size: Int) throws -> Result
    ) throws -> Result {
        var options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
        if !followingLinks { options.insert(.noFollow) }
        let file = try FileDescriptor.open(self, .readOnly, options: options)
        return try file.closeAfter {
            let status = try FileStatus(file)
            if status.kind != .regular { throw status.kind == .folder ? Errno.isDirectory : Errno.invalidArgument }
            if status.size > limit { throw Errno.fileTooLarge }
            return try body(file, status.size)
        }
    }
}
