internal import TondoContacts
internal import TondoText

/// Contacts for clients: without the bytes of the photo and without file names.
enum ContactDocument {
    /// `headline`: nil for a list in the order of the books. `isWhole`: includes the whole of fields that lists shorten.
    static func bytes(
        _ contact: Contact, headline: ContactHeadline? = nil, avatars: AvatarKeys.Keys? = nil, isWhole: Bool = false
    ) -> [UInt8] {
        let id = PercentEncoding.encode(contact.id, as: .pathSegment)
        return TondoSchema.listed(
            contact, headline: headline, avatar: "/v1/contacts/\(id)/avatar", avatars: avatars?.json,
            longest: isWhole ? nil : TondoSchema.longestListed)
    }

    /// `,"match":{...}` of a search; ranges are pairs of an offset and a length.
    static func add(_ match: ContactMatch, to json: inout [UInt8]) {
        json += ",\"match\":{\"field\":\"\(match.field.rawValue)\",\"text\":".utf8
        JSONEscapes.append(match.text, to: &json)
        let ranges = match.ranges.map { "[\($0.lowerBound),\($0.count)]" }.joined(separator: ",")
        json += ",\"ranges\":[\(ranges)]}".utf8
    }

    /// A contact of `fields=index`: what is shown of it before it is opened.
    static func addIndexed(
        _ id: String, headline: ContactHeadline, avatars: AvatarKeys.Keys?, to json: inout [UInt8]
    ) {
        json += "{\"id\":".utf8
        JSONEscapes.append(id, to: &json)
        json += ",\"displayName\":".utf8
        JSONEscapes.append(headline.displayName, to: &json)
        json += ",\"initials\":".utf8
        JSONEscapes.append(headline.initials, to: &json)
        json += ",\"section\":".utf8
        JSONEscapes.append(headline.section, to: &json)
        if let avatars {
            json += ",\"avatars\":".utf8
            avatars.append(to: &json)
        }
        json.append(UInt8(ascii: "}"))
    }
}
