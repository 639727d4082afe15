internal import FoundationEssentials
internal import TondoText

/// A change that was made in a mirror, and that its source does not have yet. It holds all that is needed to make it there, so
/// that it depends on no other file: neither on the mirror's card nor on its state. As a file, one JSON object:
///
/// - `tondoPending`: number, the version of this format; newer files are left alone
/// - `id`: text, the name of the item at the source; `account`: text, see `MirrorState.account`
/// - `file`: text, the card's name below `cards`; `name`: text, the contact's, for reports
/// - `etag`: text, the version at the source that `before` is; empty: the source has to be asked first what it has
/// - `before`: base64, the card that was changed; absent: there was none, and it is created
/// - `after`: base64, what it became; absent: it was removed
/// - `earlier`: base64 and nulls, what else of this change the source may have
/// - `taken`: number, how often the source said that it took the change, and did not have it
/// - `bound`: number, the bytes that the photo was made to have, since the source takes no larger card; absent: as it was set
package struct PendingChange: Equatable, Sendable {
    /// The bytes of a card.
    package typealias Card = [UInt8]

    /// The source's name of the item.
    package let id: String
    /// Changes of another account are never sent.
    package let account: String
    /// The card's name below `cards`.
    package let file: String
    /// For reports.
    package var name: String
    /// The source has `before` under this version; empty: nothing is known about it.
    package var etag: String
    /// What the mirror had; nil: no card.
    package let before: Card?
    /// What the source is to have; nil: no card.
    package var after: Card?
    /// What was sent already, or was seen when the change was made: as good a base as `before`. Nil: no card.
    package var earlier: [Card?]
    /// How often the source said that it took the change, and did not have it.
    package var taken: Int
    /// The photo was made smaller, to this number of bytes at most, since the source took no larger card; nil: it is as it was set.
    package var bound: Int?

    package init(
        id: String, account: String, file: String, name: String, etag: String, before: Card?, after: Card?,
        earlier: [Card?] = [], taken: Int = 0, bound: Int? = nil
    ) {
        self.id = id
        self.account = account
        self.file = file
        self.name = name
        self.etag = etag
        self.before = before
        self.after = after
        self.earlier = earlier
        self.taken = taken
        self.bound = bound
    }

    /// All cards from which the change may be made; what the source has besides is another client's.
    package var bases: [Card?] { [before] + earlier }

    /// The card as it was changed here, also where its photo was made smaller since; nil: it was removed.
    package var made: Card? {
        guard bound != nil, let after else { return self.after }
        return earlier.last { $0 != nil && $0 != after } ?? after
    }

    /// The change as it has to be on the disk before it is sent: whatever becomes of the request, the source is asked first
    /// from then on.
    package var attempted: PendingChange {
        var change = self
        change.etag = ""
        change.note(after)
        return change
    }

    /// This change, followed by another one of the same card. `seen`: what that one was made from.
    func followed(by after: Card?, seen: Card?, name: String) -> PendingChange {
        var change = self
        if seen != self.after { change.note(seen) }
        change.after = after
        change.name = name
        change.taken = 0
        change.bound = nil
        return change
    }

    private mutating func note(_ card: Card?) { if !bases.contains(card) { earlier.append(card) } }
}

extension PendingChange: Codable {
    private enum CodingKeys: String, CodingKey {
        case version = "tondoPending"
        case id, account, file, name, etag, before, after, earlier, taken, bound
    }

    private static let version = 1

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func card(_ data: Data?) -> Card? { data.map { Array($0) } }
        let (file, version) = (
            try values.decode(String.self, forKey: .file), try values.decode(Int.self, forKey: .version)
        )
        guard version <= Self.version, MirrorState.isInside(file) else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: values, debugDescription: "not of this version")
        }
        self.init(
            id: try values.decode(String.self, forKey: .id), account: try values.decode(String.self, forKey: .account),
            file: file, name: try values.decode(String.self, forKey: .name),
            etag: try values.decode(String.self, forKey: .etag),
            before: card(try values.decodeIfPresent(Data.self, forKey: .before)),
            after: card(try values.decodeIfPresent(Data.self, forKey: .after)),
            earlier: try values.decode([Data?].self, forKey: .earlier).map(card),
            taken: try values.decode(Int.self, forKey: .taken),
            bound: try values.decodeIfPresent(Int.self, forKey: .bound))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Self.version, forKey: .version)
        try values.encode(id, forKey: .id)
        try values.encode(account, forKey: .account)
        try values.encode(file, forKey: .file)
        try values.encode(name, forKey: .name)
        try values.encode(etag, forKey: .etag)
        try values.encodeIfPresent(before.map { Data($0) }, forKey: .before)
        try values.encodeIfPresent(after.map { Data($0) }, forKey: .after)
        try values.encode(earlier.map { card in card.map { Data($0) } }, forKey: .earlier)
        try values.encode(taken, forKey: .taken)
        try values.encodeIfPresent(bound, forKey: .bound)
    }

    /// Throws what `JSONDecoder` does.
    init(decoding text: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(text)) }

    func encoded() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}
