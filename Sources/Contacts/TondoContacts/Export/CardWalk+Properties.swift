/// The card's properties, and those of them that a `Contact` has no field for.
extension CardWalk {
    private struct Entry {
        var property: CardProperty
        let step: Step
    }

    /// All but `BEGIN`, `END` and `VERSION`.
    var properties: [CardProperty] { entries.map(\.property) }

    private var entries: [Entry] {
        var entries: [Entry] = []
        var isInside = false
        for step in steps where !step.isFrame {
            if isInside, step.isInner {
                entries[entries.count - 1].property.value += "\n" + innerText(step)
                continue
            }
            isInside = step.isInner
            guard let header = step.header, step.isInner || header.field != .version else { continue }
            entries.append(Entry(property: property(step.line, header: header, keepsBase64: false), step: step))
        }
        return entries
    }

    private func innerText(_ step: Step) -> String {
        let parts = parts(of: step.line).map { text(Array($0)) }
        return parts.joined(separator: "\n")
    }

    /// What the fields of `contact`, as read from this card, do not hold. `photo`: the position of its photo's text. A
    /// group of lines stays together: a label without its line means nothing.
    func properties(missingFrom contact: Contact, photo: Int?) -> [CardProperty] {
        let entries = entries
        var fields = HeldFields(contact: contact, photo: photo, walk: self)
        let labelled = Set(
            entries.filter {
                [.phone, .email, .address, .url, .related, .appleRelated].contains($0.step.header?.field)
            }
            .compactMap { $0.step.header?.group })
        let isHeld = entries.map { entry in
            !entry.step.isInner && fields.holds(entry.step, property: entry.property, labelled: labelled)
        }
        let open = Set(zip(entries, isHeld).filter { !$1 }.compactMap { $0.0.property.group?.lowercased() })
        return zip(entries, isHeld).filter { entry, isHeld in
            !isHeld || entry.property.group.map { open.contains($0.lowercased()) } ?? false
        }.map(\.0.property)
    }
}

/// Decides which properties of a card are in the fields of its contact.
private struct HeldFields {
    private let contact: Contact
    private let photo: Int?
    private let walk: CardWalk
    /// Fields of which only one property counts, and it was seen.
    private var seen: Set<VCardField> = []

    init(contact: Contact, photo: Int?, walk: CardWalk) {
        self.contact = contact
        self.photo = photo
        self.walk = walk
    }

    mutating func holds(_ step: CardWalk.Step, property: CardProperty, labelled: Set<String>) -> Bool {
        guard let header = step.header, let field = header.field, field != .agent else { return false }
        if field.isPhoto { return isPhoto(step, header: header, field: field) }
        let text = walk.values.read(step.line, header: header, body: VCardValue.text)
        guard property.parameters.allSatisfy(Self.isKnown) else { return false }
        if text.isEmpty { return true }
        switch field {
        case .note, .categories, .otherCategories, .groupMembership, .member, .appleMember, .phone, .email, .address,
            .version, .nickname,
            .otherNickname, .nokiaNickname:
            return field != .address || hasComponents(step, header: header, most: 7)
        case .android: return contact.related.contains { text.contains(";\($0.value);") }
        case .begin, .end, .agent, .impp, .socialProfile, .appleSocialProfile, .appleDate: return false
        case .anniversary, .plainAnniversary, .evolutionAnniversary, .kdeAnniversary, .microsoftAnniversary:
            return isFirst(.anniversary) && CalendarDate.text(text) == contact.anniversary
        case _ where field.relation != nil: return contact.related.contains { $0.value == text }
        case .formatted: return text == contact.name.formatted
        case _ where field.isPage: return contact.websites.contains { $0.value == text }
        case .label: return header.group.map(labelled.contains) ?? false
        case .showAs: return ASCII.has("company", in: text)
        case .kind, .appleKind: return ["individual", "group", "org", "location"].contains(text.lowercased())
        case .uid: return isFirst(field) && VCardDraft.withoutURN(text) == contact.id
        case .organisation:
            let units = walk.values.read(step.line, header: header, body: VCardValue.units)
            return isFirst(field) && units == contact.organisation
        case .name: return isFirst(field) && hasComponents(step, header: header, most: 5)
        case .title: return isFirst(field) && text == contact.title
        case .role: return isFirst(field) && text == contact.role
        case .birthday: return isFirst(field) && CalendarDate.text(text) == contact.birthday
        case .revision: return text == contact.revision
        case .account:
            return header.parameters.service.flatMap { Messenger(word: $0) }.flatMap { contact.messengers[$0] } == text
        case .photo, .logo, .otherPhoto, .vip, .online, .chat: return true
        default: return false
        }
    }

    private mutating func isFirst(_ field: VCardField) -> Bool { seen.insert(field).inserted }

    /// Later components (RFC 9554 2.1 and 2.2) have no field.
    private func hasComponents(_ step: CardWalk.Step, header: VCardHeader, most: Int) -> Bool {
        walk.values.read(step.line, header: header) { value in
            var count = 0
            var last = 0
            VCardValue.forEachPart(value, separator: UInt8(ascii: ";")) { part in
                count += 1
                if !ASCII.trimmed(part).isEmpty { last = count }
            }
            return last <= most
        }
    }

    private mutating func isPhoto(_ step: CardWalk.Step, header: VCardHeader, field: VCardField) -> Bool {
        if let photo { return (step.line.start..<step.line.end).contains(photo) }
        guard field == .photo,
            let line = VCardPhotoLine(line: step.line, header: header, card: walk.card, text: walk.values)
        else { return false }
        switch (line.value, contact.photo) {
        case (.file(let path), .file(let own, _)?): return path == own && isFirst(.photo)
        case (.remote(let url), .remote(let own)?): return url == own && isFirst(.photo)
        default: return false
        }
    }

    /// Parameters that the fields hold, or that describe the text only.
    private static func isKnown(_ parameter: String) -> Bool {
        guard let equals = parameter.firstIndex(of: "=") else { return true }
        return ["TYPE", "PREF", "VALUE", "ENCODING", "LABEL"].contains(parameter[..<equals].uppercased().trimmed)
    }
}
