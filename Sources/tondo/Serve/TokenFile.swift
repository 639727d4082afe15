import Glibc
import SystemPackage
import TondoText

/// The default token file.
enum TokenFile {
    /// In systemd's state folder of the service, else in the user's (XDG Base Directory Specification, version 0.8).
    static func standard(_ environment: [String: String]) -> FilePath? {
        if let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first, folder.hasPrefix("/") {
            return FilePath(String(folder)).appending("token")
        }
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return FilePath(state).appending("tondo").appending("token")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return FilePath(home).pushing(".local/state/tondo/token")
    }

    /// Creates the file with a new secret of 256 bits, readable by its owner only, unless a non-empty file exists. The
    /// file never exists without its secret, and is on the disk when this returns: several services may start at once,
    /// and any of them may be killed, or the machine may lose power.
    static func make(_ path: FilePath) throws(Errno) {
        if (try? Stat(path, followTargetSymlink: false)) != nil { return try replaceIfEmpty(path) }
        try makeFolder(path.removingLastComponent())
        try withDraft(of: path) { draft throws(Errno) in
            // Fails if another process was faster; then that process's secret is valid.
            let linked = draft.withPlatformString { draft in path.withPlatformString { link(draft, $0) } }
            if linked != 0, errno != EEXIST { throw Errno(rawValue: errno) }
        }
    }

    /// An empty file has no secret to lose: a program that did not sync left it behind, or `touch`.
    static func replaceIfEmpty(_ path: FilePath) throws(Errno) {
        guard isEmpty(path) else { return }
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow])
            try file.closeAfter {
                // One service at a time; the others find the secret of the first.
                while flock(file.rawValue, LOCK_EX) != 0 { if errno != EINTR { throw Errno(rawValue: errno) } }
                guard isEmpty(path) else { return }
                try withDraft(of: path) { draft throws(Errno) in
                    let renamed = draft.withPlatformString { draft in path.withPlatformString { rename(draft, $0) } }
                    if renamed != 0 { throw Errno(rawValue: errno) }
                }
            }
        } catch { throw error as? Errno ?? .ioError }
    }

    private static func isEmpty(_ path: FilePath) -> Bool {
        guard let status = try? Stat(path, followTargetSymlink: false) else { return false }
        return status.type == .regular && status.size == 0
    }

    /// A new secret in a draft file beside `path`, which `body` then gives its name.
    private static func withDraft(of path: FilePath, _ body: (FilePath) throws(Errno) -> Void) throws(Errno) {
        let draft = FilePath(path.string + ".\(getpid())")
        defer { _ = draft.withPlatformString { unlink($0) } }
        do {
            let file = try FileDescriptor.open(
                draft, .writeOnly, options: [.create, .truncate, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite)
            try file.closeAfter {
                _ = try file.writeAll((secret() + "\n").utf8)
                try synchronise(file)
            }
        } catch { throw error as? Errno ?? .ioError }
        try body(draft)
        let folder = path.removingLastComponent()
        // Syncs the name, too; a folder that cannot be synced still has it in memory.
        if let folder = try? FileDescriptor.open(folder.isEmpty ? "." : folder, .readOnly, options: [.closeOnExec]) {
            try? folder.closeAfter { try synchronise(folder) }
        }
    }

    /// Not all file systems support it.
    private static func synchronise(_ file: FileDescriptor) throws(Errno) {
        if fsync(file.rawValue) != 0, ![EINVAL, ENOTSUP].contains(errno) { throw Errno(rawValue: errno) }
    }

    /// 32 bytes of the system's random generator, in hexadecimal.
    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return Hex.text((0..<32).map { _ in generator.next() })
    }

    private static func makeFolder(_ path: FilePath) throws(Errno) {
        if path.isEmpty || (try? Stat(path)) != nil { return }
        try makeFolder(path.removingLastComponent())
        if path.withPlatformString({ mkdir($0, 0o700) }) != 0, errno != EEXIST { throw Errno(rawValue: errno) }
    }
}
