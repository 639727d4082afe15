import Glibc
import SystemPackage

/// The file of the secret that lets a client change something, where nobody names one.
enum TokenFile {
    /// systemd's folder for the service's state, else the user's (XDG Base Directory Specification, version 0.8).
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

    /// Makes the file with a new secret of 256 bits, readable for its owner alone, unless there is a file already. It is
    /// never there without its secret: several services may start at once, and any may be killed.
    static func make(_ path: FilePath) throws(Errno) {
        if (try? Stat(path, followTargetSymlink: false)) != nil { return }
        try makeFolder(path.removingLastComponent())
        let draft = FilePath(path.string + ".\(getpid())")
        defer { _ = draft.withPlatformString { unlink($0) } }
        do {
            let file = try FileDescriptor.open(
                draft, .writeOnly, options: [.create, .truncate, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll((secret() + "\n").utf8) }
        } catch { throw error as? Errno ?? .ioError }
        // Fails when another one was faster, and then that one's holds.
        let linked = draft.withPlatformString { draft in path.withPlatformString { link(draft, $0) } }
        if linked != 0, errno != EEXIST { throw Errno(rawValue: errno) }
    }

    /// 32 bytes of the system's generator, in hexadecimal.
    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in
            let digits = String(generator.next() as UInt8, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }

    private static func makeFolder(_ path: FilePath) throws(Errno) {
        if path.isEmpty || (try? Stat(path)) != nil { return }
        try makeFolder(path.removingLastComponent())
        if path.withPlatformString({ mkdir($0, 0o700) }) != 0, errno != EEXIST { throw Errno(rawValue: errno) }
    }
}
