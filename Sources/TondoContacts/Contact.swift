package import SystemPackage

/// One person (or group, or company) of an address book.
///
/// Two contacts are equal when they say the same: where they lie in which file (`place`) does not count, so that a
/// rewritten book with equal content is no change.
public struct Contact: Sendable, Identifiable {
    /// What the contact stands for (RFC 6350 6.1.4).
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case individual, group, organisation, location
    }

    /// Unique in its book and the same on every load. The book's own where it has one, see `Identities`.
    public var id: String
    public var kind: Kind = .individual
    public var name = ContactName()
    /// The company first, then its departments from large to small.
    public var organisation: [String] = []
    public var title: String?
    public var role: String?
    /// What the contact says about itself, or a note about it.
    public var introduction: String?
    /// The preferred one first.
    public var phones: [ContactPoint] = []
    /// The preferred one first.
    public var emails: [ContactPoint] = []
    /// Its handle (a name or a number) for each messenger; empty when the book only says that there is one.
    public var messengers: [Messenger: String] = [:]
    public var groups: [ContactGroup] = []
    /// Nil when unknown.
    public var isOnline: Bool?
    public var isVIP = false
    /// Messages, oldest first.
    public var chatLog: [String] = []
    /// When it was last changed, as the book spells it (RFC 6350 6.7.4).
    public var revision: String?
    package var photo: ContactPhoto?
    /// For `Kind.group`: the ids of those who belong to it.
    public var members: [String] = []
    /// Nil when it came from no file.
    package var place: ContactPlace?

    public init(id: String) { self.id = id }
}

extension Contact: Hashable {
    public static func == (one: Contact, other: Contact) -> Bool {
        one.id == other.id && one.kind == other.kind && one.name == other.name
            && one.organisation == other.organisation && one.title == other.title && one.role == other.role
            && one.introduction == other.introduction && one.phones == other.phones && one.emails == other.emails
            && one.messengers == other.messengers && one.groups == other.groups && one.isOnline == other.isOnline
            && one.isVIP == other.isVIP && one.chatLog == other.chatLog && one.revision == other.revision
            && one.photo == other.photo && one.members == other.members
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(name)
        hasher.combine(photo)
    }
}

/// Where a contact lies in its book.
package struct ContactPlace: Hashable, Sendable {
    /// Relative to the book's folder, or the name of the book's only file.
    package var file: FilePath
    /// Counted from 1.
    package var line: Int
    /// The contact's bytes in the file, such as those from `BEGIN:VCARD` to the end of the line of `END:VCARD`.
    package var bytes: Range<Int>

    package init(file: FilePath, line: Int, bytes: Range<Int>) {
        (self.file, self.line, self.bytes) = (file, line, bytes)
    }
}

/// The names of a contact; any of them may be empty (RFC 6350 6.2.1 to 6.2.3).
public struct ContactName: Hashable, Sendable {
    public var given = ""
    public var family = ""
    public var additional = ""
    public var prefix = ""
    public var suffix = ""
    /// The whole name as the contact wants it shown.
    public var formatted = ""
    public var nicknames: [String] = []

    public init() {}
}

/// A phone number or e-mail address.
public struct ContactPoint: Hashable, Sendable {
    public var value: String
    /// Lower-case, each once, in the book's order: `home`, `work`, `cell`, `fax`...
    public var types: [String]
    /// The owner's own word for it, such as "Summer house".
    public var label: String?

    public init(_ value: String, types: [String] = [], label: String? = nil) {
        (self.value, self.types, self.label) = (value, types, label)
    }
}

/// The messengers Tondo filters by, in the order they are shown.
public enum Messenger: String, Hashable, Sendable, CaseIterable {
    case telegram, whatsapp, viber, signal, threema
}

/// A group as its members know it. Where equal names are different groups, their ids differ.
public struct ContactGroup: Hashable, Sendable {
    /// Unique in the book; the name itself where the book tells groups by name.
    public var id: String
    public var name: String
    /// How many of it are online, as the book declares it; nil when it does not.
    public var online: Int?

    public init(_ name: String, id: String? = nil, online: Int? = nil) {
        (self.id, self.name, self.online) = (id ?? name, name, online)
    }
}
