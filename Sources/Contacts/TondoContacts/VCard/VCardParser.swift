package import SystemPackage

/// Parses one card after the other. Keeps no card; for one thread at a time.
package struct VCardParser {
    private let text: VCardText
    private let file: FilePath
    private let decoder = CharsetDecoder()

    /// `file`: for the places of the contacts.
    package init(text: VCardText, file: FilePath) {
        self.text = text
        self.file = file
    }

    /// The contact of a card of this text. Its id is the card's UID, or derived from its contents; `ContactMerger` makes
    /// ids unique in a book.
    package func contact(in card: VCardSpan) throws(ContactsError) -> Contact {
        // First: a card over the limit must not be converted or parsed.
        try text.limits.check(.card, found: card.bytes.count)
        if card.isStray { throw .malformed("lines of a contact without BEGIN:VCARD before them") }
        guard card.isClosed else { throw .malformed("no END:VCARD") }
        let bytes = UnsafeRawBufferPointer(rebasing: text.bytes[card.bytes])
        let result =
            text.layout.width == 1
            ? read(bytes, span: card)
            : UTF16Text.utf8(bytes, isBigEndian: text.layout.isBigEndian).withUnsafeBytes { read($0, span: card) }
        var (contact, photo) = try result.get()
        contact.photo = photo.map { self.photo(of: $0, in: card) }
        guard !contact.isEmpty else { throw .nothingInside }
        try text.limits.check(fieldsOf: contact, card: card.bytes)
        if contact.id.isEmpty { contact.id = contact.derivedID }
        contact.place = ContactLocation(file: file, line: card.line, bytes: card.bytes)
        return contact
    }

    private func read(
        _ card: UnsafeRawBufferPointer, span: VCardSpan
    ) -> Result<(Contact, VCardPhotoLine?), ContactsError> {
        let values = VCardTextValue(bytes: card, form: VCardForm(ends: span.lineEnds, card: card), decoder: decoder)
        var draft = VCardDraft(card: card, text: values, lacksInnerEnd: span.lacksInnerEnd)
        read(card, into: &draft)
        if let start = draft.beginnings.second {
            let line = span.line + lineEnds(in: card, values.form, before: start)
            return .failure(.malformed("another contact begins in it, in line \(line), without END:VCARD before"))
        }
        guard draft.isVersionLate else { return .success(draft.finished()) }
        // Values before the version have another meaning in vCard 2.1.
        var old = VCardDraft(card: card, text: values, lacksInnerEnd: span.lacksInnerEnd)
        old.text.keepsFoldBlanks = true
        read(card, into: &old)
        return .success(old.finished())
    }

    private func lineEnds(in card: UnsafeRawBufferPointer, _ form: VCardForm, before end: Int) -> Int {
        var (count, position) = (0, 0)
        while let found = form.ends.find(in: card, position..<end) {
            position = form.ends.next(after: found, in: card)
            count += 1
        }
        return count
    }

    private func read(_ card: UnsafeRawBufferPointer, into draft: inout VCardDraft) {
        var properties = VCardProperties(card: card, form: draft.text.form)
        while var line = properties.next() {
            guard let header = properties.header(of: &line) else { continue }
            draft.add(line, header: header)
        }
    }

    private func photo(of line: VCardPhotoLine, in card: VCardSpan) -> ContactPhoto {
        switch line.value {
        case .file(let path): return .file(path: path, crop: line.crop)
        case .remote(let url): return .remote(url: url)
        case .encoded(let range, let encoding):
            let bytes = place(of: range, in: card)
            let photo = EncodedPhoto(
                bytes, of: text.bytes, encoding: encoding, characterWidth: text.layout.width)
            return .inline(.encoded(photo), crop: line.crop)
        }
    }

    /// `range`: in the card's UTF-8.
    private func place(of range: Range<Int>, in card: VCardSpan) -> Range<Int> {
        let start = card.bytes.lowerBound
        guard text.layout.width == 2 else { return (start + range.lowerBound)..<(start + range.upperBound) }
        let bytes = UnsafeRawBufferPointer(rebasing: text.bytes[card.bytes])
        let ends = [range.lowerBound, range.upperBound].map {
            start + UTF16Text.offset(ofUTF8: $0, in: bytes, isBigEndian: text.layout.isBigEndian)
        }
        return ends[0]..<ends[1]
    }
}
