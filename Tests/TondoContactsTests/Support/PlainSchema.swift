import TondoText

@testable import TondoContacts

/// The JSON of contacts, member by member from unpacked ones: plain and slow, to compare `TondoSchema` with.
enum PlainSchema {
    /// As `TondoSchema.listed`.
    static func listed(
        _ contact: Contact, headline: ContactHeadline? = nil, avatar: String? = nil, avatars: [UInt8]? = nil,
        longest: Int? = nil
    ) -> [UInt8] {
        let (shown, cut) = longest.map { contact.shortened(to: $0) } ?? (contact, [])
        var object = texts(of: shown, isShown: true)
        object.add("members", shown.members)
        object.add("cut", cut)
        let headline = headline ?? ContactHeadline(contact)
        object.add("displayName", headline.displayName)
        object.add("initials", headline.initials)
        object.add("section", headline.section)
        object.add("photo", contact.photo != nil)
        object.add("avatar", avatar)
        if let avatars { object.add("avatars", json: avatars) }
        return object.bytes
    }

    /// What files, events and lists have in common. `isShown`: for events and lists.
    static func texts(of contact: Contact, isShown: Bool) -> JSONObject {
        var object = JSONObject()
        object.add("id", contact.id)
        if contact.kind != .individual { object.add("kind", contact.kind.rawValue) }
        object.add("name", Self.object(of: contact.name))
        object.add("organisation", contact.organisation)
        object.add("title", contact.title)
        object.add("role", contact.role)
        object.add("introduction", contact.introduction)
        object.add(
            "phones",
            contact.phones.map { phone in
                var object = Self.object(of: phone)
                if isShown { object.add("formatted", PhoneMask.masked(phone.value)) }
                return object
            })
        object.add("emails", contact.emails.map(Self.object))
        object.add(
            "addresses",
            contact.addresses.map { address in
                var object = Self.object(of: address)
                if !isShown { object.add("parts", parts(of: address)) }
                return object
            })
        object.add("websites", contact.websites.map(Self.object))
        object.add("birthday", contact.birthday)
        object.add("anniversary", contact.anniversary)
        object.add("messengers", messengers(contact))
        object.add("social", contact.social.map(Self.object))
        object.add("groups", contact.groups.map(Self.object))
        object.add("related", contact.related.map(Self.object))
        object.add("online", contact.isOnline)
        if contact.isVIP { object.add("vip", true) }
        object.add("chatLog", contact.chatLog)
        object.add("revision", contact.revision)
        return object
    }

    private static func object(of name: ContactName) -> JSONObject {
        var object = JSONObject()
        for (key, part) in [
            ("given", name.given), ("family", name.family), ("additional", name.additional), ("prefix", name.prefix),
            ("suffix", name.suffix), ("formatted", name.formatted),
            ("sortGiven", name.sortGiven), ("sortFamily", name.sortFamily),
        ] where !part.isEmpty {
            object.add(key, part)
        }
        object.add("nicknames", name.nicknames)
        return object
    }

    private static func parts(of point: ContactPoint) -> JSONObject {
        var object = JSONObject()
        let parts = PostalAddress(point)?.components ?? []
        for (key, part) in zip(PostalAddress.keys, parts) where !part.isEmpty { object.add(key, part) }
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
}

extension TondoSchema {
    /// One contact of a list in the order of the book.
    static func listed(
        _ contact: Contact, avatar: String? = nil, avatars: [UInt8]? = nil, longest: Int? = nil
    ) -> [UInt8] {
        var json: [UInt8] = []
        addListed(
            PackedContact(contact), headline: ContactHeadline(contact), avatar: avatar, avatars: avatars,
            longest: longest, to: &json)
        return json
    }
}
