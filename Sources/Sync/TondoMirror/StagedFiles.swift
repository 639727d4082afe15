internal import CLinux
internal import SystemPackage
internal import TondoFiles

/// Files on their way into a mirror: written in its folder `tmp`, then flushed together, then named. Flushing them one
/// after another, each when it is written, would wait for the disk once a file.
struct StagedFiles {
    /// A file that has all its bytes, and no name in the mirror yet.
    struct Staged {
        let path: FilePath
        let digest: FileDigest
        let stamp: UInt64
    }

    private let folder: FilePath
    private var serial = 0
    private var files: [FileDescriptor] = []

    init(in folder: FilePath) { self.folder = folder }

    /// `digest`: of the bytes.
    mutating func write(_ bytes: [UInt8], digest: FileDigest) throws -> Staged {
        serial += 1
        let path = folder.appending(".\(serial).tmp")
        AtomicFile.remove(path)
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
            permissions: AtomicFile.shared)
        files.append(file)
        _ = try file.writeAll(bytes)
        // Before anything else can find the file: what another program writes later has another stamp.
        let stamp = try FileStatus(file).stamp
        // The disk begins now, and has less to do when the file is flushed.
        clinux_sync_file_range(file.rawValue)
        return Staged(path: path, digest: digest, stamp: stamp)
    }

    /// The bytes of all files are on the disk once this returns.
    mutating func flush() throws {
        for file in files { try AtomicFile.synchroniseBytes(file) }
        close()
    }

    mutating func close() {
        for file in files { try? file.close() }
        files.removeAll(keepingCapacity: true)
    }

    /// A free name for the place of a file that is about to be replaced, see `FormerFile`.
    mutating func leaving(_ name: String) -> FilePath {
        serial += 1
        return folder.appending("\(FormerFile.prefix)\(serial)-\(name)")
    }

    /// Removes what a killed run left behind, but for files that had left their place and may be another program's.
    func clear() {
        for name in (try? Folder(folder).names()) ?? [] where !FormerFile.isOne(name.string) {
            AtomicFile.remove(folder.appending(name))
        }
    }

    /// Files that a killed run took out of the mirror, and did not judge any more.
    func former() -> [FilePath] {
        ((try? Folder(folder).names()) ?? []).filter { FormerFile.isOne($0.string) }.map { folder.appending($0) }
            .sorted { $0.string < $1.string }
    }
}
