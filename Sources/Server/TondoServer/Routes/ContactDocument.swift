internal import TondoContacts
internal import TondoText

/// Contacts for clients: without the bytes of the photo and without file names.
enum ContactDocument {
    /// `headline`: nil for a list in the order of the books. `isWhole`: includes the whole of fields that lists shorten.
    static func bytes(
        _ contact: Contact, headline: ContactHeadline? = nil, avatars: AvatarKeys.Keys? = nil, isWhole: Bool = false
    ) -> [UInt8] {
        var json: [UInt8] = []
        let headline = headline ?? ContactHeadline(contact)
        add(PackedContact(contact), headline: headline, avatars: avatars, isWhole: isWhole, to: &json)
        return json
    }

    /// Appends the same for a packed contact.
    static func add(
        _ packed: PackedContact, headline: ContactHeadline, avatars: AvatarKeys.Keys?, isWhole: Bool = false,
        to json: inout [UInt8]
    ) {
        addOpen(packed, headline: headline, isWhole: isWhole, to: &json)
        close(avatars: avatars, to: &json)
    }

    /// Appends what depends on nothing but the contact and its headline. `close` appends the rest.
    static func addOpen(
        _ packed: PackedContact, headline: ContactHeadline, isWhole: Bool = false, to json: inout [UInt8]
    ) {
        let id = PercentEncoding.encode(packed.id, as: .pathSegment)
        TondoSchema.addOpen(
            packed, headline: headline, avatar: "/v1/contacts/\(id)/avatar",
            longest: isWhole ? nil : TondoSchema.longestListed, to: &json)
    }

    static func close(avatars: AvatarKeys.Keys?, to json: inout [UInt8]) {
        if let avatars {
            json += ",\"avatars\":".utf8
            avatars.append(to: &json)
        }
        json.append(UInt8(ascii: "}"))
    }

    /// `,"match":{...}` of a search; ranges are pairs of an offset and a length.
    static func add(_ match: ContactMatch, to json: inout [UInt8]) {
        json += ",\"match\":{\"field\":\"\(match.field.rawValue)\",\"text\":".utf8
        JSONEscapes.append(match.text, to: &json)
        let ranges = match.ranges.map { "[\($0.lowerBound),\($0.count)]" }.joined(separator: ",")
        json += ",\"ranges\":[\(ranges)]}".utf8
    }

    /// A contact of `fields=index`: what is shown of it before it is opened.
    static func addIndexed(_ id: String, headline: ContactHeadline, avatars: AvatarKeys.Keys?, to json: inout [UInt8]) {
        json += "{\"id\":".utf8
        JSONEscapes.append(id, to: &json)
        headline.addMembers(to: &json)
        close(avatars: avatars, to: &json)
    }

    /// Another contact that is the same person.
    struct Other: Equatable, Sendable {
        let id: String
        /// The number of its book, from 1, as in `/readyz`.
        let book: Int
        let isFavourite: Bool

        /// Clients show a few, and thousands of contacts may have one name and one number.
        static let most = 100
    }

    /// What a list knows of a contact, and the contact's own data does not say.
    struct More: Equatable {
        var isFavourite = false
        /// Nil: nothing is said.
        var also: [Other]?
        /// Nil: there is no search.
        var match: ContactMatch?

        /// `json`: ends with the contact's object.
        func add(to json: inout [UInt8]) {
            if !isFavourite, also == nil, match == nil { return }
            json.removeLast()
            if isFavourite { json += ",\"favourite\":true".utf8 }
            if let also { add(also, to: &json) }
            if let match { ContactDocument.add(match, to: &json) }
            json.append(UInt8(ascii: "}"))
        }

        private func add(_ also: [Other], to json: inout [UInt8]) {
            json += ",\"also\":[".utf8
            for (index, other) in also.enumerated() {
                json += index > 0 ? ",{\"id\":".utf8 : "{\"id\":".utf8
                JSONEscapes.append(other.id, to: &json)
                json += ",\"book\":\(other.book)".utf8
                json += other.isFavourite ? ",\"favourite\":true}".utf8 : "}".utf8
            }
            json.append(UInt8(ascii: "]"))
        }
    }
}
