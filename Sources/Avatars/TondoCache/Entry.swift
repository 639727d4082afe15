package import FoundationEssentials

/// An avatar in the cache, without its bytes.
package struct Entry: Equatable, Sendable {
    /// The SHA-256 of the text of `recipe`.
    package var key: CacheKey
    package var recipe: Recipe
    /// Bytes of the file.
    package var size: Int
    /// Milliseconds it took to draw.
    package var cost: Double
    /// When it was stored, to the millisecond. Adding contacts rewrites the file, but keeps this time.
    package var created: Date
    /// The last lookup that the index has recorded; at first, the time of the store.
    package var used: Date
    /// Its contacts, in the order they were added: ids of contacts, or names of photos.
    package var contacts: [String]

    /// The format that the recipe names; PNG if it names none.
    package var format: EntryFormat { EntryFormat(recipe) }

    package init(
        key: CacheKey, recipe: Recipe, size: Int, cost: Double, created: Date, used: Date, contacts: [String]
    ) {
        self.key = key
        self.recipe = recipe
        self.size = size
        self.cost = cost
        self.created = created
        self.used = used
        self.contacts = contacts
    }
}

/// The selection and order of entries.
package struct EntryQuery: Sendable {
    /// What entries are sorted by, in descending order. The raw values are columns of the index.
    package enum Order: String, CaseIterable, Sendable { case used, created, size, cost }

    /// Entries of this contact only.
    package var contact: String?
    /// Entries whose style contains all of these words, such as `side=96`, or whose crop is this, such as `crop=top`.
    package var styleWords: [String] = []
    /// Created or used at this time or later.
    package var since: Date?
    /// Bytes.
    package var largerThan: Int?
    /// Entries in this format only.
    package var format: EntryFormat?
    /// Entries of this photo only, as in `sha256:3bd9...`.
    package var photo: String?
    /// Latest, largest or slowest to draw first.
    package var order = Order.used
    /// The most entries to return; nil: all.
    package var limit: Int?

    package init() {}
}

/// A removed entry, and the reason.
package struct RemovalRecord: Equatable, Sendable {
    /// Why an entry was removed. The index stores the raw values.
    package enum Reason: String, Sendable {
        /// Evicted as the least recently used one while the cache exceeded its limit.
        case size
        /// Not used for longer than the limit.
        case age
        /// Its bytes no longer matched its checksum.
        case damaged
        /// Removed by request.
        case removed
    }

    package var key: CacheKey
    /// The recipe of the removed entry, which the index keeps without the file.
    package var recipe: Recipe
    package var reason: Reason
    /// When the index recorded the removal: some seconds after it, if the row had to wait for a flush.
    package var date: Date
}
