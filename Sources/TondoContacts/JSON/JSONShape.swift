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
