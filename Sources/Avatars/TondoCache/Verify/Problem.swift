internal import SystemPackage

/// A problem in the folder of a cache.
package struct Problem: Equatable, Sendable {
    /// What is wrong. The raw values are printed, also as JSON.
    package enum Kind: String, CaseIterable, Sendable {
        /// An entry with damaged bytes. Repair removes it.
        case damaged
        /// An entry without a row in the index. Repair adds the row.
        case unlisted
        /// A row without a file. Repair removes it.
        case missing
        /// A row with another size, recipe, cost or time than the file. Repair corrects it.
        case differing
        /// Something in `objects` that is not an entry, such as a link. Repair moves it to `tmp` and removes it there.
        case foreign
        /// A leftover of a killed process in `tmp`. Repair removes it.
        case stray
        /// An unreadable negative entry. Repair removes it.
        case failure
        /// An entry that other users can read or write. Repair sets mode 0600.
        case exposed
    }

    package var kind: Kind
    /// The entry, if it is one.
    package var key: CacheKey?
    /// Relative to the cache's folder.
    var path: FilePath
    /// What is wrong, for humans.
    package var reason: String
    /// Set by a verification that repairs, once the repair of this problem has succeeded.
    package var isRepaired = false

    init(kind: Kind, path: FilePath, reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    /// A problem of the file that belongs to `key`, or of its row.
    init(kind: Kind, key: CacheKey, in objects: ObjectStore, reason: String) {
        self.kind = kind
        self.key = key
        path = FilePath(objects.relativePath(of: key))
        self.reason = reason
    }

    init(kind: Kind, name: String, reason: String, isRepaired: Bool = false) {
        self.init(kind: kind, path: FilePath(name), reason: reason)
        self.isRepaired = isRepaired
    }

    /// Relative to the cache's folder. Bytes that are not UTF-8 are replaced.
    package var name: String { path.string }
}

/// The result of a verification.
package struct Verification: Equatable, Sendable {
    /// Files of entries that were read, damaged ones included.
    package var entries = 0
    /// Bytes read.
    package var bytes = 0
    /// Sorted by kind, then by path; repaired ones are included.
    package var problems: [Problem] = []
    /// SQLite's own check of its file.
    package var isIndexIntact = true

    package init() {}

    /// No problem was found in the files, repaired or not, and the index is intact now.
    package var isClean: Bool { isIndexIntact && problems.isEmpty }
}
