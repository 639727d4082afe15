import Foundation
import Glibc
import TondoTestSupport

/// Running as a user whom permissions stop, even when the tests run as root.
enum Unprivileged {
    /// A script for `Tondo.run(shell:)`; nil when there is no way.
    static let shell: String? = {
        if geteuid() != 0 { return #"exec "$@""# }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"), BuiltProgram.isReachable else {
            return nil
        }
        return #"exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@""#
    }()

    static let isPossible = shell != nil
}
