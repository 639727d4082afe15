internal import TondoContacts
internal import TondoMirror

/// What has to be done at a server that has some version of a card, so that a change is made there. Pure: it is decided from what
/// the server has, and never from what was sent before.
enum ChangeStep: Equatable {
    /// The server has what the change makes.
    case done
    /// This has to be stored.
    case put([UInt8])
    case delete
    /// The server has a card that the change was not made from.
    case conflict

    /// Why a change cannot be decided at all.
    enum Failure: Error, Equatable {
        case unreadable
        case refused(String)
    }

    /// `server`: its card; nil: it has none. `now`: seconds since 1970.
    init(_ change: PendingChange, server: [UInt8]?, now: Int) throws(Failure) {
        guard let server else {
            self = try Self.without(change)
            return
        }
        guard let found = SentCard(server) else { throw .unreadable }
        guard let after = change.after else {
            // A contact that another client changed is not removed.
            let isBase = change.bases.contains { $0.map { Self.isSameText($0, found) } == true }
            self = isBase ? .delete : .conflict
            return
        }
        guard let wanted = SentCard(after) else { throw .unreadable }
        // Another contact has the place by now.
        if let uid = wanted.uid, let its = found.uid, uid != its {
            self = .conflict
            return
        }
        self = try Self.changed(change, found: found, wanted: wanted, now: now)
    }

    private static func without(_ change: PendingChange) throws(Failure) -> ChangeStep {
        guard let after = change.after else { return .done }
        // A contact that another client deleted does not come back.
        guard change.bases.contains(nil) else { return .conflict }
        guard let wanted = SentCard(after) else { throw .unreadable }
        return .put(try text(wanted.bytes))
    }

    private static func changed(
        _ change: PendingChange, found: SentCard, wanted: SentCard, now: Int
    ) throws(Failure) -> ChangeStep {
        let bases = change.bases.compactMap(\.self).compactMap { SentCard($0) }
        // A new card was made here, and not a photo: what the server has under its name has to be that card.
        let isNew = change.before == nil && change.earlier.allSatisfy { $0 == nil || $0 == change.after }
        if isNew { return isSame(wanted.bytes, found) ? .done : .conflict }
        if found.photo == wanted.photo { return .done }
        // Servers that drop crops must not be sent the same picture for ever.
        let isCrop = bases.contains { $0.photo.isPicture(of: wanted.photo) }
        if !isCrop, wanted.photo != .none, found.photo.isPicture(of: wanted.photo) { return .done }
        guard bases.contains(where: { $0.photo == found.photo }) else { return .conflict }
        return .put(try text(try photo(of: wanted, in: found, now: now)))
    }

    /// All else stays as the server has it.
    private static func photo(of wanted: SentCard, in found: SentCard, now: Int) throws(Failure) -> [UInt8] {
        do throws(ContactsError) {
            switch wanted.photo {
            case .none: return try found.replacingPhoto(by: nil, now: now)
            case .picture:
                guard let picture = wanted.picture else { throw ContactsError.photoChanged }
                let replacement = CardPhoto.Replacement(bytes: picture.bytes, crop: picture.crop)
                return try found.replacingPhoto(by: replacement, now: now)
            // A photo at a URL comes back by undoing a change, and only into the card that had it.
            case .other:
                guard found.otherLines == wanted.otherLines else {
                    throw ContactsError.refused("the photo is no picture in the card")
                }
                return wanted.bytes
            }
        } catch { throw .refused("\(error)") }
    }

    /// Also properties that no contact shows are another client's change.
    private static func isSameText(_ card: [UInt8], _ found: SentCard) -> Bool {
        guard let card = SentCard(card) else { return false }
        return card.otherLines == found.otherLines && card.photo == found.photo
    }

    private static func isSame(_ card: [UInt8], _ found: SentCard) -> Bool {
        guard let card = SentCard(card) else { return false }
        return card.contact.hasSameContentBesidePhoto(as: found.contact) && card.photo == found.photo
    }

    private static func text(_ card: [UInt8]) throws(Failure) -> [UInt8] {
        guard let text = SentCard.text(of: card) else { throw .refused("it is not in UTF-8") }
        return text
    }
}
