/// What became of a change that was sent.
package enum SendResult: Equatable, Sendable {
    /// The server has it.
    case sent
    /// The server has it, with a photo of this number of bytes at most, since it took no larger card.
    case sentSmaller(Int)
    /// It was given up, and the mirror has the server's card.
    case refused(Reason)
    /// It is sent again by the next run.
    case waits(Reason)

    /// Behind the name of the contact whose photo has this number of bytes at most now.
    static func text(bound: Int) -> String {
        "the server takes no larger card, so the photo was made smaller: \(bound / 1_000) kB at most"
    }

    /// The raw values are codes in `status.json`.
    package enum Reason: String, Sendable {
        // These end a change.
        case conflict, deleted, rejected, unreadable, dropped, altered, lost, account, off
        case bookGone = "book-gone"
        case readOnly = "read-only"
        case tooLarge = "too-large"
        case weakTag = "weak-etag"
        // With these it waits.
        case unanswered, changing, pause
        case noTag = "no-etag"

        /// Behind the name of the contact.
        package var text: String {
            switch self {
            case .conflict: "another client changed the same on the server, which was kept"
            case .deleted: "another client deleted the contact on the server"
            case .readOnly: "the server permits no changes"
            case .tooLarge: "the server takes no card of this size"
            case .weakTag: "the server gives the card a weak ETag and does not know it, so it is not overwritten"
            case .rejected: "the server refuses the card"
            case .unreadable: "the card cannot be read, here or on the server"
            case .dropped: "the server stored the card without the photo"
            case .altered: "the server stored another photo than the one that was sent"
            case .lost: "the server took the card three times, and does not have it"
            case .account: "it was made in the mirror of another account"
            case .unanswered: "the server does not answer as it should"
            case .pause: "the server asks for a pause"
            case .changing: "the card changes on the server at this moment"
            case .noTag: "the server gives the card no ETag, without which it is not overwritten"
            case .off: "the source is not 'writable' any more"
            case .bookGone: "its address book is not in the account any more"
            }
        }
    }
}
