package import SystemPackage
internal import TondoFiles

/// The default cache folder.
package enum CacheDirectory {
    package static var standard: FilePath? { StandardPaths.process.cache?.appending("tondo") }

    /// The folder of the XDG Base Directory Specification, version 0.8: relative paths are ignored.
    package static func standard(_ variable: @escaping (String) -> FilePath?) -> FilePath? {
        StandardPaths(variable: variable).cache?.appending("tondo")
    }
}
