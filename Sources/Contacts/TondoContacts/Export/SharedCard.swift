private import FoundationEssentials

/// A contact as one gives it to others, as vCard 3.0 (RFC 2426), which phones read better than 4.0: names, organisation,
/// numbers, addresses, birthday and messengers. Notes, groups, messages and what has no field stay with the owner of the
/// book; `BookExport` writes all.
package struct SharedCard {
    private let contact: Contact
    /// What a business card has beside the names, the most wanted first.
    private var brief: [CardProperty] = []
    private var rest: [CardProperty] = []

    /// The most bytes of each name in a brief card whose names take more than `mostOfNames`.
    private static let longestName = 80
    private static let mostOfNames = 600

    package init(_ contact: Contact) {
        self.contact = contact
        brief =
            Self.line("ORG", parts: contact.organisation, by: ";") + Self.line("TITLE", parts: [contact.title ?? ""])
        for (name, points) in [("TEL", contact.phones), ("EMAIL", contact.emails)] {
            brief += points.flatMap { Self.line(name, parts: [$0.value], types: $0.types) }
        }
        // As they are: a comma of an address is none of a list.
        brief += contact.websites.filter { !$0.value.isEmpty }.map { CardProperty(name: "URL", value: $0.value) }
        rest =
            Self.line("NICKNAME", parts: contact.name.nicknames, by: ",")
            + Self.line("ROLE", parts: [contact.role ?? ""])
        for address in contact.addresses {
            rest += Self.line("ADR", parts: PostalAddress.components(of: address), by: ";", types: address.types)
        }
        rest += Self.line("BDAY", parts: [contact.birthday ?? ""])
        for messenger in Messenger.allCases {
            rest += Self.line("X-" + messenger.rawValue.uppercased(), parts: [contact.messengers[messenger] ?? ""])
        }
    }

    /// A whole file, with CR LF. `photo`: a PNG.
    package func file(photo: [UInt8]? = nil) -> [UInt8] {
        let photo = photo.map {
            CardProperty(
                name: "PHOTO", parameters: ["ENCODING=b", "TYPE=PNG"], value: Data($0).base64EncodedString())
        }
        let lines = Self.names(of: contact) + brief + rest + [photo].compactMap(\.self)
        return Self.framed(lines.flatMap { CardWalk.text(of: $0, isOld: false) })
    }

    /// The card with the names and the first lines of what a business card has, as many as fit into `limit` bytes. The names
    /// are there in any case, and take 1,100 bytes at most. No line is folded: scanners of QR codes do not all join them.
    package func brief(limit: Int) -> [UInt8] {
        var text = Self.unfolded(Self.names(of: contact))
        if text.count > Self.mostOfNames { text = Self.unfolded(Self.names(of: contact, longest: Self.longestName)) }
        let room = limit - Self.framed([]).count
        for line in brief {
            let line = Self.unfolded([line])
            guard text.count + line.count <= room else { break }
            text += line
        }
        return Self.framed(text)
    }

    private static func framed(_ lines: [UInt8]) -> [UInt8] {
        Array("BEGIN:VCARD\r\nVERSION:3.0\r\n".utf8) + lines + "END:VCARD\r\n".utf8
    }

    private static func unfolded(_ lines: [CardProperty]) -> [UInt8] {
        lines.flatMap { CardWalk.text(of: $0, isOld: true) }
    }

    /// Both are required (RFC 2426 5). `longest`: bytes of each name.
    private static func names(of contact: Contact, longest: Int = .max) -> [CardProperty] {
        let name = contact.name
        let formatted = name.formatted.isEmpty ? contact.displayName : name.formatted
        var parts = [name.family, name.given, name.additional, name.prefix, name.suffix]
        // Phones show the parts, and not the whole name.
        if parts.allSatisfy(\.isEmpty) { parts[contact.kind == .organisation ? 0 : 1] = formatted }
        func value(_ text: String) -> String {
            var short = text
            short.shorten(to: longest)
            return VCardWriter.escaped(short)
        }
        return [
            CardProperty(name: "N", value: parts.map(value).joined(separator: ";")),
            CardProperty(name: "FN", value: value(formatted)),
        ]
    }

    /// None without a text. `types`: words alone; others are the business of one program.
    private static func line(
        _ name: String, parts: [String], by separator: String = "", types: [String] = []
    ) -> [CardProperty] {
        guard parts.contains(where: { !$0.isEmpty }) else { return [] }
        let words = types.filter { type in
            !["internet", "voice", "pref"].contains(type)
                && type.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
        }
        return [
            CardProperty(
                name: name, parameters: words.map { "TYPE=" + $0 },
                value: parts.map(VCardWriter.escaped).joined(separator: separator))
        ]
    }
}
