internal import TondoAvatars
internal import TondoContacts
internal import TondoText

/// An event of the stream: an event of a loader, and what clients need that show lists.
struct PublishedEvent: Sendable {
    var event: LoaderEvent
    /// The change of an event that changes the contacts.
    var change: ListChange?
    /// The revision of the contacts at the event.
    var revision: String?
    /// The avatars of the contact in the event.
    var avatars: AvatarKeys.Keys?
    /// Whether the contact in the event is a favourite.
    var isFavourite = false
    /// The photo of the contact in the event, which names no files. For other instances alone.
    var photo: ContactPhoto?

    /// One line of JSON.
    func json(number: UInt64) -> [UInt8] {
        event.json(number: number, avatars: avatars?.json, isFavourite: isFavourite) { object in
            // Not the `index` of a contact, which counts groups, too.
            object.add("position", change?.position)
            object.add("total", change?.total)
            object.add("revision", revision)
        }
    }
}
