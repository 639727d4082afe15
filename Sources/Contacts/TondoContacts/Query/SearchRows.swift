/// What searches read of up to 128 contacts: their folded texts, the sounds of those in other scripts, and the digits of their
/// numbers, with the names whose words are written as one. A set of rows has a bit for each contact, the first contact the lowest.
package struct SearchRows: Sendable {
    private let texts: TextRows
    private let sounds: TextRows
    private let numbers: TextRows

    /// More than `TextRows.capacity` contacts are left out.
    package init(_ contacts: some Sequence<Contact>, _ folder: inout SearchFolder) {
        var (texts, sounds, numbers): ([[UInt8]], [[UInt8]], [[UInt8]]) = ([], [], [])
        for contact in contacts.prefix(TextRows.capacity) {
            var (text, sound, number): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
            for (field, value) in contact.searchedTexts {
                if field.hasNumbers { number += SearchDigits.text(of: value).utf8 }
                // The digits say all of a plain number.
                if field.hasNumbers, SearchDigits.isPlain(value) { continue }
                let folded = folder.fold(value)
                Self.add(folded.text, to: &text)
                Self.add(folded.sounds, to: &sound)
                if field.hasNames { number += SearchFold.joined(folded.text).utf8 }
            }
            texts.append(text)
            sounds.append(sound)
            numbers.append(number)
        }
        self.texts = TextRows(rows: texts)
        self.sounds = TextRows(rows: sounds)
        self.numbers = TextRows(rows: numbers)
    }

    /// As `encode` wrote it. Nil: other bytes.
    init?(_ reader: inout RowReader) {
        guard let texts = TextRows(&reader), let sounds = TextRows(&reader), let numbers = TextRows(&reader) else {
            return nil
        }
        self.texts = texts
        self.sounds = sounds
        self.numbers = numbers
    }

    func encode(to writer: inout RowWriter) {
        for rows in [texts, sounds, numbers] { rows.encode(to: &writer) }
    }

    /// For one use: for many blocks, share a `SearchFolder`.
    package init(_ contacts: some Sequence<Contact>) {
        var folder = SearchFolder()
        self.init(contacts, &folder)
    }

    /// A line feed, which no word contains, separates the texts.
    private static func add(_ text: String, to row: inout [UInt8]) {
        if text.isEmpty { return }
        if !row.isEmpty { row.append(UInt8(ascii: "\n")) }
        row += text.utf8
    }

    /// Bytes of its texts in memory.
    package var size: Int { texts.size + sounds.size + numbers.size }

    /// The contacts of `rows` that the search finds.
    package func rows(_ search: ContactSearch, among rows: UInt128) -> UInt128 {
        var found = rows
        for term in search.terms where found != 0 { found &= self.rows(of: term) }
        return found
    }

    private func rows(of term: ContactSearch.Term) -> UInt128 {
        var found = UInt128.max
        for word in term.words where found != 0 {
            found &=
                texts.rows(with: word.texts) | sounds.rows(with: word.sounds) | numbers.rows(with: word.joined)
                | numbers.rows(with: word.numbers)
        }
        return term.words.count > 1 ? found | numbers.rows(with: term.numbers) : found
    }
}

extension TextRows {
    fileprivate func rows(with needles: [SearchNeedle]) -> UInt128 { needles.reduce(0) { $0 | rows(with: $1) } }
}
