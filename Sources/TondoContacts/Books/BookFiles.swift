internal import Glibc
package import SystemPackage

/// The files of an address book: the items of a folder, or one file.
package struct BookFiles: Sendable {
    /// The folder that must contain the files, and the photos they name.
    package let folder: FilePath
    /// Relative to the folder, in a fixed order.
    package let files: [FilePath]
    /// Parts of the book that could not be listed.
    package let failures: [ContactFailure]

    /// Reads no file: the format is detected later from the content.
    package init(_ path: FilePath) throws(ContactsError) {
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else { throw .unreadable(Errno(rawValue: errno)) }
        if status.st_mode & S_IFMT == S_IFDIR {
            let vdir = try VDir(path)
            (folder, files, failures) = (path, vdir.items, vdir.failures)
        } else if let name = path.lastComponent {
            folder = path.removingLastComponent()
            (files, failures) = ([FilePath(root: nil, components: name)], [])
        } else {
            throw .unreadable(.isDirectory)
        }
    }
}
