import Foundation
import Glibc
import SystemPackage
import TondoTestSupport

@testable import TondoCache

/// Runs of `CacheProbe`, in a place or as a user that a test cannot be. In the script `$probe` is the program, `$cache`
/// the cache's folder, and `$base` the folder around it.
enum ProbeRun {
    enum Surroundings {
        /// `$base` is a file system of its own in memory; `options`: for its mount.
        case mounted(options: String)
        /// A user whom permissions stop, even when the tests run as root.
        case unprivileged
        case plain
    }

    struct Failed: Error {
        var status: Int32
        var output: String
    }

    /// Whether the kernel lets this user mount something for itself.
    static let canMount: Bool = {
        guard let folder = try? TemporaryCache() else { return false }
        return (try? run("true", in: folder, .mounted(options: "size=64k"))) != nil
    }()

    static let canBeUnprivileged: Bool = {
        if geteuid() != 0 { return true }
        return FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") && BuiltProgram.isReachable
    }()

    /// The lines that were printed.
    static func run(_ script: String, in folder: TemporaryCache, _ surroundings: Surroundings) throws -> [String] {
        let base = folder.path.removingLastComponent().string
        let output = base + ".out"
        defer { try? FileManager.default.removeItem(atPath: output) }
        let setting = "base=\(base) cache=\(folder.path.string) probe=\(try BuiltProgram.path("CacheProbe"))\nset -e\n"
        let status = try SpawnedProcess(
            command(setting, script, base, surroundings), environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
        ) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
        }.wait()
        let text = try String(contentsOfFile: output, encoding: .utf8)
        guard status == 0 else { throw Failed(status: status, output: text) }
        return text.split(separator: "\n").map(String.init)
    }

    private static func command(
        _ setting: String, _ script: String, _ base: String, _ surroundings: Surroundings
    ) -> [String] {
        let isRoot = geteuid() == 0
        switch surroundings {
        case .plain: return ["/bin/sh", "-c", setting + script]
        case .mounted(let options):
            let unshare = ["/usr/bin/unshare", "--mount"] + (isRoot ? [] : ["--map-root-user"])
            return unshare + ["/bin/sh", "-c", setting + "mount -t tmpfs -o \(options) tondo \(base)\n" + script]
        case .unprivileged:
            let drop = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            if isRoot { chown(base, 65534, 65534) }
            return (isRoot ? drop : []) + ["/bin/sh", "-c", setting + script]
        }
    }
}
