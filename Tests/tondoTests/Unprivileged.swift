import Foundation
import Glibc

/// Running as a user whom permissions stop, even when the tests run as root.
enum Unprivileged {
    /// A script for `Tondo.run(shell:)`; nil when there is no way.
    static let shell: String? = {
        if geteuid() != 0 { return #"exec "$@""# }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"), isReachable else { return nil }
        return #"exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@""#
    }()

    static let isPossible = shell != nil

    /// Every user may enter the folders above the program.
    private static var isReachable: Bool {
        guard var path = try? RunningTondo.executable else { return false }
        while true {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
            if path == "/" { return true }
            path = URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
    }
}
