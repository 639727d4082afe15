package import SystemPackage

/// The files below a folder, in the order of their names' bytes, so that every run sees the same order.
package struct FolderListing {
    /// Relative to the folder.
    package private(set) var files: [FilePath] = []
    /// Sub-folders that could not be read.
    package private(set) var failures: [FileError] = []
    /// Sub-folders that were not entered without `recursive`.
    package private(set) var unentered = 0
    private var visited: Set<FileIdentity> = []
    private let followsLinks: Bool

    /// Leaves out hidden files and folders, and everything that is neither file nor folder. Links are followed, but no
    /// folder is entered twice. `excluding`: folders that are not entered.
    ///
    /// ```swift
    /// let listing = FolderListing(path, recursive: true)
    /// for failure in listing.failures { print(failure) }
    /// ```
    package init(
        _ folder: FilePath, recursive: Bool, excluding: Set<FileIdentity> = [], followsLinks: Bool = true
    ) {
        visited = excluding
        self.followsLinks = followsLinks
        list(folder, below: FilePath(""), recursive: recursive)
    }

    private mutating func list(_ folder: FilePath, below relative: FilePath, recursive: Bool) {
        // A link may lead to a folder above, which would never end.
        guard let identity = FileIdentity(folder), visited.insert(identity).inserted else { return }
        for name in names(of: folder) {
            let path = folder.appending(name)
            if !followsLinks, FileStatus.isLink(path) { continue }
            switch FileStatus(path)?.kind {
            case .regular: files.append(relative.appending(name))
            case .folder where recursive: list(path, below: relative.appending(name), recursive: true)
            case .folder: unentered += 1
            default: break
            }
        }
    }

    /// Closes the folder before its sub-folders are listed: deep trees would exhaust the descriptors.
    private mutating func names(of folder: FilePath) -> [FilePath.Component] {
        do throws(Errno) {
            let (names, failure) = try Folder(folder).visibleNamesOnce()
            if let failure { failures.append(FileError(.list, path: folder, errno: failure)) }
            return names
        } catch {
            failures.append(FileError(.list, path: folder, errno: error))
            return []
        }
    }
}
