internal import TondoDigest
internal import TondoText

/// The identity of an entry for as long as it exists, whatever it is renamed to: 128 bits.
package struct EntryID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// `bytes`: 16, the most significant first.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// 32 hexadecimal digits, with hyphens anywhere: `entryUUID` (RFC 4530) and `nsUniqueId`.
    package init?(_ text: String) {
        guard text.utf8.count <= 40, let bytes = Hex.bytes(text.utf8.filter { $0 != UInt8(ascii: "-") }) else {
            return nil
        }
        self.init(bytes)
    }

    /// Active Directory's: the first three fields have their least significant byte first (MS-DTYP 2.3.4.2).
    package init?(guid bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init([3, 2, 1, 0, 5, 4, 7, 6].map { bytes[$0] } + bytes[8...])
    }

    /// Eleven digits that differ between nearly all entries: those of the time in an identity that is made of one.
    var shortName: String { String(Hex.text(high, digits: 16).prefix(11)) }

    /// As Active Directory has it.
    var guid: [UInt8] {
        let bytes = [high, low].flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> (56 - 8 * $0)) } }
        return [3, 2, 1, 0, 5, 4, 7, 6].map { bytes[$0] } + bytes[8...]
    }

    /// From an entry's own identifier, else from its name, which then must not change.
    package init(of entry: LDAPEntry) {
        let known =
            entry.texts("entryuuid").first.flatMap { EntryID($0) }
            ?? entry.bytes("objectguid").first.flatMap { EntryID(guid: $0) }
            ?? entry.texts("nsuniqueid").first.flatMap { EntryID($0) }
            ?? entry.texts("ipauniqueid").first.flatMap { EntryID($0) }
            ?? entry.bytes("guid").first.flatMap { EntryID($0) ?? EntryID(String(decoding: $0, as: UTF8.self)) }
        if let known {
            self = known
        } else {
            let digest = Array(SHA256Digest(of: entry.name.lowercased().utf8).bytes.prefix(16))
            self = EntryID(digest) ?? Self.zero
        }
    }

    private static let zero = EntryID(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A UUID in lower case (RFC 9562).
    package var description: String {
        let digits = Hex.text(high, digits: 16) + Hex.text(low, digits: 16)
        var (text, rest) = ("", digits[...])
        for count in [8, 4, 4, 4, 12] {
            text += (text.isEmpty ? "" : "-") + rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        return text
    }
}
