internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// A file that left its place in a mirror for another one, or for the trash: it lies in `tmp` until it is clear who wrote it.
struct FormerFile {
    static let prefix = "out-"

    static func isOne(_ name: String) -> Bool { name.hasPrefix(prefix) }

    let path: FilePath

    /// The name that it had in the mirror.
    var name: String {
        let name = path.lastComponent?.string ?? ""
        guard Self.isOne(name), let end = name.dropFirst(Self.prefix.count).firstIndex(of: "-") else { return name }
        return String(name[name.index(after: end)...])
    }

    /// A program that was just started holds a copy of each descriptor for a moment, so a refusal is not the last word.
    private static let pauses = [0, 1, 2, 4, 8, 16, 32, 64] as [useconds_t]

    /// Removes the file if it has one of these digests, which the mirror wrote, and no program can write to it any more.
    /// False: it is another program's, and stays.
    ///
    /// A program that opened the file before it left its place may still write to it. The kernel refuses a lease while one
    /// has it open for writing, and revokes the lease when one opens it.
    func removeIfOwn(_ digests: Set<FileDigest>) -> Bool {
        let options: FileDescriptor.OpenOptions = [.closeOnExec, .noFollow, .nonBlocking]
        guard let file = try? FileDescriptor.open(path, .readOnly, options: options) else { return false }
        defer { try? file.close() }
        for milliseconds in Self.pauses {
            usleep(milliseconds * 1_000)
            let lease = ReadLease(file)
            defer { lease.end() }
            guard (try? FileStatus(file))?.kind == .regular, let digest = try? FileDigest(reading: file),
                digest.isKnown, digests.contains(digest)
            else { return false }
            if lease.isGranted == false { continue }
            AtomicFile.remove(path)
            return true
        }
        return false
    }
}
