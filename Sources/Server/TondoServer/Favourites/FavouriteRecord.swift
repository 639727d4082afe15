internal import SystemPackage
internal import TondoContacts

/// A favourite as the service keeps it: where the contact is, and what it is known again by when its id has changed.
///
/// Most ids are the book's own, and never change. That of a card without one follows from its names and addresses, and that of
/// a card whose id others have, too, from all of the card. The id alone may also be another card's by now: that of several
/// with one id which is the first has it unchanged.
struct FavouriteRecord: Codable, Hashable, Sendable {
    /// A contact of a book: the book's path, and the contact's id in it.
    struct Place: Codable, Hashable, Sendable {
        var book: String
        var id: String
    }

    /// Where it was when it became a favourite. It counts whenever a contact is there.
    var place: Place
    /// Where the same contact is otherwise.
    var other: Place?
    /// Several contacts of the book gave themselves this id.
    var isShared: Bool?
    /// `Contact.fingerprint`.
    var card: String
    /// The folded display name.
    var name: String
    /// Its first mail addresses and numbers, as `PersonMarks` compares them.
    var ways: [String]
    /// The file of the card and its line, as they were last.
    var file: String?
    var line: Int?

    /// Further ones are not needed to know a contact again.
    private static let mostWays = 8
    /// Bytes.
    private static let longest = 256

    /// `contact`: as it is in its book.
    init(_ contact: Contact, in book: String, isShared: Bool = false) {
        place = Place(book: book, id: contact.id)
        self.isShared = isShared ? true : nil
        card = ""
        name = ""
        ways = []
        take(contact)
    }

    /// Takes over how the contact is now.
    mutating func take(_ contact: Contact) {
        card = contact.fingerprint
        name = Self.name(of: contact)
        ways = Array(PersonMarks.ways(of: contact).prefix(Self.mostWays)).map { Self.short($0) }
        file = contact.place?.file.string
        line = contact.place?.line
    }

    /// Takes over what is known of the same contact, wherever that is.
    mutating func take(_ contact: FavouriteRecord) {
        card = contact.card
        name = contact.name
        ways = contact.ways
        file = contact.file
        line = contact.line
    }

    /// As `name`.
    static func name(of contact: Contact) -> String { short(ComparedName.folded(contact.displayName)) }

    /// Whether a contact is this one under another id: it has the same name, and an address in common if both have any.
    func resembles(_ contact: FavouriteRecord) -> Bool {
        if contact.card == card { return true }
        guard contact.name == name, !name.isEmpty else { return false }
        return ways.isEmpty && contact.ways.isEmpty || sharesWay(contact)
    }

    /// Whether a contact that has just come, at the moment at which this one is gone, is this one under another name: a card
    /// without an id was edited where it stands.
    func isEdited(to contact: FavouriteRecord) -> Bool {
        file != nil && contact.file == file && contact.line == line && contact.place.book == place.book
            && sharesWay(contact)
    }

    private func sharesWay(_ contact: FavouriteRecord) -> Bool { !Set(ways).isDisjoint(with: contact.ways) }

    private static func short(_ text: String) -> String {
        // By bytes: one character may have megabytes of marks.
        String(decoding: text.utf8.prefix(longest), as: UTF8.self)
    }
}

/// The file of favourites: version 1 of one JSON object.
struct FavouriteDocument: Codable {
    /// The version. A file of a newer one is not read.
    let tondoFavourites: Int
    let favourites: [FavouriteRecord]

    static let version = 1

    struct Header: Codable {
        let tondoFavourites: Int
    }
}
