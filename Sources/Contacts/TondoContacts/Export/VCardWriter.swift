private import FoundationEssentials
internal import SystemPackage
internal import TondoText

/// Writes contacts as vCard 4.0 (RFC 6350) from their fields.
package enum VCardWriter {
    /// `photo`: the bytes of an inline photo. `properties`: those that have no field, or replace a line of one.
    package static func card(_ contact: Contact, photo: [UInt8]?, properties: [CardProperty] = []) -> [UInt8] {
        let taken = Set(properties.compactMap { $0.group?.lowercased() })
        var contact = contact
        contact.social.removeAll { profile in properties.contains { Self.states(profile, in: $0) } }
        if properties.contains(where: { VCardField(rawValue: $0.name)?.isForSorting == true }) {
            contact.name.sortFamily = ""
            contact.name.sortGiven = ""
        }
        var lines = FieldLines(lines: lines(of: contact, photo: photo, taken: taken))
        for property in properties { lines.replace(with: property) }
        let head = CardProperty(name: "BEGIN", value: "VCARD")
        let all =
            [head, CardProperty(name: "VERSION", value: "4.0")] + lines.all + [
                CardProperty(name: "END", value: "VCARD")
            ]
        return all.flatMap { CardWalk.text(of: $0, isOld: false) }
    }

    /// A profile has more spellings than its field, so its own property goes out instead.
    private static func states(_ profile: ContactPoint, in property: CardProperty) -> Bool {
        (["IMPP", "SOCIALPROFILE", "X-SOCIALPROFILE"].contains(property.name)
            || VCardField.network(ofProperty: property.name) != nil)
            && ([property.value] + property.parameters).contains { $0.contains(profile.value.drop { $0 == "@" }) }
    }

    /// `taken`: names of groups that other lines have.
    private static func lines(of contact: Contact, photo: [UInt8]?, taken: Set<String>) -> [CardProperty] {
        var lines: [CardProperty] = []
        func add(_ name: String, value: String?, parameters: [String] = []) {
            guard let value, !value.isEmpty else { return }
            lines.append(CardProperty(name: name, parameters: parameters, value: value))
        }
        add("UID", value: escaped(contact.id))
        add("KIND", value: kinds[contact.kind])
        // Required (RFC 6350 6.2.1).
        let formatted = contact.name.formatted.isEmpty ? contact.displayName : contact.name.formatted
        lines.append(CardProperty(name: "FN", value: escaped(formatted)))
        let name = contact.name
        let parts = [name.family, name.given, name.additional, name.prefix, name.suffix]
        if parts.contains(where: { !$0.isEmpty }) {
            let sort = [name.sortFamily, name.sortGiven].map { $0.replacing(",", with: " ") }
            let isSorted = sort != ["", ""]
            add(
                "N", value: parts.map(escaped).joined(separator: ";"),
                parameters: isSorted ? ["SORT-AS=" + parameter(sort.joined(separator: ","))] : [])
        }
        add("NICKNAME", value: name.nicknames.map(escaped).joined(separator: ","))
        add("ORG", value: contact.organisation.map(escaped).joined(separator: ";"))
        add("TITLE", value: contact.title.map(escaped))
        add("ROLE", value: contact.role.map(escaped))
        add("NOTE", value: contact.introduction.map(escaped))
        lines += points(of: contact, taken: taken)
        for (name, day) in [("BDAY", contact.birthday), ("ANNIVERSARY", contact.anniversary)] {
            add(name, value: day.map(date), parameters: day.map(isDate) ?? true ? [] : ["VALUE=text"])
        }
        for messenger in Messenger.allCases {
            // An empty handle: the book states only that there is one.
            add(
                "X-" + messenger.rawValue.uppercased(),
                value: contact.messengers[messenger].map { $0.isEmpty ? "yes" : escaped($0) })
        }
        add("CATEGORIES", value: contact.groups.map { escaped($0.name) }.joined(separator: ","))
        add("REV", value: contact.revision.map(escaped))
        for member in contact.members { add("MEMBER", value: escaped(member)) }
        if contact.isVIP { add("X-TONDO-VIP", value: "1") }
        add("X-TONDO-ONLINE", value: contact.isOnline.map { $0 ? "1" : "0" })
        for message in contact.chatLog { add("X-TONDO-CHAT", value: escaped(message)) }
        if let line = self.photo(contact.photo, bytes: photo) { lines.append(line) }
        return lines
    }

    /// Without hyphens inside where RFC 6350 4.3.1 has no others: `--0415`.
    private static func date(_ text: String) -> String {
        isDate(text) && text.hasPrefix("--") ? "--" + text.filter { $0 != "-" } : escaped(text)
    }

    private static func isDate(_ text: String) -> Bool { text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2D } }

    private static let kinds: [Contact.Kind: String] = [.group: "group", .organisation: "org", .location: "location"]

    private static func points(of contact: Contact, taken: Set<String>) -> [CardProperty] {
        var lines: [CardProperty] = []
        var groups = 0
        func add(_ name: String, point: ContactPoint, value: String, parameters: [String] = []) {
            let types = point.types.map(parameter)
            var line = CardProperty(
                name: name, parameters: parameters + (types.isEmpty ? [] : ["TYPE=" + types.joined(separator: ",")]),
                value: value)
            guard let label = point.label else { return lines.append(line) }
            repeat { groups += 1 } while taken.contains("item\(groups)")
            line.group = "item\(groups)"
            lines += [line, CardProperty(group: line.group, name: "X-ABLABEL", value: escaped(label))]
        }
        for point in contact.phones { add("TEL", point: point, value: escaped(point.value)) }
        for point in contact.emails { add("EMAIL", point: point, value: escaped(point.value)) }
        for point in contact.websites { add("URL", point: point, value: point.value) }
        for point in contact.addresses {
            // Other programs may change the parts and leave the lines, so there are none where the parts say as much.
            add(
                "ADR", point: point, value: PostalAddress.components(of: point).map(escaped).joined(separator: ";"),
                parameters: PostalAddress(point)?.composed == point.value ? [] : ["LABEL=" + parameter(point.value)])
        }
        for point in contact.social {
            add("SOCIALPROFILE", point: point, value: escaped(point.value), parameters: kind(of: point))
        }
        for point in contact.related {
            add("RELATED", point: point, value: escaped(point.value), parameters: kind(of: point))
        }
        return lines
    }

    /// Both are addresses unless they say otherwise (RFC 6350 6.6.6, RFC 9554 3.5).
    private static func kind(of point: ContactPoint) -> [String] {
        ["urn:", "http:", "https:", "mailto:", "tel:"].contains { ASCII.has($0, in: point.value) } ? [] : ["VALUE=text"]
    }

    private static func photo(_ photo: ContactPhoto?, bytes: [UInt8]?) -> CardProperty? {
        switch photo {
        case .inline(_, let crop)?:
            guard let bytes else { return nil }
            let data = "data:\(MediaType.of(bytes));base64," + Data(bytes).base64EncodedString()
            return CardProperty(name: "PHOTO", parameters: parameters(crop), value: data)
        case .file(let path, let crop)?:
            return CardProperty(
                name: "PHOTO", parameters: ["VALUE=uri"] + parameters(crop),
                value: PercentEncoding.encode(path, as: .filePath))
        case .remote(let url)?: return CardProperty(name: "PHOTO", parameters: ["VALUE=uri"], value: url)
        case nil: return nil
        }
    }

    private static func parameters(_ crop: PhotoCrop?) -> [String] { crop.map { [$0.parameter] } ?? [] }

    /// RFC 6350 3.4.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\", ",", ";": escaped += "\\" + String(character)
            case "\n", "\r\n", "\r": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// A parameter's value, quoted if it must be (RFC 6350 5, RFC 6868).
    package static func parameter(_ text: String) -> String {
        let plain = text.replacing("^", with: "^^").replacing("\"", with: "^'").replacing("\r\n", with: "^n")
            .replacing("\n", with: "^n")
        return plain.contains { ",;: ".contains($0) } ? "\"\(plain)\"" : plain
    }
}
