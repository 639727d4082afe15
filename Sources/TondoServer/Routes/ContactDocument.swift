internal import TondoContacts
internal import TondoText

/// Contacts and groups for clients: Tondo's schema, without the bytes of the photo and without file names.
enum ContactDocument {
    /// `isWhole`: includes fields that lists shorten, see `TondoSchema.summary`.
    static func bytes(_ contact: Contact, isWhole: Bool = false) -> [UInt8] {
        var shown = contact
        shown.photo = nil
        var object = isWhole ? TondoSchema.line(shown, photo: nil) : TondoSchema.summary(shown)
        object.removeLast()
        let avatar = JSONEscapes.quoted(
            "/v1/contacts/\(PercentEncoding.encode(contact.id, as: .pathSegment))/avatar", .markup)
        object += #","photo":\#(contact.photo != nil),"avatar":\#(avatar)}"#.utf8
        return object
    }

    static func bytes(_ group: GroupSummary) -> [UInt8] {
        let (id, name) = (JSONEscapes.quoted(group.id, .markup), JSONEscapes.quoted(group.name, .markup))
        return Array(#"{"id":\#(id),"name":\#(name),"total":\#(group.total),"online":\#(group.online)}"#.utf8)
    }
}
