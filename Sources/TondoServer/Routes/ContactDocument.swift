internal import TondoContacts
internal import TondoText

/// Contacts for clients: without the bytes of the photo and without file names.
enum ContactDocument {
    /// `isWhole`: includes the whole of fields that lists shorten.
    static func bytes(_ contact: Contact, isWhole: Bool = false) -> [UInt8] {
        let id = PercentEncoding.encode(contact.id, as: .pathSegment)
        return TondoSchema.listed(
            contact, avatar: "/v1/contacts/\(id)/avatar", longest: isWhole ? nil : TondoSchema.longestListed)
    }
}
