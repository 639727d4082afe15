/// A contact as JSON in lists: of `tondo contacts ls --json`, `GET /v1/contacts` and `GET /v1/contacts/{id}`. It decodes
/// what `TondoSchema.listed` writes, which is written by hand because a service lists thousands of contacts in a second.
/// Absent members are empty.
package struct ContactReport: Decodable, Equatable, Sendable {
    /// The members of a contact in the order in which they are written, also in Tondo's own files.
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case id, kind, name, organisation, title, role, introduction, phones, emails, addresses, websites, birthday
        case messengers, groups, online, vip, chatLog, revision, members, cut, displayName, initials, section, photo,
            avatar, avatars
    }

    package struct Name: Decodable, Equatable, Sendable {
        package var given: String?
        package var family: String?
        package var additional: String?
        package var prefix: String?
        package var suffix: String?
        package var formatted: String?
        package var nicknames: [String]?
    }

    /// A phone number, an e-mail address, a postal address or a website.
    package struct Point: Decodable, Equatable, Sendable {
        package var value: String
        package var types: [String]?
        package var label: String?
        /// A phone number as it is shown.
        package var formatted: String?
    }

    package struct Membership: Decodable, Equatable, Sendable {
        package var name: String
        /// If it differs from the name.
        package var id: String?
        package var online: Int?
    }

    package var id: String
    package var kind: String?
    package var name: Name?
    package var organisation: [String]?
    package var title: String?
    package var role: String?
    package var introduction: String?
    package var phones: [Point]?
    package var emails: [Point]?
    package var addresses: [Point]?
    package var websites: [Point]?
    package var birthday: String?
    /// Handles by messenger.
    package var messengers: [String: String]?
    package var groups: [Membership]?
    package var online: Bool?
    package var vip: Bool?
    package var chatLog: [String]?
    package var revision: String?
    package var members: [String]?
    /// The shortened fields, in lists of a service.
    package var cut: [String]?
    /// See `ContactHeadline`.
    package var displayName: String
    package var initials: String
    package var section: String
    /// The contact has a photo.
    package var photo: Bool
    /// The URL of its avatar, of a service.
    package var avatar: String?
    /// The keys of its avatars by scale, of a service.
    package var avatars: [String: String]?
}
