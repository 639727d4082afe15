internal import Glibc
package import SystemPackage

/// The default cache folder.
package enum CacheDirectory {
    package static var standard: FilePath? { standard { getenv($0).map { FilePath(platformString: $0) } } }

    /// The folder of the XDG Base Directory Specification, version 0.8: relative paths are ignored.
    package static func standard(_ variable: (String) -> FilePath?) -> FilePath? {
        if let folder = variable("XDG_CACHE_HOME"), folder.isAbsolute { return folder.appending("tondo") }
        guard let home = variable("HOME"), home.isAbsolute else { return nil }
        return home.appending(".cache").appending("tondo")
    }
}
