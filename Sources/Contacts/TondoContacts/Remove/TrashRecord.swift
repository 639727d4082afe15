private import FoundationEssentials
package import TondoFiles

/// The record of a removed or changed contact in the trash, which can be restored to its old place. As a file, one JSON object:
///
/// - `tondoTrash`: number, the version of this format: 1, or 2 for a changed contact; newer ones are refused
/// - `id`, `name`: texts, the contact's at its removal
/// - `removedAt`: number, seconds since 1970
/// - `file`: text, the absolute path of its file; `format`: `vcard`, `json`, `plist`, `csv` or `ldif`
/// - `offset`: number, the position of the bytes in that file
/// - `bytes`: base64, the removed bytes: the contact and its separator; the contact itself is from `contactStart` to
///   `contactEnd` in them
/// - `mode`: number, the permissions of the file if it was deleted because no other contact was in it; `user`, `group`:
///   numbers, its owner and its group; `attributes`: base64 by their names, its access list and `user.` attributes
/// - `names`: texts, further absolute paths of the file in its book (hard links)
/// - `before`, `after`: base64, up to 64 bytes on either side of the cut
/// - `remainingCount`, `remainingFingerprint`: number and text, length and fingerprint of the file as it was left
/// - `encoding`: text, how the file's characters lay in its bytes: `8-bit`, `utf-16le` or `utf-16be`; `mark`: true when
///   the file began with a byte-order mark; `content`: text, `Contact.derivedID` of the contact. Records of earlier
///   versions have none of the three
/// - `owner`: text, `Contact.fingerprint` of the contact, when others gave themselves the same id: it stays the contact's;
///   `twins`: number, how many of them were equal to the contact, where there were any
/// - `mirrorItem`: text, what the contact is at the server of the mirror that it was in
/// - `successor`: of a changed contact, what is in its place: `bytes`, their number, and `fingerprint`, text; `batch`: text
///   that the contacts of one change of many have in common
package struct TrashRecord: Equatable, Sendable, Codable {
    /// What `tondoTrash` says in records of this program; larger ones are refused.
    package static let version = 2

    private let version: Int
    /// The contact's id at its removal.
    package var id: String
    /// Its display name.
    package var name: String
    /// When it was removed: seconds since 1970.
    package var removedAt: Int
    /// The absolute path of the file it was removed from.
    package var file: String
    /// `BookFormat.word`.
    package var format: String
    /// The position of `bytes`.
    package var offset: Int
    /// The removed bytes, and the contact itself in them.
    @Base64Coded package var bytes: [UInt8]
    private var contactStart: Int
    private var contactEnd: Int
    /// The contact itself in `bytes`, without its separator; checked when a record is decoded.
    package var contact: Range<Int> { contactStart..<contactEnd }
    /// Up to 64 bytes on either side, which identify the position in a changed file.
    @Base64Coded package var before: [UInt8]
    @Base64Coded package var after: [UInt8]
    /// Distinguishes the file after the removal from a changed one.
    package var remainingCount: Int
    /// The text of a `JoinedHash`; in records of earlier versions, another hash in hexadecimal digits.
    package var remainingFingerprint: String
    private var mode: Int?
    private var user: UInt32?
    private var group: UInt32?
    private var attributes: [String: Base64Coded]?
    private var names: [String]?
    /// The attributes of the file, if it was deleted. Records of earlier versions have the permissions only.
    package var deletedFile: FileAttributes? {
        get {
            mode.map { mode in
                FileAttributes(
                    mode: mode, user: user ?? .max, group: group ?? .max,
                    extended: (attributes ?? [:]).mapValues(\.wrappedValue))
            }
        }
        set {
            mode = newValue?.mode
            user = newValue?.user
            group = newValue?.group
            let extended = newValue?.extended ?? [:]
            attributes = extended.isEmpty ? nil : extended.mapValues { Base64Coded(wrappedValue: $0) }
        }
    }
    /// Further names of the file in its book.
    package var otherNames: [String] {
        get { names ?? [] }
        set { names = newValue.isEmpty ? nil : newValue }
    }
    private var encodingName: String?
    /// The encoding of `bytes`; nil in records of earlier versions.
    var encoding: TextLayout.Encoding? {
        get { encodingName.flatMap { .init(rawValue: $0) } }
        set { encodingName = newValue?.rawValue }
    }
    private var mark: Bool?
    /// The file began with a byte-order mark.
    var hasMark: Bool { mark ?? false }
    /// `Contact.fingerprint`, if other contacts claim the same id, see `Identities`.
    package private(set) var owner: String?
    private var duplicateCount: Int?
    /// See `Identities.Owner`.
    package var duplicates: Int { max(duplicateCount ?? 0, 0) }
    /// By which the contact is known again; nil where an earlier version did not say it.
    var content: String?
    /// What a changed contact became; nil: it was removed.
    let successor: Cut.Successor?
    /// The contact was changed, and not removed.
    package var isChange: Bool { successor != nil }
    /// Distinguishes the contacts of one change of many, which are restored together; nil: it was changed alone.
    package var batch: String?
    /// The server's name of a contact that was in a mirror; nil: in none.
    package var mirrorItem: String?

    /// `file`: absolute path; `removedAt`: seconds since 1970; `hasSharedID`: others gave themselves the same id; `twins`: so
    /// many of them are equal to the contact.
    package init(
        cut: Cut, of contact: Contact, file: String, removedAt: Int, hasSharedID: Bool = false, duplicates: Int = 0
    ) {
        // Earlier programs would put a changed contact beside what it became.
        version = cut.successor == nil ? 1 : Self.version
        successor = cut.successor
        if hasSharedID {
            owner = contact.fingerprint
            duplicateCount = duplicates > 0 ? duplicates : nil
        }
        id = contact.id
        name = contact.displayName
        self.file = file
        self.removedAt = removedAt
        format = cut.format.word
        offset = cut.range.lowerBound
        bytes = cut.removed
        contactStart = cut.contact.lowerBound
        contactEnd = cut.contact.upperBound
        before = cut.before
        after = cut.after
        remainingCount = cut.remainingCount
        remainingFingerprint = cut.remainingHash
        let layout = TextLayout(cut.head)
        mark = layout.markCount > 0 ? true : nil
        // The remaining file may be too short to detect it.
        encodingName = (mark == true ? layout : TextLayout(cut.head + cut.removed)).encoding.rawValue
        content = contact.derivedID
    }

    /// Whether `bytes` are the file as the removal left it.
    func isAsLeft(_ file: [UInt8]) -> Bool {
        guard file.count == remainingCount, offset <= file.count else { return false }
        // Records of earlier versions have another hash.
        let isJoined = remainingFingerprint.hasPrefix(JoinedHash.mark)
        return remainingFingerprint == (isJoined ? JoinedHash(file[...]).text : Self.fingerprint(file))
    }

    /// Whether the file has the length and the `JoinedHash.text` that the removal left.
    func isAsLeft(count: Int, hash: String) -> Bool {
        count == remainingCount && hash == remainingFingerprint && offset <= count
    }

    private static func fingerprint(_ bytes: [UInt8]) -> String {
        String(bytes.withUnsafeBytes { Fingerprint.of($0) }, radix: 16)
    }
}

extension TrashRecord {
    private enum CodingKeys: String, CodingKey {
        case version = "tondoTrash"
        case id, name, removedAt, file, format, offset, bytes, contactStart, contactEnd, before, after
        case remainingCount, remainingFingerprint, mode, user, group, attributes, names, content, owner, mark
        case successor, batch, mirrorItem
        case encodingName = "encoding"
        case duplicateCount = "twins"
    }

    /// The record's file.
    package func encoded() throws(ContactsError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { return Array(try encoder.encode(self)) + [0x0A] } catch { throw .malformed("a trash record") }
    }

    /// Reads the record's file. Throws `newerVersion` or `malformed`.
    package init(decoding file: [UInt8]) throws(ContactsError) {
        struct Version: Decodable { let tondoTrash: Int }
        do {
            // Before the rest, which may be other in a newer one.
            let version = try JSONDecoder().decode(Version.self, from: Data(file)).tondoTrash
            guard version <= Self.version else { throw ContactsError.newerVersion(version) }
            self = try JSONDecoder().decode(Self.self, from: Data(file))
        } catch { throw error as? ContactsError ?? .malformed("not a trash record") }
        guard 0 <= contactStart, contactStart <= contactEnd, contactEnd <= bytes.count, offset >= 0 else {
            throw .malformed("a trash record with invalid positions")
        }
    }
}

/// Bytes that JSON has as base64.
@propertyWrapper
package struct Base64Coded: Equatable, Sendable, Codable {
    package var wrappedValue: [UInt8]

    package init(wrappedValue: [UInt8]) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        wrappedValue = Array(try decoder.singleValueContainer().decode(Data.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(wrappedValue))
    }
}
