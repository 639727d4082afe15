internal import TondoContacts

/// Contacts and groups as clients get them: Tondo's schema, without the photo's bytes and without names of files.
enum ContactDocument {
    /// `isWhole`: also fields that lists shorten, see `TondoSchema.summary`.
    static func bytes(_ contact: Contact, isWhole: Bool = false) -> [UInt8] {
        var shown = contact
        shown.photo = nil
        var object = isWhole ? TondoSchema.line(shown, photo: nil) : TondoSchema.summary(shown)
        object.removeLast()
        let avatar = JSONText.quoted("/v1/contacts/\(PathSegment.escaped(contact.id))/avatar")
        object += #","photo":\#(contact.photo != nil),"avatar":\#(avatar)}"#.utf8
        return object
    }

    static func bytes(_ group: GroupSummary) -> [UInt8] {
        let (id, name) = (JSONText.quoted(group.id), JSONText.quoted(group.name))
        return Array(#"{"id":\#(id),"name":\#(name),"total":\#(group.total),"online":\#(group.online)}"#.utf8)
    }
}
