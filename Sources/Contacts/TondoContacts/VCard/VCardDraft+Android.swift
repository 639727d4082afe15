internal import TondoText

extension VCardDraft {
    /// What Android keeps beside the properties of vCard 2.1: the kind of the row, then its columns.
    mutating func addAndroidRow(_ line: VCardLines.Line, header: VCardHeader) {
        var columns: [String] = []
        text.read(line, header: header) { value in
            VCardValue.forEachPart(value, separator: UInt8(ascii: ";")) { columns.append(VCardValue.text($0)) }
        }
        guard columns.count > 1, let name = columns[1].filled else { return }
        let type = columns.count > 2 ? columns[2] : ""
        // A type of 0 has its word in the next column.
        let word = columns.count > 3 && type == "0" ? columns[3] : ""
        switch columns[0].lowercased().split(separator: "/").last {
        case "nickname": addNicknames([name])
        // ContactsContract.CommonDataKinds.Event.
        case "contact_event" where type == "1" || CalendarDate.isAnniversary(word):
            contact.anniversary = contact.anniversary ?? CalendarDate.text(name)
        case "contact_event" where type == "3": contact.birthday = contact.birthday ?? CalendarDate.text(name)
        case "relation":
            let types = Int(type).flatMap { 1...Self.relations.count ~= $0 ? [Self.relations[$0 - 1]] : nil } ?? []
            let point = ContactPoint(name, types: types, label: word.filled)
            if isNew(point, in: contact.related, header: header) { contact.related.append(point) }
        default: break
        }
    }

    /// In the order of their numbers (ContactsContract.CommonDataKinds.Relation), the first of which is 1.
    private static let relations = [
        "assistant", "brother", "child", "domestic partner", "father", "friend", "manager", "mother", "parent",
        "partner", "referred by", "relative", "sister", "spouse",
    ]
}
