extension Contact {
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
