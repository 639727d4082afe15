package import SystemPackage

/// The files below a folder, in the order of their names' bytes, so that every run sees the same order.
package struct FolderListing {
    /// Relative to the folder.
    package private(set) var files: [FilePath] = []
    /// Links that lead to no file, relative to the folder.
    package private(set) var brokenLinks: [FilePath] = []
    /// Folders that could not be read, the listed one included, and links whose end could not be.
    package private(set) var failures: [FileError] = []
    /// Sub-folders that were not entered without `recursive`.
    package private(set) var unentered = 0
    private var visited: Set<FileIdentity> = []
    private let followsLinks: Bool

    /// Leaves out hidden files and folders, `foreign` folders, copies of editors (`ada.jpg~`), and all that is neither file nor
    /// folder. Links are followed, but no folder is entered twice. `excluding`: folders that are not entered.
    ///
    /// ```swift
    /// let listing = FolderListing(path, recursive: true)
    /// for failure in listing.failures { print(failure) }
    /// ```
    package init(_ folder: FilePath, recursive: Bool, excluding: Set<FileIdentity> = [], followsLinks: Bool = true) {
        visited = excluding
        self.followsLinks = followsLinks
        do throws(Errno) {
            guard let status = try FileStatus.found(at: folder) else { throw Errno.noSuchFileOrDirectory }
            list(folder, identity: status.identity, below: FilePath(""), recursive: recursive)
        } catch { failures.append(FileError(.list, path: folder, errno: error)) }
    }

    private mutating func list(_ folder: FilePath, identity: FileIdentity, below relative: FilePath, recursive: Bool) {
        // A link may lead to a folder above, which would never end.
        guard visited.insert(identity).inserted else { return }
        for name in names(of: folder) {
            let path = folder.appending(name)
            guard let status = found(path, in: folder, as: relative.appending(name)) else { continue }
            switch status.kind {
            case .regular where name.string.hasSuffix("~"): break
            case .regular: files.append(relative.appending(name))
            case .folder where Self.foreign.contains(name.string.lowercased()): break
            case .folder where recursive:
                list(path, identity: status.identity, below: relative.appending(name), recursive: true)
            case .folder: unentered += 1
            case .link, .other: break
            }
        }
    }

    /// What systems put into folders of their users: thumbnails and streams of file servers, what was deleted, snapshots of
    /// the same files, and folders that no user may read.
    private static let foreign: Set<String> = [
        "@eadir", "#recycle", "@recycle", "$recycle.bin", "recycler", "#snapshot", "@recently-snapshot", "lost+found",
        "system volume information", "__macosx",
    ]

    /// Nil without a file, or if its status cannot be read, which is a failure.
    private mutating func found(_ path: FilePath, in folder: FilePath, as relative: FilePath) -> FileStatus? {
        do throws(Errno) {
            let status = try FileStatus.found(at: path, followingLinks: followsLinks)
            if status == nil, followsLinks, FileStatus.isLink(path) { brokenLinks.append(relative) }
            return status
        } catch {
            // A folder that may be read but not searched shows names only: one failure for all of them.
            let failure =
                FileStatus.isLink(path)
                ? FileError(.read, path: path, errno: error) : FileError(.list, path: folder, errno: error)
            if failures.last != failure { failures.append(failure) }
            return nil
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
