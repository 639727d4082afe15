internal import SystemPackage
internal import TondoText

extension TrashRecord {
    /// The file with the contact restored. `file`: its present bytes, empty if it was deleted.
    ///
    /// An unchanged file becomes what it was before, byte for byte. In a changed one, the contact returns between its
    /// old neighbours; if these are gone, to the end of the book, in the encoding and with the line ends of the present
    /// file. The result is read back: it contains every contact of `file`, in its order and with equal content, and the
    /// restored one. Throws `refused` if that is impossible, and `contactMoved` for a property list without the
    /// neighbours, since it has no single end. A changed contact: see `reverted`.
    package func restored(into file: [UInt8]) throws(ContactsError) -> [UInt8] {
        if isChange { return try Self.reverted([self], in: file).file }
        let former = try formerContacts(of: file)
        var problem = ContactsError.contactMoved
        for attempt in try attempts(on: file) {
            do throws(ContactsError) {
                let restored = attempt.applied(to: file)
                try check(restored, after: attempt, former: former)
                return restored
            } catch { problem = error }
        }
        throw problem
    }

    /// Whether the contact was never removed, its bytes being still between the surrounding ones, or is in the file again, as
    /// after a synchronisation. Throws `refused` if it is there again and differs: two cards with one id would be two contacts.
    package func isPresent(in file: [UInt8]) throws(ContactsError) -> Bool {
        if isAsLeft(file) { return false }
        if surrounded.count >= Self.leastNeighbours, Self.find(surrounded, in: file, from: 0) != nil { return true }
        return try isBack(in: file, at: formerContacts(of: file).first { $0.id == id }?.place?.bytes)
    }

    /// `place`: of a contact with this id. False for one that shared its id with others, which may all be there.
    func isBack(in file: [UInt8], at place: Range<Int>?) throws(ContactsError) -> Bool {
        guard owner == nil, let place else { return false }
        let layout = TextLayout(file)
        // The range of a first card includes the byte-order mark.
        let card = file[max(place.lowerBound, layout.markCount)..<place.upperBound]
        func plain(_ text: some Sequence<UInt8>) -> [UInt8] { text.filter { $0 != 0x0A && $0 != 0x0D } }
        if removedText.spellings(in: layout.encoding).contains(where: { plain($0) == plain(card) }) { return true }
        throw .refused("another version of the contact, with the id \(id), is in it by now")
    }
}

/// The texts by which the place is found in a changed file.
extension TrashRecord {
    /// Bytes on both sides together: fewer may be anywhere.
    static let leastNeighbours = 16

    /// What is on both sides of the contact.
    var neighbours: [UInt8] { before.suffix(Cut.neighbourhood) + after.prefix(Cut.neighbourhood) }

    /// The contact between its neighbours.
    var surrounded: [UInt8] { before + bytes + after }

    /// The first bytes of `surrounded`.
    var beginning: [UInt8] { Array(surrounded.prefix(TextOccurrences.longest)) }
}

/// Checks of the file before it is written.
extension TrashRecord {
    /// A candidate of the new content, with the position of the contact in it.
    struct Attempt {
        let bytes: [UInt8]
        let offset: Int
        /// In the file.
        let contact: Range<Int>

        /// `contact`: in `bytes`.
        init(bytes: [UInt8], at offset: Int, contact: Range<Int>) {
            self.bytes = bytes
            self.offset = offset
            self.contact = offset + contact.lowerBound..<offset + contact.upperBound
        }

        func moved(by distance: Int) -> Attempt {
            let inside = contact.lowerBound - offset..<contact.upperBound - offset
            return Attempt(bytes: bytes, at: offset + distance, contact: inside)
        }

        func applied(to file: [UInt8]) -> [UInt8] { Array(file[..<offset]) + bytes + file[offset...] }
    }

    func formerContacts(of file: [UInt8]) throws(ContactsError) -> [Contact] {
        if FileUnits(file).isBlank { return [] }
        return try BookFormat.contacts(of: file, word: format)?.contacts ?? []
    }

    private func check(_ file: [UInt8], after attempt: Attempt, former: [Contact]) throws(ContactsError) {
        guard let (found, known) = try BookFormat.contacts(of: file, word: format) else { throw .notABook }
        // The range of a first card includes the byte-order mark.
        let inside = attempt.contact.lowerBound
        guard let index = found.firstIndex(where: { $0.place?.bytes.contains(inside) == true }),
            isSame(as: found[index])
        else { throw .refused(Self.unread) }
        var others = found
        others.remove(at: index)
        guard let lost = BookFormat.firstDifference(of: former, from: others, in: known) else { return }
        throw .refused("\(lost) would be lost or changed")
    }

    static let unread = "the contact could not be read from it again"

    func isSame(as contact: Contact) -> Bool {
        content.map { $0 == contact.derivedID } ?? (contact.displayName == name)
    }
}

/// Candidates of the position and encoding.
extension TrashRecord {
    /// The best one first.
    func attempts(on file: [UInt8]) throws(ContactsError) -> [Attempt] {
        if isAsLeft(file) { return [Attempt(bytes: bytes, at: offset, contact: contact)] }
        if file.isEmpty { return [intoNothing] }
        let (units, place) = (FileUnits(file), place(in: file))
        let between = place.map { [Attempt(bytes: bytes, at: $0, contact: contact)] } ?? []
        switch format {
        case "vcard", "ldif", "csv":
            return [place, file.count].compactMap(\.self).flatMap { place in
                pieces(for: units, at: place).map { insertingLines($0, into: units, at: place) }
            }
        case "json": return between + (try elementAttempts(on: units))
        default: return between
        }
    }

    /// As the first contact of its file, with its byte-order mark.
    var intoNothing: Attempt {
        let (own, mark) = (removedText.bytes, hasMark ? removedText.encoding.mark : [])
        return Attempt(bytes: mark + own, at: 0, contact: mark.count..<mark.count + own.count)
    }

    /// The contact's own bytes, without the mark that earlier versions included.
    private var removedText: RemovedText {
        let own = Array(bytes[contact])
        let layout = TextLayout(own)
        return RemovedText(bytes: Array(own[layout.markCount...]), encoding: encoding ?? layout.encoding)
    }

    /// The contact's text in the file's encoding, the likeliest form first: line ends have no meaning in vCard and
    /// LDIF, but may be content elsewhere.
    func pieces(for units: FileUnits, at place: Int) -> [[UInt8]] {
        let texts = removedText.spellings(in: units.layout.encoding)
        guard format == "vcard" || format == "ldif", let lineEnd = units.lineEnd(near: place) else { return texts }
        return texts.flatMap { text in
            [RemovedText(bytes: text, encoding: units.layout.encoding).ending(lines: lineEnd), text]
        }
    }

    /// On lines of its own, in LDIF between empty ones.
    func insertingLines(_ piece: [UInt8], into units: FileUnits, at place: Int) -> Attempt {
        let encoding = units.layout.encoding
        let own = FileUnits(piece)
        let lineEnd = encoding.bytes(units.lineEnd(near: place) ?? own.lineEnd(near: piece.count) ?? "\n")
        let isRecord = format == "ldif"
        var (lead, tail): ([UInt8], [UInt8]) = ([], [])
        if !units.isLineStart(place) { lead += lineEnd }
        if isRecord, place > units.layout.markCount, !lead.isEmpty || !units.isBehindEmptyLine(place) {
            lead += lineEnd
        }
        if !RemovedText(bytes: piece, encoding: encoding).endsLine { tail += lineEnd }
        if isRecord, place < units.bytes.count, !units.isLineEnd(place) { tail += lineEnd }
        return Attempt(bytes: lead + piece + tail, at: place, contact: lead.count..<lead.count + piece.count)
    }

    /// As the array's last element.
    func elementAttempts(on units: FileUnits) throws(ContactsError) -> [Attempt] {
        let text = SourceText(units.bytes)
        let tape = try JSONTape(text)
        guard tape.failure == nil, let root = tape.root, let array = root.isArray ? root : root["contacts"],
            array.kind == .array
        else { return [] }
        let pieces = pieces(for: units, at: units.bytes.count)
        var places = ContactLocator(text: text, file: "")
        var last: JSONValue?
        for element in array.elements { last = element }
        guard let last else {
            let start = places.fileRange(array.range).lowerBound + units.width
            return pieces.map { Attempt(bytes: $0, at: start, contact: 0..<$0.count) }
        }
        let comma = Self.comma(of: units)
        let end = places.fileRange(last.range).upperBound
        return pieces.map { Attempt(bytes: comma + $0, at: end, contact: comma.count..<comma.count + $0.count) }
    }

    /// The text between two elements.
    static func comma(of units: FileUnits) -> [UInt8] {
        units.layout.encoding.bytes("," + (units.lineEnd(near: units.bytes.count) ?? "\n"))
    }

    /// The position where both neighbours are still adjacent, and nowhere else.
    private func place(in file: [UInt8]) -> Int? {
        guard neighbours.count >= Self.leastNeighbours, let first = Self.find(neighbours, in: file, from: 0),
            Self.find(neighbours, in: file, from: first + 1) == nil
        else { return nil }
        return first + before.suffix(Cut.neighbourhood).count
    }

    private static func find(_ piece: [UInt8], in file: [UInt8], from start: Int) -> Int? {
        guard start <= file.count else { return nil }
        return file[start...].firstRange(of: piece)?.lowerBound
    }
}

extension BookFormat {
    /// The contacts of a file whose format has the name `word`, and the format; nil for an empty file. Throws if it has
    /// another format.
    static func contacts(
        of file: [UInt8], word: String
    ) throws(ContactsError) -> (contacts: [Contact], format: BookFormat)? {
        guard !file.isEmpty else { return nil }
        switch recognise(file) {
        case .book(let format) where format.word == word: return (try format.read(file, name: "book").contacts, format)
        case .book(let other): throw .otherKind("one of another kind (\(other.word))")
        case .other(let kind): throw .otherKind(kind)
        }
    }
}
