/// The limits of one file of an address book. A larger card is refused and the others are read; if a file has more
/// cards, the first ones are read; a larger file is refused as a whole. So the memory of reading is bounded by the
/// largest allowed card, and a malicious book costs no more than an ordinary one.
package struct BookLimits: Hashable, Sendable {
    /// The limited quantities.
    package enum Subject: String, Hashable, Sendable {
        /// Bytes of a file.
        case file
        /// Bytes of a file in UTF-16 that must be converted before it can be read: all formats except vCard.
        case wideFile
        /// Bytes of one card, record, row or element, its photo included.
        case card
        /// Bytes of one text of a contact, such as a note. Photos are bounded by `card` alone.
        case field
        /// Cards of one file, groups and broken ones included.
        case cards
        /// Values of a JSON file, or elements of a property list.
        case values
        /// Columns of a table.
        case columns
    }

    /// A larger file is refused as a whole.
    package var fileBytes = 4 << 30
    /// Less than `fileBytes`, because the converted text of such a file lies in memory as a whole.
    package var wideFileBytes = 64 << 20
    /// Most of it is for a photo in base64, which takes a third more than its bytes.
    package var cardBytes = 64 << 20
    /// Checked after the text was unfolded and unescaped.
    package var fieldBytes = 8 << 20
    /// Further cards are left out, with one failure for the file.
    package var cards = 250_000
    /// Bounds the memory of the index that JSON and XML need before anything of them is read.
    package var values = 8_000_000
    /// The most that Excel has.
    package var columns = 16_384
    /// The number of failures of one file that are reported in full; the rest is counted.
    package var failures = 1_000
    /// Groups of one contact, including groups whose cards name it. Further ones are left out.
    package var groupsOfContact = 1_000

    package init() {}

    /// The limits of all programs; tests set smaller ones.
    package static let standard = BookLimits()

    /// Bytes or a number, by the subject.
    package func limit(_ subject: Subject) -> Int {
        switch subject {
        case .file: fileBytes
        case .wideFile: wideFileBytes
        case .card: cardBytes
        case .field: fieldBytes
        case .cards: cards
        case .values: values
        case .columns: columns
        }
    }

    /// Throws `overLimit` if the limit is exceeded.
    package func check(_ subject: Subject, found: Int) throws(ContactsError) {
        let limit = limit(subject)
        if found > limit { throw .overLimit(subject, found: found, limit: limit) }
    }

    /// Throws if one of the contact's texts is too long. `card`: the bytes it was read from.
    func check(fieldsOf contact: Contact, card: Range<Int>) throws(ContactsError) {
        // No text is longer than its source, except for a few escapes.
        if card.count <= fieldBytes / 4 { return }
        try check(.field, found: contact.longestText)
    }
}

extension Contact {
    /// Bytes of its longest text.
    fileprivate var longestText: Int {
        var texts = [id, name.formatted, name.family, name.given, name.additional, name.prefix, name.suffix]
        texts += [name.sortGiven, name.sortFamily] + name.nicknames + organisation + chatLog + members
        texts += [title, role, introduction, birthday, anniversary, revision].compactMap { $0 }
        for point in phones + emails + addresses + websites + social + related {
            texts += [point.value, point.label ?? ""] + point.types
        }
        texts += groups.flatMap { [$0.id, $0.name] } + messengers.values
        switch photo {
        case .file(let address, _)?, .remote(let address)?: texts.append(address)
        case .inline?, nil: break
        }
        return texts.reduce(0) { max($0, $1.utf8.count) }
    }
}
