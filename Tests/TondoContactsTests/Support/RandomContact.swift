import TondoTestSupport

@testable import TondoContacts

/// A contact with anything in any of its properties.
func randomContact(_ numbers: inout SplitMix64) -> Contact {
    var contact = Contact(id: "id" + text(&numbers))
    contact.kind = Contact.Kind.allCases.randomElement(using: &numbers) ?? .individual
    contact.name.given = text(&numbers)
    contact.name.family = text(&numbers)
    contact.name.additional = text(&numbers)
    contact.name.prefix = text(&numbers)
    contact.name.suffix = text(&numbers)
    contact.name.formatted = text(&numbers)
    contact.name.sortGiven = text(&numbers)
    contact.name.sortFamily = text(&numbers)
    contact.name.nicknames = some(&numbers, text)
    contact.organisation = some(&numbers, text)
    contact.title = maybe(&numbers, text)
    contact.role = maybe(&numbers, text)
    contact.introduction = maybe(&numbers, text)
    contact.phones = some(&numbers, point)
    contact.emails = some(&numbers, point)
    contact.addresses = some(&numbers) { Bool.random(using: &$0) ? point(&$0) : ContactPoint(randomAddress(&$0, text)) }
    contact.websites = some(&numbers, point)
    contact.birthday = maybe(&numbers, text)
    contact.anniversary = maybe(&numbers, text)
    contact.social = some(&numbers, point)
    contact.related = some(&numbers, point)
    for messenger in some(&numbers, { Messenger.allCases.randomElement(using: &$0) }) {
        if let messenger { contact.messengers[messenger] = text(&numbers) }
    }
    contact.groups = some(&numbers) { ContactGroup(text(&$0), id: maybe(&$0, text), online: maybe(&$0, whole)) }
    contact.isOnline = maybe(&numbers) { Bool.random(using: &$0) }
    contact.isVIP = Bool.random(using: &numbers)
    contact.chatLog = some(&numbers, text)
    contact.revision = maybe(&numbers, text)
    contact.photo = maybe(&numbers, photo)
    contact.members = some(&numbers, text)
    return contact
}

private func text(_ numbers: inout SplitMix64) -> String {
    let pieces = [
        "", "Ada", "Ж", "\"", "\\", "/", "\u{0}", "\u{7F}", "\r\n", "\t", "\u{2028}", "😀", "e\u{301}", "\u{FFFD}",
        "{[,:]}",
        "\u{FEFF}", "  ",
    ]
    return some(&numbers, { pieces.randomElement(using: &$0) ?? "" }).joined()
}

private func some<Value>(_ numbers: inout SplitMix64, _ make: (inout SplitMix64) -> Value) -> [Value] {
    (0..<Int.random(in: 0...3, using: &numbers)).map { _ in make(&numbers) }
}

private func maybe<Value>(_ numbers: inout SplitMix64, _ make: (inout SplitMix64) -> Value) -> Value? {
    Bool.random(using: &numbers) ? make(&numbers) : nil
}

private func whole(_ numbers: inout SplitMix64) -> Int {
    [0, 1, -1, Int.max, Int.min].randomElement(using: &numbers) ?? 0
}

/// Any of its parts may be empty. `text`: of a part.
func randomAddress(_ numbers: inout SplitMix64, _ text: (inout SplitMix64) -> String) -> PostalAddress {
    var address = PostalAddress()
    for part in PostalAddress.Part.allCases where Int.random(in: 0...2, using: &numbers) > 0 {
        if part != .formatted || Bool.random(using: &numbers) { address[part] = text(&numbers) }
    }
    return address
}

private func point(_ numbers: inout SplitMix64) -> ContactPoint {
    ContactPoint(text(&numbers), types: some(&numbers, text), label: maybe(&numbers, text))
}

private func photo(_ numbers: inout SplitMix64) -> ContactPhoto {
    let crop = maybe(&numbers) {
        PhotoCrop(x: whole(&$0), y: whole(&$0), width: whole(&$0), height: whole(&$0))
    }
    switch Int.random(in: 0...2, using: &numbers) {
    case 0:
        let bytes = (0..<Int.random(in: 0...50, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers)
        }
        return .inline(.bytes(bytes), crop: crop)
    case 1: return .file(path: text(&numbers), crop: crop)
    default: return .remote(url: text(&numbers))
    }
}
