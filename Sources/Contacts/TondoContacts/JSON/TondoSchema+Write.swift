private import FoundationEssentials
internal import TondoText

extension TondoSchema {
    /// The text before the first `line`; `,` and a line feed separate lines, so that a file has one contact per line, and a
    /// book need not fit into memory. `groups`: kept even without members.
    package static func head(groups: [ContactGroup] = []) -> String {
        var object = JSONObject()
        object.add("tondo", version)
        object.add("groups", groups.map(Self.object))
        // Without the closing brace: the contacts follow, and `tail` has it.
        return String(decoding: object.bytes.dropLast(), as: UTF8.self) + ",\"contacts\":[\n"
    }

    /// The text behind the last `line`, which has no comma after it.
    package static let tail = "\n]}\n"

    /// One contact for events: without the photo's bytes, and no field longer than `longestListed`, so that one contact
    /// does not make every event large. `cut` names the shortened fields. `avatars`: see `listed`.
    /// `isFavourite`: what a service says of it.
    package static func summary(
        _ contact: Contact, avatars: [UInt8]? = nil, isFavourite: Bool = false
    ) -> [UInt8] {
        let (short, cut) = contact.shortened(to: longestListed)
        var object = object(of: short, photo: nil, cut: cut, isShown: true)
        add(ContactHeadline(contact), to: &object)
        if let avatars { object.add(Key.avatars.rawValue, json: avatars) }
        if isFavourite { object.add("favourite", true) }
        return object.bytes
    }

    /// Maximum bytes of one field in lists and events of a service.
    package static let longestListed = 65_536

    /// One contact for lists, see `ContactReport`. `headline`: nil for a list in the order of the book. `avatar`: the URL
    /// of its avatar; `avatars`: an encoded object of the keys of its avatars; `longest`: the maximum bytes of a field,
    /// nil for no limit.
    package static func listed(
        _ contact: Contact, headline: ContactHeadline? = nil, avatar: String? = nil, avatars: [UInt8]? = nil,
        longest: Int? = nil
    ) -> [UInt8] {
        let (shown, cut) = longest.map { contact.shortened(to: $0) } ?? (contact, [])
        var object = texts(of: shown, isShown: true)
        object.add(Key.members.rawValue, shown.members)
        object.add(Key.cut.rawValue, cut)
        add(headline ?? ContactHeadline(contact), to: &object)
        object.add(Key.photo.rawValue, contact.photo != nil)
        object.add(Key.avatar.rawValue, avatar)
        if let avatars { object.add(Key.avatars.rawValue, json: avatars) }
        return object.bytes
    }

    private static func add(_ headline: ContactHeadline, to object: inout JSONObject) {
        object.add(Key.displayName.rawValue, headline.displayName)
        object.add(Key.initials.rawValue, headline.initials)
        object.add(Key.section.rawValue, headline.section)
    }

    /// One contact as an object: keys always in the same order, empty values left out. `photo`: the bytes of an inline
    /// photo, nil to leave it out. `cut`: the shortened fields. `properties`: those that have no field.
    package static func line(
        _ contact: Contact, photo: [UInt8]?, cut: [String] = [], properties: [CardProperty] = []
    ) -> [UInt8] {
        var object = object(of: contact, photo: photo, cut: cut)
        object.add("properties", properties.map(Self.object))
        return object.bytes
    }

    private static func object(of property: CardProperty) -> JSONObject {
        var object = JSONObject()
        object.add("name", property.name)
        object.add("group", property.group)
        object.add("parameters", property.parameters)
        object.add("value", property.value)
        return object
    }

    private static func object(
        of contact: Contact, photo: [UInt8]?, cut: [String], isShown: Bool = false
    ) -> JSONObject {
        var object = texts(of: contact, isShown: isShown)
        object.add(Key.photo.rawValue, Self.object(of: contact.photo, bytes: photo))
        object.add(Key.members.rawValue, contact.members)
        object.add(Key.cut.rawValue, cut)
        return object
    }

    private typealias Key = ContactReport.CodingKeys

    /// What files, events and lists have in common. `isShown`: for events and lists.
    private static func texts(of contact: Contact, isShown: Bool) -> JSONObject {
        var object = JSONObject()
        object.add(Key.id.rawValue, contact.id)
        if contact.kind != .individual { object.add(Key.kind.rawValue, contact.kind.rawValue) }
        object.add(Key.name.rawValue, Self.object(of: contact.name))
        object.add(Key.organisation.rawValue, contact.organisation)
        object.add(Key.title.rawValue, contact.title)
        object.add(Key.role.rawValue, contact.role)
        object.add(Key.introduction.rawValue, contact.introduction)
        object.add(
            Key.phones.rawValue,
            contact.phones.map { phone in
                var object = Self.object(of: phone)
                if isShown { object.add("formatted", PhoneMask.masked(phone.value)) }
                return object
            })
        object.add(Key.emails.rawValue, contact.emails.map(Self.object))
        object.add(Key.addresses.rawValue, contact.addresses.map(Self.object))
        object.add(Key.websites.rawValue, contact.websites.map(Self.object))
        object.add(Key.birthday.rawValue, contact.birthday)
        object.add(Key.anniversary.rawValue, contact.anniversary)
        object.add(Key.messengers.rawValue, messengers(contact))
        object.add(Key.social.rawValue, contact.social.map(Self.object))
        object.add(Key.groups.rawValue, contact.groups.map(Self.object))
        object.add(Key.related.rawValue, contact.related.map(Self.object))
        object.add(Key.online.rawValue, contact.isOnline)
        if contact.isVIP { object.add(Key.vip.rawValue, true) }
        object.add(Key.chatLog.rawValue, contact.chatLog)
        object.add(Key.revision.rawValue, contact.revision)
        return object
    }

    private static func object(of name: ContactName) -> JSONObject {
        var object = JSONObject()
        for (key, part) in [
            ("given", name.given), ("family", name.family), ("additional", name.additional), ("prefix", name.prefix),
            ("suffix", name.suffix), ("formatted", name.formatted),
        ] where !part.isEmpty {
            object.add(key, part)
        }
        object.add("nicknames", name.nicknames)
        return object
    }

    private static func object(of point: ContactPoint) -> JSONObject {
        var object = JSONObject()
        object.add("value", point.value)
        object.add("types", point.types)
        object.add("label", point.label)
        return object
    }

    private static func object(of group: ContactGroup) -> JSONObject {
        var object = JSONObject()
        object.add("name", group.name)
        if group.id != group.name { object.add("id", group.id) }
        object.add("online", group.online)
        return object
    }

    private static func messengers(_ contact: Contact) -> JSONObject {
        var object = JSONObject()
        for messenger in Messenger.allCases { object.add(messenger.rawValue, contact.messengers[messenger]) }
        return object
    }

    private static func object(of photo: ContactPhoto?, bytes: [UInt8]?) -> JSONObject {
        var object = JSONObject()
        switch photo {
        case .inline(_, let crop):
            guard let bytes else { break }
            object.add("data", Data(bytes).base64EncodedString())
            object.add("crop", Self.object(of: crop))
        case .file(let path, let crop):
            object.add("file", path)
            object.add("crop", Self.object(of: crop))
        case .remote(let url): object.add("url", url)
        case nil: break
        }
        return object
    }

    private static func object(of crop: PhotoCrop?) -> JSONObject {
        var object = JSONObject()
        guard let crop else { return object }
        object.add("x", crop.x)
        object.add("y", crop.y)
        object.add("width", crop.width)
        object.add("height", crop.height)
        return object
    }
}
