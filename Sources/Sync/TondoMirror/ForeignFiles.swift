/// What a run found that other programs did in a mirror's folder.
package struct ForeignFiles: Codable, Equatable, Sendable {
    package enum Change: String, Codable, Sendable {
        /// The bytes are not those that the mirror wrote. They lie in the trash now, and the server's version is back.
        case changed
        /// The file was gone, and is back.
        case removed
        /// It is none of the mirror's, and stays.
        case new
    }

    package struct File: Codable, Equatable, Sendable {
        /// Its name below `cards`.
        package var file: String
        package var change: Change
        /// Where its bytes lie now, below the mirror's folder.
        package var trash: String?

        package init(_ file: String, _ change: Change, trash: String? = nil) {
            self.file = file
            self.change = change
            self.trash = trash
        }
    }

    /// So many of each change are named.
    package static let most = 20

    package private(set) var changed = 0
    package private(set) var removed = 0
    package private(set) var new = 0
    /// The first of each change.
    package private(set) var files: [File] = []

    package init() {}

    package var isEmpty: Bool { changed + removed + new == 0 }

    package func count(of change: Change) -> Int {
        switch change {
        case .changed: changed
        case .removed: removed
        case .new: new
        }
    }

    package mutating func note(_ file: File) {
        switch file.change {
        case .changed: changed += 1
        case .removed: removed += 1
        case .new: new += 1
        }
        if count(of: file.change) <= Self.most { files.append(file) }
    }
}
