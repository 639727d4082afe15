/// What a run found that other programs did in a mirror's folder.
package struct ForeignFiles: Codable, Equatable, Sendable {
    /// What happened to a file; the raw values are words of `status.json`.
    package enum Change: String, Codable, Sendable {
        /// The bytes are not those that the mirror wrote. They lie in the trash now, and the server's version is back.
        case changed
        /// The file was gone, and is back.
        case removed
        /// It is none of the mirror's, and stays.
        case new
    }

    /// One file that the report names, with what became of it.
    package struct File: Codable, Equatable, Sendable {
        /// Its name below `cards`.
        package var file: String
        /// Decides what the mirror did about it, see `Change`.
        package var change: Change
        /// Where its bytes lie now, below the mirror's folder.
        package var trash: String?

        package init(file: String, change: Change, trash: String? = nil) {
            self.file = file
            self.change = change
            self.trash = trash
        }
    }

    /// So many of each change are named.
    package static let most = 20

    /// Files with other bytes, named in `files` or not.
    package private(set) var changed = 0
    /// Files that were gone, named in `files` or not.
    package private(set) var removed = 0
    /// Files that are none of the mirror's, named in `files` or not.
    package private(set) var new = 0
    /// The first of each change.
    package private(set) var files: [File] = []

    package init() {}

    /// Then `status.json` has no `foreign` at all.
    package var isEmpty: Bool { changed + removed + new == 0 }

    /// All files with this change, beyond the `most` that are named.
    package func count(of change: Change) -> Int {
        switch change {
        case .changed: changed
        case .removed: removed
        case .new: new
        }
    }

    /// Counts a file, and names it unless `most` files with its change are named already.
    package mutating func note(_ file: File) {
        switch file.change {
        case .changed: changed += 1
        case .removed: removed += 1
        case .new: new += 1
        }
        // A folder of strangers must not make a status of megabytes, which every health check reads.
        if count(of: file.change) <= Self.most { files.append(file) }
    }
}
