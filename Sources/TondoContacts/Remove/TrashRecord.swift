private import FoundationEssentials

/// The record of a removed contact in the trash, which can be restored to its old place. As a file, one JSON object:
///
/// - `tondoTrash`: number, the version of this format, 1; newer ones are refused
/// - `id`, `name`: texts, the contact's at its removal
/// - `removedAt`: number, seconds since 1970
/// - `file`: text, the absolute path of its file; `format`: `vcard`, `json`, `plist`, `csv` or `ldif`
/// - `offset`: number, the position of the bytes in that file
/// - `bytes`: base64, the removed bytes: the contact and its separator; the contact itself is from `contactStart` to
///   `contactEnd` in them
/// - `mode`: number, the permissions of the file if it was deleted because no other contact was in it
/// - `before`, `after`: base64, up to 64 bytes on either side of the cut
/// - `remainingCount`, `remainingFingerprint`: number and text, length and fingerprint of the file as it was left
/// - `encoding`: text, how the file's characters lay in its bytes: `8-bit`, `utf-16le` or `utf-16be`; `mark`: true when
///   the file began with a byte-order mark; `content`: text, `Contact.derivedID` of the contact. Records of earlier
///   versions have none of the three
/// - `owner`: text, `Contact.fingerprint` of the contact, when others gave themselves the same id: it stays the contact's;
///   `twins`: number, how many of them were equal to the contact, where there were any
package struct TrashRecord: Equatable, Sendable, Codable {
    package static let version = 1

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
    package var bytes: [UInt8]
    package var contact: Range<Int>
    /// Up to 64 bytes on either side, which identify the position in a changed file.
    package var before: [UInt8]
    package var after: [UInt8]
    /// Distinguishes the file after the removal from a changed one.
    package var remainingCount: Int
    package var remainingFingerprint: String
    /// Permissions of the file; nil if it was not deleted.
    package var mode: Int?
    /// The encoding of `bytes`; nil in records of earlier versions.
    var encoding: TextLayout.Encoding?
    /// The file began with a byte-order mark.
    var hasMark = false
    /// `Contact.fingerprint`, if other contacts claim the same id, see `Identities`.
    package private(set) var owner: String?
    /// See `Identities.Owner`.
    package private(set) var twins = 0
    /// By which the contact is known again; nil where an earlier version did not say it.
    var content: String?

    /// `file`: absolute path; `removedAt`: seconds since 1970; `isShared`: others gave themselves the same id; `twins`: so
    /// many of them are equal to the contact.
    package init(
        _ removal: Removal, of contact: Contact, file: String, removedAt: Int, isShared: Bool = false, twins: Int = 0
    ) {
        if isShared { (owner, self.twins) = (contact.fingerprint, twins) }
        (id, name, self.file, self.removedAt) = (contact.id, contact.displayName, file, removedAt)
        format = removal.format.word
        offset = removal.range.lowerBound
        bytes = removal.removed
        self.contact = removal.contact
        before = Array(removal.remaining[..<offset].suffix(Self.neighbourhood))
        after = Array(removal.remaining[offset...].prefix(Self.neighbourhood))
        remainingCount = removal.remaining.count
        remainingFingerprint = Self.fingerprint(removal.remaining)
        let layout = TextLayout(removal.remaining)
        hasMark = layout.markCount > 0
        // The remaining file may be too short to detect it.
        encoding = hasMark ? layout.encoding : TextLayout(removal.remaining + removal.removed).encoding
        content = contact.derivedID
    }

    private static let neighbourhood = 64

    static func fingerprint(_ bytes: [UInt8]) -> String {
        String(bytes.withUnsafeBytes { Fingerprint.of($0) }, radix: 16)
    }
}

extension TrashRecord {
    private enum Key: String, CodingKey {
        case version = "tondoTrash"
        case id, name, removedAt, file, format, offset, bytes, contactStart, contactEnd, before, after
        case remainingCount, remainingFingerprint, mode, encoding, content, owner, twins
        case hasMark = "mark"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let version = try values.decode(Int.self, forKey: .version)
        guard version <= Self.version else { throw ContactsError.newerVersion(version) }
        id = try values.decode(String.self, forKey: .id)
        name = try values.decode(String.self, forKey: .name)
        removedAt = try values.decode(Int.self, forKey: .removedAt)
        file = try values.decode(String.self, forKey: .file)
        format = try values.decode(String.self, forKey: .format)
        offset = try values.decode(Int.self, forKey: .offset)
        bytes = Array(try values.decode(Data.self, forKey: .bytes))
        let start = try values.decode(Int.self, forKey: .contactStart)
        let end = try values.decode(Int.self, forKey: .contactEnd)
        guard 0 <= start, start <= end, end <= bytes.count, offset >= 0 else {
            throw ContactsError.malformed("a trash record with invalid positions")
        }
        contact = start..<end
        before = Array(try values.decode(Data.self, forKey: .before))
        after = Array(try values.decode(Data.self, forKey: .after))
        remainingCount = try values.decode(Int.self, forKey: .remainingCount)
        remainingFingerprint = try values.decode(String.self, forKey: .remainingFingerprint)
        mode = try values.decodeIfPresent(Int.self, forKey: .mode)
        encoding = try values.decodeIfPresent(String.self, forKey: .encoding).flatMap { .init(rawValue: $0) }
        hasMark = try values.decodeIfPresent(Bool.self, forKey: .hasMark) ?? false
        content = try values.decodeIfPresent(String.self, forKey: .content)
        owner = try values.decodeIfPresent(String.self, forKey: .owner)
        twins = max(try values.decodeIfPresent(Int.self, forKey: .twins) ?? 0, 0)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(Self.version, forKey: .version)
        try values.encode(id, forKey: .id)
        try values.encode(name, forKey: .name)
        try values.encode(removedAt, forKey: .removedAt)
        try values.encode(file, forKey: .file)
        try values.encode(format, forKey: .format)
        try values.encode(offset, forKey: .offset)
        try values.encode(Data(bytes), forKey: .bytes)
        try values.encode(contact.lowerBound, forKey: .contactStart)
        try values.encode(contact.upperBound, forKey: .contactEnd)
        try values.encode(Data(before), forKey: .before)
        try values.encode(Data(after), forKey: .after)
        try values.encode(remainingCount, forKey: .remainingCount)
        try values.encode(remainingFingerprint, forKey: .remainingFingerprint)
        try values.encodeIfPresent(mode, forKey: .mode)
        try values.encodeIfPresent(encoding?.rawValue, forKey: .encoding)
        if hasMark { try values.encode(true, forKey: .hasMark) }
        try values.encodeIfPresent(content, forKey: .content)
        try values.encodeIfPresent(owner, forKey: .owner)
        if twins > 0 { try values.encode(twins, forKey: .twins) }
    }

    /// The record's file.
    package func encoded() throws(ContactsError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { return Array(try encoder.encode(self)) + [0x0A] } catch { throw .malformed("a trash record") }
    }

    /// Reads the record's file. Throws `newerVersion` or `malformed`.
    package init(decoding file: [UInt8]) throws(ContactsError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(file))
        } catch let error as ContactsError {
            throw error
        } catch {
            throw .malformed("not a trash record")
        }
    }
}
