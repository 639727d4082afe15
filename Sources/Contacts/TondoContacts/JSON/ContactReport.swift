/// A contact as JSON in lists: of `tondo contacts ls --json`, `GET /v1/contacts` and `GET /v1/contacts/{id}`. It decodes
/// what `TondoSchema.listed` writes, which is written by hand because a service lists thousands of contacts in a second.
/// Absent members are empty.
package struct ContactReport: Decodable, Equatable, Sendable {
    /// The members of a contact in the order in which they are written, also in Tondo's own files.
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case id, kind, name, organisation, title, role, introduction, phones, emails, addresses, websites, birthday
        case anniversary, messengers, social, groups, related, online, vip, chatLog, revision, members, cut,
            displayName, initials, section, photo,
            avatar, avatars
    }

    /// The parts of the name that are not empty, as in `ContactName`.
    package struct Name: Decodable, Equatable, Sendable {
        package var given: String?
        package var family: String?
        package var additional: String?
        package var prefix: String?
        /// Honorifics and the like behind the name.
        package var suffix: String?
        /// The whole name as the book has it; `displayName` is there even without it.
        package var formatted: String?
        /// What the given name is sorted by instead of itself, such as its reading.
        package var sortGiven: String?
        /// What the family name is sorted by instead of itself.
        package var sortFamily: String?
        /// In the order of the book.
        package var nicknames: [String]?
    }

    /// A phone number, an e-mail address, a postal address or a website.
    package struct Point: Decodable, Equatable, Sendable {
        /// As the book has it; a postal address has a line feed between its lines.
        package var value: String
        /// In lower case, such as `home`.
        package var types: [String]?
        /// A word of the user's own instead of a type.
        package var label: String?
        /// A phone number as it is shown.
        package var formatted: String?
    }

    /// A group that the contact belongs to.
    package struct Membership: Decodable, Equatable, Sendable {
        /// For people; different groups may share it.
        package var name: String
        /// If it differs from the name.
        package var id: String?
        /// The number of members online that the book declares; nil: it declares none.
        package var online: Int?
    }

    /// As in `Contact.id`.
    package var id: String
    /// `group`, `organisation` or `location`; nil: an individual.
    package var kind: String?
    /// Nil: none of its parts is there.
    package var name: Name?
    /// The company, then its departments from large to small.
    package var organisation: [String]?
    /// The job title.
    package var title: String?
    package var role: String?
    /// A note of or about the contact.
    package var introduction: String?
    /// The preferred one first, like all lists of points.
    package var phones: [Point]?
    /// The preferred one first.
    package var emails: [Point]?
    /// Postal addresses, the preferred one first.
    package var addresses: [Point]?
    /// Without those of messengers.
    package var websites: [Point]?
    /// `1996-04-15`, or `--04-15` without a year; other text as the book has it.
    package var birthday: String?
    /// In the notation of the birthday.
    package var anniversary: String?
    /// Handles by messenger.
    package var messengers: [String: String]?
    /// Profiles of social networks; the first type is the network.
    package var social: [Point]?
    /// In the order of the book.
    package var groups: [Membership]?
    /// People around the contact; the type or the label is the relation.
    package var related: [Point]?
    /// As the book marks it; nil: unknown.
    package var online: Bool?
    /// True or nil.
    package var vip: Bool?
    /// Messages, oldest first.
    package var chatLog: [String]?
    /// When the contact was last changed, in the notation of its book.
    package var revision: String?
    /// As a group's card names them: ids, or `mailto:` and `tel:` addresses; some may belong to no contact.
    package var members: [String]?
    /// The shortened fields, in lists of a service.
    package var cut: [String]?
    /// See `ContactHeadline`.
    package var displayName: String
    /// One or two letters; empty if the name has none.
    package var initials: String
    /// An index letter or `#`.
    package var section: String
    /// The contact has a photo.
    package var photo: Bool
    /// The URL of its avatar, of a service.
    package var avatar: String?
    /// The keys of its avatars by scale, of a service.
    package var avatars: [String: String]?
}
