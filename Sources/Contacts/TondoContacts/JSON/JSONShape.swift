internal import TondoText

/// The kinds of JSON address books, detected by their keys.
package enum JSONShape: Hashable, Sendable, CaseIterable {
    /// An array of `first_name`, `last_name`, `avatar_filename`, `title`, `introduction`.
    case people
    /// `contacts` with `firstname`, `lastname`, `phone_number`, `photo_url`, `messenger`, `email`.
    case messengerContacts
    /// Tondo's own schema, see `TondoSchema`.
    case tondo

    /// The number of elements that are checked before an array counts as something else.
    private static let sampleSize = 32

    /// Nil if the keys belong to something else.
    init?(_ root: JSONValue) {
        if root.isArray {
            let keys: Set = ["first_name", "last_name", "avatar_filename", "introduction"]
            let elements = Array(root.elements.prefix(Self.sampleSize))
            let isKnown = elements.contains { $0.members.contains { keys.contains($0.key) } }
            // The remainder after the last contact was removed.
            guard isKnown || elements.isEmpty else { return nil }
            self = .people
        } else if root["tondo"] != nil {
            self = .tondo
        } else if let contacts = root["contacts"], contacts.isArray {
            let keys: Set = ["firstname", "lastname", "phone_number", "photo_url", "messenger", "email"]
            let elements = Array(contacts.elements.prefix(Self.sampleSize))
            guard elements.isEmpty || elements.contains(where: { $0.members.contains { keys.contains($0.key) } }) else {
                return nil
            }
            self = .messengerContacts
        } else {
            return nil
        }
    }
}

extension Contact {
    /// A record of the shape `JSONShape.people`.
    init(person record: JSONRecord) throws(JSONMismatch) {
        self.init(id: try record.word("id") ?? "")
        name.given = try record.text("first_name") ?? ""
        name.family = try record.text("last_name") ?? ""
        title = try record.filled("title")
        introduction = try record.filled("introduction")
        // The photo for 1x; see `ScaledPhoto` for its larger variants.
        photo = try record.filled("avatar_filename").map { .file(path: $0, crop: nil) }
    }

    /// A record of the shape `JSONShape.messengerContacts`. `messenger.email` only repeats `email`.
    init(messengerContact record: JSONRecord) throws(JSONMismatch) {
        self.init(id: try record.word("id") ?? "")
        name.given = try record.text("firstname") ?? ""
        name.family = try record.text("lastname") ?? ""
        phones = try record.word("phone_number").flatMap { $0.isEmpty ? nil : [ContactPoint($0)] } ?? []
        emails = try record.filled("email").map { [ContactPoint($0)] } ?? []
        if let flags = try record.record("messenger") {
            for messenger in Messenger.allCases where try flags.flag(messenger.rawValue) == true {
                messengers[messenger] = ""
            }
            _ = try flags.flag("email")
        }
        photo = try record.filled("photo_url").map { ContactPhoto(address: $0) }
    }
}

extension JSONRecord {
    /// Nil also for an empty text.
    fileprivate func filled(_ key: String) throws(JSONMismatch) -> String? { try text(key)?.filled }
}
