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
    /// does not make every event large. `cut` names the shortened fields. `avatars`: see `addListed`.
    /// `isFavourite`: what a service says of it.
    package static func summary(_ contact: Contact, avatars: [UInt8]? = nil, isFavourite: Bool = false) -> [UInt8] {
        let (short, cut) = contact.shortened(to: longestListed)
        var object = object(of: short, photo: nil, cut: cut, isShown: true)
        let headline = ContactHeadline(contact)
        object.add(Key.displayName.rawValue, headline.displayName)
        object.add(Key.initials.rawValue, headline.initials)
        object.add(Key.section.rawValue, headline.section)
        if let avatars { object.add(Key.avatars.rawValue, json: avatars) }
        if isFavourite { object.add("favourite", true) }
        return object.bytes
    }

    /// Maximum bytes of one field in lists and events of a service.
    package static let longestListed = 65_536

    /// Appends one contact for lists, see `ContactReport`. `avatar`: the URL of its avatar; `avatars`: an encoded object of
    /// the keys of its avatars; `longest`: the maximum bytes of a field, nil for no limit.
    package static func addListed(
        _ packed: PackedContact, headline: ContactHeadline, avatar: String? = nil, avatars: [UInt8]? = nil,
        longest: Int? = nil, to json: inout [UInt8]
    ) {
        addOpen(packed, headline: headline, avatar: avatar, longest: longest, to: &json)
        if let avatars {
            json += ",\"avatars\":".utf8
            json += avatars
        }
        json.append(UInt8(ascii: "}"))
    }

    /// Appends the same without `avatars` and the closing brace: what depends on nothing but the contact.
    package static func addOpen(
        _ packed: PackedContact, headline: ContactHeadline, avatar: String?, longest: Int?, to json: inout [UInt8]
    ) {
        json += "{\"id\":".utf8
        JSONEscapes.append(packed.id, to: &json)
        var (shown, cut): (PackedContact, [String]) = (packed, [])
        if let longest, packed.size > longest {
            let short = packed.contact.shortened(to: longest)
            (shown, cut) = (PackedContact(short.contact), short.cut)
        }
        shown.addWords(withMembers: true, isShown: true, to: &json)
        if !cut.isEmpty { json += ",\"cut\":[\"\(cut.joined(separator: "\",\""))\"]".utf8 }
        headline.addMembers(to: &json)
        json += (packed.hasPhoto ? ",\"photo\":true" : ",\"photo\":false").utf8
        if let avatar {
            json += ",\"avatar\":".utf8
            JSONEscapes.append(avatar, to: &json)
        }
    }

    /// One contact as an object: keys always in the same order, empty values left out. `photo`: the bytes of an inline
    /// photo, nil to leave it out. `properties`: those that have no field. `withParts`: see `ContactWords.add`.
    package static func line(
        _ contact: Contact, photo: [UInt8]?, properties: [CardProperty] = [], withParts: Bool = true
    ) -> [UInt8] {
        var object = object(of: contact, photo: photo, cut: [], withParts: withParts)
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
        of contact: Contact, photo: [UInt8]?, cut: [String], isShown: Bool = false, withParts: Bool = false
    ) -> JSONObject {
        var object = texts(of: contact, isShown: isShown, withParts: withParts)
        object.add(Key.photo.rawValue, Self.object(of: contact.photo, bytes: photo))
        object.add(Key.members.rawValue, contact.members)
        object.add(Key.cut.rawValue, cut)
        return object
    }

    private typealias Key = ContactReport.CodingKeys

    /// What files, events and lists have in common. `isShown`, `withParts`: see `ContactWords.add`.
    private static func texts(of contact: Contact, isShown: Bool, withParts: Bool) -> JSONObject {
        var json: [UInt8] = Array("\"id\":".utf8)
        JSONEscapes.append(contact.id, to: &json)
        PackedContact(contact).addWords(isShown: isShown, withParts: withParts, to: &json)
        return JSONObject(members: json)
    }

    private static func object(of group: ContactGroup) -> JSONObject {
        var object = JSONObject()
        object.add("name", group.name)
        if group.id != group.name { object.add("id", group.id) }
        object.add("online", group.online)
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
