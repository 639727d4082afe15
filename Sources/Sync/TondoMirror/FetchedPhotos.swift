package import SystemPackage
internal import TondoDigest

/// Where the photos of URLs lie, which `tondo sync` fetches and the service reads. The folder's name is no name of a mirror.
package enum FetchedPhotos {
    /// `folder`: of all mirrors.
    package static func root(in folder: FilePath) -> FilePath { folder.appending("_photos") }

    /// With a file for each photo, and nothing else.
    package static func folder(in root: FilePath) -> FilePath { root.appending("fetched") }

    /// The file of one photo, whether or not it was fetched. `url`: as the book has it; `root`: see `root(in:)`.
    package static func file(of url: String, in root: FilePath) -> FilePath {
        folder(in: root).appending(name(of: url))
    }

    /// 64 hexadecimal digits. `url`: as the book has it.
    package static func name(of url: String) -> String { SHA256Digest(of: url.utf8).hexadecimal }
}
