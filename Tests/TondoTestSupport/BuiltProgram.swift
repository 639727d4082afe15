internal import Foundation
internal import Glibc

/// The programs of the package, which lie beside the test bundle.
package enum BuiltProgram {
    package static func path(_ name: String) throws -> String {
        let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: test).deletingLastPathComponent().path + "/" + name
    }

    /// Whether every user may enter the folders above the programs.
    package static var isReachable: Bool {
        guard var folder = try? path("tondo") else { return false }
        while folder != "/" {
            folder = URL(fileURLWithPath: folder).deletingLastPathComponent().path
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
        }
        return true
    }
}
