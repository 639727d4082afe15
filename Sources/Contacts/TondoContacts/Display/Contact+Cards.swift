extension Contact {
    /// The cards of a contact with all of their rows; none is empty.
    package var cards: [Card] {
        let cards = [
            nameCard, phonesCard, emailsCard, messengersCard, socialCard, addressesCard, websitesCard, birthdayCard,
            anniversaryCard, groupsCard, relatedCard, organisationCard, noteCard, chatCard, sourceCard,
        ]
        return cards.compactMap(\.self)
    }

    private var nameCard: Card {
        var card = Card("name", [.init("displayName", ContactHeadline(self).displayName)])
        if kind != .individual { card.rows.append(.init("kind", kind.rawValue)) }
        let parts = [
            ("prefix", name.prefix), ("given", name.given), ("additional", name.additional), ("family", name.family),
            ("suffix", name.suffix),
        ]
        let rows = (parts + name.nicknames.map { ("nickname", $0) }).filter { !$0.1.isEmpty }
        card.further = rows.isEmpty ? nil : rows.map { .init($0.0, $0.1) }
        card.header = isVIP ? "vip" : nil
        card.footer = isOnline.map { $0 ? "online" : "offline" }
        card.preview = Card.Preview(
            title: card.rows[0].value, rows: [phonesCard, emailsCard].compactMap { $0?.rows.first })
        card.spacing = 0
        return card
    }

    private var phonesCard: Card? {
        Card(
            "phones",
            ifAny: phones.map { phone in
                row(phone, shown: PhoneMask.masked(phone.value), link: ContactLink.call(phone.value), usual: "phone")
            })
    }

    private var emailsCard: Card? {
        Card("emails", ifAny: emails.map { row($0, shown: $0.value, link: ContactLink.mail($0.value), usual: "email") })
    }

    private var addressesCard: Card? {
        Card(
            "addresses",
            ifAny: addresses.map { row($0, shown: $0.value, link: ContactLink.map($0.value), usual: "address") })
    }

    private var websitesCard: Card? {
        Card(
            "websites",
            ifAny: websites.map { row($0, shown: $0.value, link: ContactLink.website($0.value), usual: "website") })
    }

    private var birthdayCard: Card? {
        guard let birthday, !birthday.isEmpty else { return nil }
        return Card("birthday", [.init("birthday", birthday)])
    }

    private var anniversaryCard: Card? {
        guard let anniversary, !anniversary.isEmpty else { return nil }
        return Card("anniversary", [.init("anniversary", anniversary)])
    }

    private var socialCard: Card? {
        Card(
            "social",
            ifAny: social.map { profile in
                let isLink = profile.value.lowercased().hasPrefix("http")
                return row(
                    profile, shown: profile.value, link: isLink ? ContactLink.website(profile.value) : nil,
                    usual: "profile")
            })
    }

    /// Clients find the people that are in the book by their names and ids.
    private var relatedCard: Card? {
        Card("related", ifAny: related.map { row($0, shown: $0.value, link: nil, usual: "related") })
    }

    private func row(_ point: ContactPoint, shown: String, link: String?, usual: String) -> Card.Row {
        let types = point.types.filter { !Self.isOfMachines($0) }
        let label = point.label ?? types.first ?? usual
        let note = (point.label == nil ? types.dropFirst() : types[...]).joined(separator: ", ")
        return Card.Row(label, shown, link: link, note: note.isEmpty ? nil : note)
    }

    /// Types that say nothing to people: every e-mail address is "internet", every phone has a "voice".
    private static func isOfMachines(_ type: String) -> Bool {
        type.hasPrefix("x-") || ["internet", "voice", "pref", "msg", "dom", "intl", "postal", "parcel"].contains(type)
    }

    private var messengersCard: Card? {
        let rows = Messenger.allCases.compactMap { messenger in
            messengers[messenger].map { handle in
                Card.Row(
                    messenger.rawValue, PhoneMask.masked(handle),
                    link: ContactLink.message(handle, messenger: messenger))
            }
        }
        return Card("messengers", ifAny: rows)
    }

    private var groupsCard: Card? {
        Card("groups", ifAny: groups.map { .init("group", $0.name, note: $0.online.map { String($0) }) })
    }

    private var organisationCard: Card? {
        let units = organisation.enumerated().map { ($0 == 0 ? "organisation" : "department", $1) }
        let rows = units + [("title", title ?? ""), ("role", role ?? "")]
        return Card("organisation", ifAny: rows.filter { !$0.1.isEmpty }.map { .init($0.0, $0.1) })
    }

    private var noteCard: Card? {
        guard let introduction, !introduction.isEmpty else { return nil }
        var card = Card("note", [.init("", introduction)])
        // Longer than a few lines.
        if introduction.utf8.count > 400 { card.fold = true }
        return card
    }

    /// The book does not say which side wrote a message.
    private var chatCard: Card? {
        var card = Card("chat", ifAny: chatLog.map { .init("", $0) })
        card?.header = String(chatLog.count)
        card?.fold = false
        return card
    }

    private var sourceCard: Card? {
        var card = Card("source", revision.map { [.init("revision", $0)] } ?? [])
        card.further = [.init("id", id)]
        card.fold = true
        return card
    }
}

extension Card {
    fileprivate init?(_ type: String, ifAny rows: [Row]) {
        if rows.isEmpty { return nil }
        self.init(type, rows)
    }
}
