internal import SystemPackage

/// Something in the folder of a cache that is not as it should be.
package struct Problem: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// An entry whose bytes are not what was stored. Repair removes it.
        case damaged
        /// An entry that the index does not know. Repair adds its row.
        case unlisted
        /// A row without a file. Repair removes it.
        case missing
        /// A row that tells another size, recipe, cost or time than the file. Repair corrects it.
        case differing
        /// Something in `objects` that is no entry, such as a link. Repair moves it to `tmp` and removes it there.
        case foreign
        /// Left behind in `tmp` by a process that was killed. Repair removes it.
        case stray
        /// A remembered failure that cannot be read. Repair removes it.
        case failure
        /// An entry that others than its owner may read or write. Repair sets mode 0600.
        case exposed
    }

    package var kind: Kind
    /// The entry, if it is one.
    package var key: CacheKey?
    /// Below the cache's folder.
    var place: FilePath
    /// What is wrong, for people.
    package var reason: String
    package var isRepaired = false

    init(kind: Kind, key: CacheKey? = nil, place: FilePath, reason: String) {
        (self.kind, self.key, self.place, self.reason) = (kind, key, place, reason)
    }

    init(kind: Kind, name: String, reason: String, isRepaired: Bool = false) {
        self.init(kind: kind, place: FilePath(name), reason: reason)
        self.isRepaired = isRepaired
    }

    /// Below the cache's folder. What is no text in it is replaced.
    package var name: String { place.string }
}

/// What a look at everything found.
package struct Verification: Equatable, Sendable {
    package var entries = 0
    /// Bytes read.
    package var bytes = 0
    package var problems: [Problem] = []
    /// SQLite's own check of its file.
    package var isIndexIntact = true

    package init() {}

    package var isClean: Bool { isIndexIntact && problems.isEmpty }
}
