internal import SystemPackage

/// The photo of one vCard as it is stored there, and another one in its place. Pure: a text in, a text out.
///
/// Every byte that is not the photo's stays: the photo's lines change, and the value of REV, where the card has one (RFC 6350
/// 6.7.4). The result is read back before it is returned.
package struct CardPhoto {
    /// What a card gets.
    package struct Replacement: Sendable {
        /// A picture: JPEG, PNG, GIF or WebP.
        package let bytes: [UInt8]
        /// The part to show; nil: all of it.
        package let crop: PhotoCrop?

        package init(bytes: [UInt8], crop: PhotoCrop? = nil) {
            self.bytes = bytes
            self.crop = crop
        }
    }

    /// The card with another photo. One that several PHOTO lines state has one afterwards, also where a line was empty: readers
    /// take the first one, the last one or the empty one. A LOGO stays.
    ///
    /// `card`: its bytes in its file, without a byte-order mark, in any encoding of vCards. `replacement`: nil removes the
    /// photo. `now`: seconds since 1970. Throws `refused` where the card would be read as another one, and the errors of
    /// `VCardParser`.
    package static func replaced(
        in card: [UInt8], by replacement: Replacement?, now: Int
    ) throws(ContactsError) -> [UInt8] {
        let former = try ReadCard(card)
        let edits = former.read { CardEdits($0, replacement: replacement, now: now) }
        let changed = edits.applied(to: card, former: former)
        try check(try ReadCard(changed), former: former, replacement: replacement)
        return changed
    }

    private static func check(_ changed: ReadCard, former: ReadCard, replacement: Replacement?) throws(ContactsError) {
        guard changed.contact.hasSameContentBesidePhoto(as: former.contact), changed.others == former.others else {
            throw .refused("other properties of the contact would be lost or changed")
        }
        guard let replacement else {
            guard changed.contact.photo == nil else {
                throw .refused("its picture is the LOGO of the card, which is no photo")
            }
            return
        }
        guard case .inline(.encoded(let text), let crop)? = changed.contact.photo, crop == replacement.crop,
            try changed.decoded(text) == replacement.bytes
        else { throw .refused("the photo could not be read from it again") }
    }
}

extension Contact {
    /// Ignores the photo, the date of change and what merging a book adds.
    package func hasSameContentBesidePhoto(as other: Contact) -> Bool {
        withoutPhoto.hasSameContent(as: other.withoutPhoto)
    }

    /// Without what changes with a photo.
    var withoutPhoto: Contact {
        var contact = self
        contact.photo = nil
        contact.revision = nil
        return contact
    }
}

/// A card that was read, with the bytes of its lines.
private struct ReadCard {
    let contact: Contact
    /// The properties that have nothing to do with the photo, each with its bytes.
    let others: [[UInt8]]
    /// In UTF-8, or the 8-bit character set of the file.
    let text: [UInt8]
    let layout: TextLayout
    private let span: VCardSpan
    private let card: [UInt8]

    init(_ card: [UInt8]) throws(ContactsError) {
        self.card = card
        layout = TextLayout(card)
        let isBigEndian = layout.encoding == .bigEndian
        // A mark that stands before a card in the middle of its file is a part of the text.
        text =
            layout.encoding.width == 1 ? card : card.withUnsafeBytes { UTF16Text.utf8($0, isBigEndian: isBigEndian) }
        let read = card.withUnsafeBytes { Self.contact($0) }
        contact = try read.get()
        let found = text.withUnsafeBytes { bytes in try? VCardText(bytes).cards.first { _ in true } }
        guard let found else { throw .contactMoved }
        span = found
        others = Self.walk(text, span: span) { walk in
            walk.steps.filter { !$0.isPhoto && !$0.isRevision }.map { Array(walk.card[$0.line.start..<$0.line.end]) }
        }
    }

    private static func contact(_ card: UnsafeRawBufferPointer) -> Result<Contact, ContactsError> {
        Result { () throws(ContactsError) in
            let text = try VCardText(card)
            var cards = text.cards
            guard let span = cards.next(), span.bytes == 0..<card.count else { throw .contactMoved }
            return try VCardParser(text: text, file: "").contact(in: span)
        }
    }

    private static func walk<R>(_ text: [UInt8], span: VCardSpan, body: (CardWalk) -> R) -> R {
        text.withUnsafeBytes { body(CardWalk(card: UnsafeRawBufferPointer(rebasing: $0[span.bytes]), span: span)) }
    }

    func read<R>(_ body: (CardWalk) -> R) -> R { Self.walk(text, span: span, body: body) }

    /// The bytes of a photo in the card.
    func decoded(_ photo: EncodedPhoto) throws(ContactsError) -> [UInt8] {
        let result = card.withUnsafeBytes { bytes in
            Result { () throws(ContactsError) in
                try photo.decoded(from: UnsafeRawBufferPointer(rebasing: bytes[photo.bytes]))
            }
        }
        return try result.get()
    }

    /// The position in the card of one in the text.
    func offset(_ position: Int) -> Int {
        guard layout.encoding.width == 2 else { return position }
        return card.withUnsafeBytes { bytes in
            UTF16Text.offset(ofUTF8: position, in: bytes, isBigEndian: layout.encoding == .bigEndian)
        }
    }
}

extension CardWalk.Step {
    /// It stands for the photo of the card itself, whether or not it is the one that is shown.
    fileprivate var isPhoto: Bool { !isInner && !isFrame && (header?.field == .photo || header?.field == .otherPhoto) }
    fileprivate var isRevision: Bool { !isInner && !isFrame && header?.field == .revision }
}

/// The places of a card that change with its photo, and their new texts.
private struct CardEdits {
    private struct Edit {
        /// In the text.
        let range: Range<Int>
        /// In ASCII.
        let text: [UInt8]
    }

    private var edits: [Edit] = []
    private let version: PhotoLine.Version
    private let lineEnd: [UInt8]

    init(_ walk: CardWalk, replacement: CardPhoto.Replacement?, now: Int) {
        version = Self.version(of: walk)
        lineEnd = Self.lineEnd(of: walk)
        let photos = walk.steps.filter(\.isPhoto)
        let place = photos.first { $0.header?.field == .photo } ?? photos.first
        for step in photos {
            let isPlace = step.line.start == place?.line.start
            let text = isPlace ? replacement.map { line($0, in: walk, insteadOf: step) } : nil
            edits.append(edit(of: step, in: walk, text: text ?? []))
        }
        if place == nil, let replacement { insert(replacement, into: walk) }
        // A card whose photo is as before keeps its date.
        if edits.isEmpty { return }
        for step in walk.steps where step.isRevision {
            guard let header = step.header else { continue }
            let former = walk.values.read(step.line, header: header, body: VCardValue.text)
            let text = Array(Revision.text(like: former, version: version, now: now).utf8)
            edits.append(Edit(range: min(header.valueStart, step.line.end)..<step.line.end, text: text))
        }
    }

    /// The card with the edits; in another encoding than the text, if the file has another one.
    func applied(to card: [UInt8], former: ReadCard) -> [UInt8] {
        var output: [UInt8] = []
        var position = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            output += card[position..<former.offset(edit.range.lowerBound)]
            output += former.layout.encoding.bytes(ascii: edit.text)
            position = former.offset(edit.range.upperBound)
        }
        return output + card[position...]
    }

    /// The lines of the photo, from the beginning of the first to the end of the last one.
    private func edit(of step: CardWalk.Step, in walk: CardWalk, text: [UInt8]) -> Edit {
        let (card, ends) = (walk.card, walk.form.ends)
        var start = step.line.start
        while start > 0, start > step.line.start - walk.form.indent, ASCII.isIndent(card[start - 1]) { start -= 1 }
        let found = ends.find(in: card, step.line.end..<card.count)
        var end = found.map { ends.next(after: $0, in: card) } ?? card.count
        // In vCard 2.1 an empty line ends the value.
        if version == .old, found != nil, end < card.count, card[end] == 0x0A || card[end] == 0x0D {
            end = ends.next(after: end, in: card)
        }
        // Behind the BEGIN, whose line end is lost.
        let isJoined = start > 0 && card[start - 1] != 0x0A && card[start - 1] != 0x0D
        return Edit(range: start..<end, text: (isJoined ? lineEnd : []) + text)
    }

    private func line(
        _ replacement: CardPhoto.Replacement, in walk: CardWalk, insteadOf step: CardWalk.Step?
    ) -> [UInt8] {
        let head = step.flatMap { step in
            step.header.map { walk.text(UnfoldedHeader(step.line.start..<($0.valueStart - 1), in: walk.card).bytes) }
        }
        let group = head.flatMap { CardProperty(head: $0, value: "").group }
        return PhotoLine(version: version, group: group.flatMap { $0.utf8.allSatisfy { $0 < 0x80 } ? $0 : nil })
            .text(replacement, lineEnd: lineEnd, indent: walk.form.indent)
    }

    /// Before the END.
    private mutating func insert(_ replacement: CardPhoto.Replacement, into walk: CardWalk) {
        guard let last = walk.steps.last(where: { $0.header?.field == .end && $0.isFrame }) else { return }
        var start = last.line.start
        while start > 0, walk.card[start - 1] != 0x0A, walk.card[start - 1] != 0x0D { start -= 1 }
        edits.append(Edit(range: start..<start, text: line(replacement, in: walk, insteadOf: nil)))
    }

    private static func version(of walk: CardWalk) -> PhotoLine.Version {
        for step in walk.steps where !step.isInner && step.header?.field == .version {
            guard let header = step.header else { continue }
            switch walk.values.read(step.line, header: header, body: VCardValue.text) {
            case "2.1": return .old
            case "4.0": return .new
            default: return .middle
            }
        }
        return .middle
    }

    /// That of the card's first line.
    private static func lineEnd(of walk: CardWalk) -> [UInt8] {
        let (card, ends) = (walk.card, walk.form.ends)
        guard let end = ends.find(in: card, 0..<card.count) else { return CardWalk.lineEnd }
        let start = ends.contentEnd(from: 0, to: end, in: card)
        return Array(card[start..<ends.next(after: end, in: card)])
    }
}

extension ASCII {
    fileprivate static func isIndent(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension TextLayout.Encoding {
    fileprivate func bytes(ascii: [UInt8]) -> [UInt8] {
        switch self {
        case .bytes: ascii
        case .littleEndian: ascii.flatMap { [$0, 0] }
        case .bigEndian: ascii.flatMap { [0, $0] }
        }
    }
}
