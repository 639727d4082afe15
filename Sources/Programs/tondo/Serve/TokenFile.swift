import SystemPackage
import TondoFiles
import TondoText

/// The default token file.
enum TokenFile {
    /// Creates the file with a new secret of 256 bits, readable by its owner only, unless a non-empty file exists. The
    /// file never exists without its secret, and is on the disk when this returns: several services may start at once,
    /// and any of them may be killed, or the machine may lose power.
    static func make(_ path: FilePath) throws(Errno) {
        if FileStatus(path, followingLinks: false) != nil { return try replaceIfEmpty(path) }
        try Folder.make(path.removingLastComponent(), mode: 0o700)
        do { try AtomicFile.create(path, with: line(), mode: 0o600) } catch {
            let reason = (error as? FileError)?.errno ?? .ioError
            // Another one was faster, and then that one's holds.
            if reason != .fileExists { throw reason }
        }
    }

    /// An empty file has no secret to lose: a program that did not sync left it behind, or `touch`.
    static func replaceIfEmpty(_ path: FilePath) throws(Errno) {
        guard isEmpty(path) else { return }
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow])
            try file.closeAfter {
                // One service at a time; the others find the secret of the first.
                try LockKind.exclusive.take(file.rawValue)
                guard isEmpty(path) else { return }
                try AtomicFile.writeThrough(line(), to: path, permissions: .ownerReadWrite)
                try? AtomicFile.synchronise(folder: path.removingLastComponent())
            }
        } catch { throw (error as? FileError)?.errno ?? error as? Errno ?? .ioError }
    }

    private static func isEmpty(_ path: FilePath) -> Bool {
        guard let status = FileStatus(path, followingLinks: false) else { return false }
        return status.kind == .regular && status.size == 0
    }

    /// 32 bytes of the system's generator, in hexadecimal, and a line end.
    private static func line() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return Array((Hex.text((0..<32).map { _ in generator.next() }) + "\n").utf8)
    }
}
