internal import TondoFiles

/// What is known of a change without its cards, see `PendingChange`.
package struct PendingNote: Equatable, Sendable {
    /// The source's name of the item.
    package let id: String
    /// The card's name below `cards`.
    package let file: String
    /// For reports.
    package let name: String
    /// The digest of what the card becomes; nil: it is removed.
    let after: FileDigest?
    /// The digests of all cards that programs wrote into the mirror.
    let digests: [FileDigest]

    init(_ change: PendingChange) {
        id = change.id
        file = change.file
        name = change.name
        after = change.after.map { FileDigest($0) }
        digests = ([change.after] + change.bases).compactMap { $0.map { FileDigest($0) } }
    }
}
