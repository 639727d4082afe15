internal import TondoText

extension TondoSchema {
    /// `places`: of the file, for photos inside it.
    static func contact(_ record: JSONRecord, places: inout ContactLocator) throws(JSONMismatch) -> Contact {
        var contact = Contact(id: try record.text("id") ?? "")
        contact.kind = try kind(of: record)
        contact.name = try name(of: record)
        contact.organisation = try record.texts("organisation")
        contact.title = try record.text("title")
        contact.role = try record.text("role")
        contact.introduction = try record.text("introduction")
        contact.phones = try points("phones", of: record)
        contact.emails = try points("emails", of: record)
        contact.addresses = try record.records("addresses", body: address)
        contact.websites = try points("websites", of: record)
        contact.birthday = try record.text("birthday")
        contact.anniversary = try record.text("anniversary")
        contact.messengers = try messengers(record)
        contact.social = try points("social", of: record)
        contact.related = try points("related", of: record)
        contact.groups = try groups(record)
        contact.isOnline = try record.flag("online")
        contact.isVIP = try record.flag("vip") ?? false
        contact.chatLog = try record.texts("chatLog")
        contact.revision = try record.text("revision")
        contact.members = try record.texts("members")
        if let part = try record.record("photo") { contact.photo = try photo(part, places: &places) }
        return contact
    }

    static func groups(_ record: JSONRecord) throws(JSONMismatch) -> [ContactGroup] {
        try record.records("groups") { part throws(JSONMismatch) in
            guard let name = try part.text("name") else {
                throw JSONMismatch(value: part.value, path: part.path, reason: "no name")
            }
            return ContactGroup(name, id: try part.text("id"), online: try part.integer("online"))
        }
    }

    private static func kind(of record: JSONRecord) throws(JSONMismatch) -> Contact.Kind {
        guard let word = try record.text("kind") else { return .individual }
        guard let kind = Contact.Kind(rawValue: word) else {
            throw record.mismatch(
                record["kind"] ?? record.value, key: "kind", reason: "unknown kind \(word.prefix(40))")
        }
        return kind
    }

    private static func name(of contact: JSONRecord) throws(JSONMismatch) -> ContactName {
        var name = ContactName()
        guard let record = try contact.record("name") else { return name }
        name.given = try record.text("given") ?? ""
        name.family = try record.text("family") ?? ""
        name.additional = try record.text("additional") ?? ""
        name.prefix = try record.text("prefix") ?? ""
        name.suffix = try record.text("suffix") ?? ""
        name.formatted = try record.text("formatted") ?? ""
        name.sortGiven = try record.text("sortGiven") ?? ""
        name.sortFamily = try record.text("sortFamily") ?? ""
        name.nicknames = try record.texts("nicknames")
        return name
    }

    private static func points(_ key: String, of record: JSONRecord) throws(JSONMismatch) -> [ContactPoint] {
        try record.records(key) { part throws(JSONMismatch) in try point(part, value: try part.word("value")) }
    }

    private static func point(_ part: JSONRecord, value: String?) throws(JSONMismatch) -> ContactPoint {
        guard let value else { throw JSONMismatch(value: part.value, path: part.path, reason: "no value") }
        return ContactPoint(value, types: try part.texts("types"), label: try part.text("label"))
    }

    /// Its lines may be in the parts alone.
    private static func address(_ part: JSONRecord) throws(JSONMismatch) -> ContactPoint {
        guard let parts = try part.record("parts") else { return try point(part, value: try part.word("value")) }
        var address = PostalAddress()
        for (key, part) in zip(PostalAddress.keys, PostalAddress.Part.allCases) {
            address[part] = try parts.word(key) ?? ""
        }
        let composed = address.composed
        var point = try point(part, value: try part.word("value") ?? composed.filled)
        point.parts = address.parts(areText: point.value.utf8.elementsEqual(composed.utf8))
        return point
    }

    private static func messengers(_ record: JSONRecord) throws(JSONMismatch) -> [Messenger: String] {
        var handles: [Messenger: String] = [:]
        guard let part = try record.record("messengers") else { return handles }
        for messenger in Messenger.allCases { handles[messenger] = try part.word(messenger.rawValue) }
        return handles
    }

    private static func photo(_ record: JSONRecord, places: inout ContactLocator) throws(JSONMismatch) -> ContactPhoto {
        let crop = try crop(record)
        if let data = try record.text("data"), let value = record["data"] {
            return .inline(inline(data, value: value, places: &places), crop: crop)
        }
        if let path = try record.text("file") { return .file(path: path, crop: crop) }
        if let url = try record.text("url") { return .remote(url: url) }
        throw JSONMismatch(value: record.value, path: record.path, reason: "none of data, file and url")
    }

    /// The text stays in the file unless it contains escapes.
    private static func inline(_ text: String, value: JSONValue, places: inout ContactLocator) -> InlinePhoto {
        guard value.kind == .string, !value.content.isEmpty else {
            return .bytes(Array(text.utf8).withUnsafeBytes { Base64.decode($0) })
        }
        return places.photo(value.content)
    }

    private static func crop(_ photo: JSONRecord) throws(JSONMismatch) -> PhotoCrop? {
        guard let record = try photo.record("crop") else { return nil }
        var sides: [Int] = []
        for key in ["x", "y", "width", "height"] {
            guard let side = try record.integer(key) else {
                throw JSONMismatch(value: record.value, path: record.path, reason: "no \(key)")
            }
            sides.append(side)
        }
        return PhotoCrop(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    }
}
