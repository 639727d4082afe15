package import SystemPackage

/// One person (or group, or company) of an address book.
///
/// Two contacts are equal if their contents are: their position in a file (`place`) does not count, so that a rewritten
/// book with equal content is not a change.
///
/// ```swift
/// var ada = Contact(id: "ada")
/// ada.name.given = "Ada"
/// ada.name.family = "Lovelace"
/// ada.emails = [ContactPoint("ada@example.org", types: ["home"])]
/// print(ada.displayName)
/// ```
public struct Contact: Sendable, Identifiable {
    /// The kind of the contact (RFC 6350 6.1.4).
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// One person.
        case individual
        /// Several contacts, see `members`.
        case group
        /// A company or an association.
        case organisation
        /// A place.
        case location
    }

    /// Unique in its book and the same on every load. The book's own id if it has one, see `Identities`.
    public var id: String
    /// A person by default.
    public var kind: Kind = .individual
    /// All its names.
    public var name = ContactName()
    /// The company first, empty if only departments are known, then its departments from large to small.
    public var organisation: [String] = []
    /// The job title (RFC 6350 6.6.1).
    public var title: String?
    /// The function in the organisation (RFC 6350 6.6.2).
    public var role: String?
    /// A note of or about the contact.
    public var introduction: String?
    /// The preferred one first.
    public var phones: [ContactPoint] = []
    /// The preferred one first.
    public var emails: [ContactPoint] = []
    /// Postal addresses, each with its lines as on a letter. The preferred one first.
    public var addresses: [ContactPoint] = []
    /// Addresses of the web, without those of messengers. The preferred one first.
    public var websites: [ContactPoint] = []
    /// The date of birth as ISO 8601, such as `1996-04-15`, or `--04-15` without a year; other text as the book has it.
    public var birthday: String?
    /// The day of a wedding or another one that comes each year (RFC 6350 6.2.6), in the notation of `birthday`.
    public var anniversary: String?
    /// Profiles of social networks, each with the network as its first type. The value is an address of the web or a name.
    public var social: [ContactPoint] = []
    /// People around the contact, each with the relation as its type or label. The value is a name, or an address such as
    /// `urn:uuid:` and an id.
    public var related: [ContactPoint] = []
    /// The handle (a name or a number) for each messenger; empty if the book only states that there is one.
    public var messengers: [Messenger: String] = [:]
    /// The groups it belongs to, in the book's order.
    public var groups: [ContactGroup] = []
    /// The book marks it as online; nil when unknown.
    public var isOnline: Bool?
    /// The book marks it as important.
    public var isVIP = false
    /// Messages, oldest first.
    public var chatLog: [String] = []
    /// When it was last changed, in the book's notation (RFC 6350 6.7.4).
    public var revision: String?
    /// What the book says about the photo, whose bytes are not read yet. Nil: it has none.
    package var photo: ContactPhoto?
    /// For `Kind.group`: the ids of its members.
    public var members: [String] = []
    /// Nil if it does not come from a file.
    package var place: ContactLocation?

    /// A contact without data.
    public init(id: String) { self.id = id }

    /// As `organisation` has them.
    static func units(company: String?, departments: [String]) -> [String] {
        company == nil && departments.isEmpty ? [] : [company ?? ""] + departments
    }
}

extension Contact: Hashable {
    /// Equal contents; `place` does not count.
    public static func == (one: Contact, other: Contact) -> Bool {
        one.id == other.id && one.kind == other.kind && one.name == other.name
            && one.organisation == other.organisation && one.title == other.title && one.role == other.role
            && one.introduction == other.introduction && one.phones == other.phones && one.emails == other.emails
            && one.addresses == other.addresses && one.websites == other.websites && one.birthday == other.birthday
            && one.anniversary == other.anniversary && one.social == other.social && one.related == other.related
            && one.messengers == other.messengers && one.groups == other.groups && one.isOnline == other.isOnline
            && one.isVIP == other.isVIP && one.chatLog == other.chatLog && one.revision == other.revision
            && one.photo == other.photo && one.members == other.members
            && zip(one.addresses, other.addresses).allSatisfy { $0.parts == $1.parts }
    }

    /// Hashes the parts that differ most.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(name)
        hasher.combine(photo)
    }
}

/// The position of a contact in its book.
package struct ContactLocation: Hashable, Sendable {
    /// Relative to the book's folder, or the name of the book's only file.
    package var file: FilePath
    /// Counted from 1.
    package var line: Int
    /// The contact's bytes in the file, such as those from `BEGIN:VCARD` to the end of the line of `END:VCARD`.
    package var bytes: Range<Int>

    package init(file: FilePath, line: Int, bytes: Range<Int>) {
        self.file = file
        self.line = line
        self.bytes = bytes
    }
}

/// The names of a contact; any of them may be empty (RFC 6350 6.2.1 to 6.2.3).
///
/// ```swift
/// var name = ContactName()
/// name.prefix = "Dr."
/// name.given = "Ada"
/// name.family = "Lovelace"
/// print(name.formatted.isEmpty)
/// ```
public struct ContactName: Hashable, Sendable {
    /// The first name.
    public var given = ""
    /// The last name.
    public var family = ""
    /// Middle names.
    public var additional = ""
    /// Honorifics before the name, such as "Dr."
    public var prefix = ""
    /// What follows the name, such as "Jr."
    public var suffix = ""
    /// The whole name as it should be shown.
    public var formatted = ""
    /// What the first name is sorted by instead of itself, such as its reading in kana (RFC 6350 5.9). Empty: by itself.
    public var sortGiven = ""
    /// What the last name is sorted by instead of itself: `やまだ`, or `Berg` for "von Berg". Empty: by itself.
    public var sortFamily = ""
    /// Short or familiar names.
    public var nicknames: [String] = []

    /// All names are empty.
    public init() {}
}

/// A phone number, an e-mail address, a postal address or a website.
///
/// ```swift
/// let phone = ContactPoint("+1 555 0100", types: ["cell"], label: "Summer house")
/// print(phone.value, phone.types.contains("cell"))
/// ```
public struct ContactPoint: Sendable {
    /// The number or the address, as the book has it.
    public var value: String
    /// Lower-case, each once, in the book's order: `home`, `work`, `cell`, `fax`...
    public var types: [String]
    /// A custom label, such as "Summer house".
    public var label: String?
    /// What the book has in fields of their own of a postal address, see `PostalAddress`.
    package var parts: [UInt8] = []

    /// `types`: in lower case.
    public init(_ value: String, types: [String] = [], label: String? = nil) {
        self.value = value
        self.types = types
        self.label = label
    }

    /// Sets the label. Some programs put types into it: `WORK;VOICE;PREF`.
    mutating func take(_ label: String) {
        let words = label.lowercased().split { $0 == ";" || $0 == "," }.map { String($0).trimmed }
        guard words.count > 1 || label == label.uppercased(), words.allSatisfy(Self.usualTypes.contains) else {
            self.label = label
            return
        }
        types += words.filter { $0 != "pref" && !types.contains($0) }
    }

    private static let usualTypes: Set = [
        "home", "work", "cell", "voice", "fax", "pager", "pref", "main", "msg", "internet",
    ]
}

extension ContactPoint: Hashable {
    /// Equal as people see them.
    public static func == (one: ContactPoint, other: ContactPoint) -> Bool {
        one.value == other.value && one.types == other.types && one.label == other.label
    }

    /// Hashes the part that differs most.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// The messengers that Tondo can filter by, in display order.
///
/// ```swift
/// var ada = Contact(id: "ada")
/// ada.messengers[.signal] = "+15550100"
/// print(Messenger.allCases.filter { ada.messengers[$0] != nil })
/// ```
public enum Messenger: String, Hashable, Sendable, CaseIterable {
    /// Telegram.
    case telegram
    /// WhatsApp.
    case whatsapp
    /// Viber.
    case viber
    /// Signal.
    case signal
    /// Threema.
    case threema
}

/// A group, as its members refer to it. Different groups with equal names have different ids.
///
/// ```swift
/// var ada = Contact(id: "ada")
/// ada.groups = [ContactGroup("Friends"), ContactGroup("Chess", id: "g-7", online: 3)]
/// print(ada.groups.map(\.name))
/// ```
public struct ContactGroup: Hashable, Sendable {
    /// Unique in the book; the name itself if the book identifies groups by name.
    public var id: String
    /// For people.
    public var name: String
    /// The declared number of members online; nil without a declaration.
    public var online: Int?

    /// `id`: the name by default.
    public init(_ name: String, id: String? = nil, online: Int? = nil) {
        self.id = id ?? name
        self.name = name
        self.online = online
    }
}
