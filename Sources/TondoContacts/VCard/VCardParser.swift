package import SystemPackage

/// Parses one card after the other. Keeps no card; for one thread at a time.
package struct VCardParser {
    private let text: VCardText
    private let file: FilePath
    private let decoder = CharsetDecoder()

    /// `file`: for the places of the contacts.
    package init(_ text: VCardText, file: FilePath) { (self.text, self.file) = (text, file) }

    /// The contact of a card of this text. Its id is the card's UID, or derived from its contents; `ContactMerger` makes
    /// ids unique in a book.
    package func contact(in card: VCardSpan) throws(ContactsError) -> Contact {
        try text.limits.check(.card, card.bytes.count)
        guard card.isClosed else { throw .malformed("no END:VCARD") }
        let bytes = UnsafeRawBufferPointer(rebasing: text.bytes[card.bytes])
        var (contact, photo) =
            text.layout.width == 1
            ? read(bytes, card)
            : UTF16Text.utf8(bytes, isBigEndian: text.layout.isBigEndian).withUnsafeBytes { read($0, card) }
        contact.photo = photo.map { self.photo(of: $0, in: card) }
        guard !contact.isEmpty else { throw .nothingInside }
        try text.limits.check(fieldsOf: contact, card: card.bytes)
        if contact.id.isEmpty { contact.id = contact.derivedID }
        contact.place = ContactLocation(file: file, line: card.line, bytes: card.bytes)
        return contact
    }

    private func read(_ card: UnsafeRawBufferPointer, _ span: VCardSpan) -> (Contact, VCardPhotoLine?) {
        let values = VCardTextValue(card, newline: text.layout.newline, decoder: decoder)
        var draft = VCardDraft(card, values, lacksInnerEnd: span.lacksInnerEnd)
        read(card, into: &draft)
        guard draft.isVersionLate else { return draft.finished() }
        // Values before the version have another meaning in vCard 2.1.
        var old = VCardDraft(card, values, lacksInnerEnd: span.lacksInnerEnd)
        old.text.keepsFoldBlanks = true
        read(card, into: &old)
        return old.finished()
    }

    private func read(_ card: UnsafeRawBufferPointer, into draft: inout VCardDraft) {
        var lines = VCardLines(card, newline: text.layout.newline)
        while var line = lines.next() {
            guard let header = header(of: line, in: card) else { continue }
            switch header.parameters.encoding {
            case .quotedPrintable: lines.extendQuotedPrintable(&line)
            case .base64: lines.extendBase64(&line)
            case .none where header.field == .photo: lines.extendBase64(&line)
            case .none: break
            }
            draft.add(line, header)
        }
    }

    /// Nil for a line that is not a property.
    private func header(of line: VCardLines.Line, in card: UnsafeRawBufferPointer) -> VCardHeader? {
        let first = UnsafeRawBufferPointer(rebasing: card[line.start..<line.firstEnd])
        if var header = VCardHeader(first, isWhole: !line.isFolded) {
            header.move(by: line.start)
            return header
        }
        return line.isFolded ? foldedHeader(of: line, in: card) : nil
    }

    /// A header that continues after a fold, such as one with a crop rectangle.
    private func foldedHeader(of line: VCardLines.Line, in card: UnsafeRawBufferPointer) -> VCardHeader? {
        // Headers are shorter, and a photo after it should not be copied.
        let end = min(line.end, line.start + 65_536)
        var (unfolded, origins): ([UInt8], [Int]) = ([], [])
        var position = line.start
        while position < end {
            if card[position] == text.layout.newline || card[position] == 0x0D {
                position += 1
                if position < end, card[position] == 0x20 || card[position] == 0x09 { position += 1 }
                continue
            }
            unfolded.append(card[position])
            origins.append(position)
            position += 1
        }
        guard var header = unfolded.withUnsafeBytes({ VCardHeader($0, isWhole: true) }) else { return nil }
        let colon = header.valueStart - 1
        header.move(by: origins[colon] - colon)
        return header
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
