/// What a source holds under one of its names, for `MirrorFolder.put`.
package struct MirrorItem: Sendable {
    /// Where in the mirror an item's file lies.
    package enum Kind: Equatable, Sendable {
        /// A file `*.vcf` of the book.
        case card
        /// A file in `photos`, with this extension.
        case photo(String)
    }

    /// The source's name: unique in a mirror, and the same for as long as the contact lives.
    package let id: String
    /// An ETag or the like.
    package let version: String
    /// The preferred name of its file, such as the UID of a card; a name that is unsafe or taken is replaced by another.
    package let name: String?
    /// Counts when the file gets its name; a later item with this id takes that name over.
    package let kind: Kind
    /// The whole file, as the mirror stores it.
    package let bytes: [UInt8]
    /// A card's URLs of photos, each with the file that the card names instead, or an empty text. Nil: unknown.
    package let photos: [String: String]?

    /// `photos`: nil for an item that was not searched for them, such as a photo or a directory's card.
    package init(
        id: String, version: String, name: String?, kind: Kind = .card, bytes: [UInt8],
        photos: [String: String]? = nil
    ) {
        self.id = id
        self.version = version
        self.name = name
        self.kind = kind
        self.bytes = bytes
        self.photos = photos
    }
}

/// What became of an item.
package enum MirrorChange: String, Sendable { case added, changed, unchanged }

/// The end of a run.
package struct MirrorOutcome: Equatable, Sendable {
    /// Members that are gone.
    package var removed = 0
    /// Members whose deletion waits for a second run.
    package var withheld = 0

    package init(removed: Int = 0, withheld: Int = 0) {
        self.removed = removed
        self.withheld = withheld
    }
}
