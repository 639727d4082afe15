internal import SystemPackage
internal import TondoText

/// A contact as its book has it, read again from its bytes there: a loaded book keeps only the fields of `Contact`.
package struct SourceCard {
    /// The whole card as UTF-8 with CR LF, ending with a line end; nil if the contact is not from a vCard.
    package private(set) var card: [UInt8]?
    /// The properties that `Contact` has no field for.
    package private(set) var properties: [CardProperty] = []

    /// `bytes`: the file's at the contact's place. Throws `contactMoved` if they are no longer that contact.
    package init(_ bytes: [UInt8], of contact: Contact) throws(ContactsError) {
        let text = Self.text(bytes)
        let isCard = text.withUnsafeBytes { text in
            VCardMark(UnsafeRawBufferPointer(rebasing: text.prefix { $0 != 0x0A && $0 != 0x0D })) == .begin
                || VCardLayout.sign(in: text) != nil
        }
        if !isCard {
            properties = Self.element(text).flatMap(TondoSchema.properties) ?? []
            return
        }
        let result = text.withUnsafeBytes { bytes -> Result<Self, ContactsError> in
            Result { () throws(ContactsError) in try Self(card: bytes, of: contact) }
        }
        self = try result.get()
    }

    private init(card bytes: UnsafeRawBufferPointer, of contact: Contact) throws(ContactsError) {
        let text = try VCardText(bytes)
        var cards = text.cards
        guard let span = cards.next() else { throw .contactMoved }
        let parser = VCardParser(text: text, file: contact.place?.file ?? "")
        let read = try parser.contact(in: span)
        guard read.isSame(as: contact) else { throw .contactMoved }
        let walk = CardWalk(card: UnsafeRawBufferPointer(rebasing: bytes[span.bytes]), span: span)
        card = walk.text
        var photo: Int?
        if case .inline(.encoded(let encoded), _)? = read.photo {
            photo = encoded.bytes.lowerBound - span.bytes.lowerBound
        }
        properties = walk.properties(missingFrom: contact, photo: photo)
    }

    /// In UTF-8, or the 8-bit character set of the file; without a byte-order mark.
    static func text(_ bytes: [UInt8]) -> [UInt8] {
        let layout = TextLayout(bytes)
        let text = bytes[layout.markCount...]
        guard layout.encoding.width == 2 else { return Array(text) }
        return text.withUnsafeBytes { UTF16Text.utf8($0, isBigEndian: layout.encoding == .bigEndian) }
    }

    private static func element(_ text: [UInt8]) -> JSONRecord? {
        guard text.first == UInt8(ascii: "{"), let root = (try? JSONTape(SourceText(text)))?.root
        else { return nil }
        return try? JSONRecord(value: root, path: "")
    }
}

extension Contact {
    /// The photo's text may have been in another encoding: it has a check of its own when it is decoded.
    fileprivate func isSame(as other: Contact) -> Bool {
        var (one, other) = (self, other)
        one.photo = nil
        other.photo = nil
        return one.hasSameContent(as: other)
    }
}
