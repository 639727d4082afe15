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
}

extension JSONRecord {
    /// Nil also for an empty text.
    func filled(_ key: String) throws(JSONMismatch) -> String? {
        try text(key).flatMap { $0.isEmpty ? nil : $0 }
    }
}
