internal import TondoText

/// Reads the rows of comma-separated text one by one (RFC 4180), with their positions.
///
/// Quoted fields may contain line ends and doubled quotes; rows may end with LF, CRLF or CR. A quote inside an unquoted
/// field is an ordinary character.
struct CSVRows: Sequence, IteratorProtocol {
    struct Row {
        /// With its line end.
        var range: Range<Int>
        /// The first ones, see `mostFields`.
        var fields: [Field]
        /// The number of all fields.
        var count = 0
        /// A quoted field is unterminated, and the row is only its first line, so that the following rows can still be
        /// read. Or text is behind a field of several lines: the line end behind the row is lost, and the row has the next
        /// one in it. Or it is the rest of a broken row.
        var isBroken = false
    }

    struct Field {
        /// Without the quotes around it.
        var range: Range<Int>
        var hasDoubledQuotes = false
        /// Quotes inside have a backslash before them.
        var hasBackslashes = false
    }

    /// More than two rows of the widest table have: further fields are only counted, so that a file of nothing but
    /// separators takes no more memory than others.
    static let mostFields = 2 * BookLimits.standard.columns + 1

    private(set) var text: SourceText
    private let separator: UInt8
    private let quote: UInt8
    private let decoder = CharsetDecoder()
    private var offset = 0
    /// The end of the last line with quotes behind a blank: it may have many of them, and is searched once.
    private var lineEnd = 0
    /// A budget of bytes for unsuccessful searches, so that a file full of quotes costs no more than others.
    private var budget: Int
    private var passed: ReadBytes
    /// The last row was broken, and a field of it may end in the next one.
    private var isRest = false

    init(text: SourceText, separator: UInt8, quote: UInt8 = UInt8(ascii: "\"")) {
        self.text = text
        self.separator = separator
        self.quote = quote
        budget = 4 * text.bytes.count
        passed = ReadBytes(text.bytes)
    }

    /// Empty lines are not rows.
    mutating func next() -> Row? {
        text.bytes.withUnsafeBufferPointer { bytes in
            while offset < bytes.count, Self.isLineEnd(bytes[offset]) { offset += 1 }
            guard offset < bytes.count else { return nil }
            let start = offset
            var (fields, count) = ([Field](), 0)
            // Behind the last field with text behind its quotes.
            var torn: Int?
            while let field = field(bytes, torn: &torn) {
                if count < Self.mostFields { fields.append(field) }
                count += 1
                if offset < bytes.count, bytes[offset] == separator {
                    offset += 1
                } else {
                    skipLineEnd(bytes)
                    let row = Row(range: start..<offset, fields: fields, count: count)
                    isRest = torn != nil || isRest && fields.contains { hasLoneQuote(in: $0, of: bytes) }
                    return isRest ? Row(range: row.range, fields: [], isBroken: true) : row
                }
            }
            // The search for the closing quote was in vain.
            budget -= offset - start
            offset = budget > 0 ? torn ?? start : bytes.count
            isRest = true
            skip(bytes) { Self.isLineEnd($0) }
            skipLineEnd(bytes)
            return Row(range: start..<offset, fields: [], isBroken: true)
        }
    }

    func string(_ field: Field) -> String {
        guard field.hasDoubledQuotes || field.hasBackslashes else { return text.string(field.range, by: decoder) }
        var piece: [UInt8] = []
        var wasQuote = false
        for byte in text.bytes[field.range] {
            if byte == quote, field.hasBackslashes, piece.last == UInt8(ascii: "\\") {
                piece[piece.count - 1] = byte
                continue
            }
            // Each pair of quotes leaves its second one.
            wasQuote = byte == quote && !wasQuote
            if !wasQuote { piece.append(byte) }
        }
        return text.string(piece, by: decoder)
    }

    /// Whether there is nothing in its fields.
    func isBlank(_ row: Row) -> Bool { row.fields.allSatisfy { text.bytes[$0.range].allSatisfy(ASCII.isBlank) } }

    /// The field at `offset`, which is then moved behind it; nil if its quotes are unterminated. `torn`: becomes the new
    /// offset if the field is that of two rows.
    private mutating func field(_ bytes: UnsafeBufferPointer<UInt8>, torn: inout Int?) -> Field? {
        let start = offset
        skipBlanks(bytes)
        guard offset < bytes.count, bytes[offset] == quote, offset == start || isQuoted(bytes) else {
            skipToFieldEnd(bytes)
            return Field(range: start..<offset)
        }
        guard let quoted = quoted(bytes) else { return nil }
        skipBlanks(bytes)
        let end = offset
        skipToFieldEnd(bytes)
        if offset == end { return quoted }
        // Text after the closing quote: if the field has several lines, the quotes belong to the next row, or the line end
        // between the rows is lost; else it is ordinary text. A long field is not searched again.
        let isLong = quoted.range.count > FileBytes.piece
        guard isLong || bytes[quoted.range].contains(where: Self.isLineEnd) else { return Field(range: start..<offset) }
        guard let last = bytes[quoted.range].last(where: { $0 != UInt8(ascii: " ") }), last != separator,
            !Self.isLineEnd(last)
        else { return nil }
        torn = offset
        return quoted
    }

    /// Some writers put blanks around the quotes.
    private mutating func skipBlanks(_ bytes: UnsafeBufferPointer<UInt8>) {
        while offset < bytes.count, bytes[offset] == UInt8(ascii: " ") { offset += 1 }
    }

    /// Whether the quotes behind a blank are those of a field: one that ends in this line.
    private mutating func isQuoted(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var ahead = self
        if lineEnd < offset {
            ahead.skip(bytes) { Self.isLineEnd($0) }
            lineEnd = ahead.offset
            ahead.offset = offset
        }
        let line = UnsafeBufferPointer(rebasing: bytes[..<lineEnd])
        guard ahead.quoted(line) != nil else { return false }
        ahead.skipBlanks(line)
        return ahead.offset == line.count || line[ahead.offset] == separator
    }

    /// The text between the quote at `offset` and the next single one.
    private mutating func quoted(_ bytes: UnsafeBufferPointer<UInt8>) -> Field? {
        offset += 1
        var field = Field(range: offset..<offset)
        while offset < bytes.count {
            skip(bytes) { [quote] in $0 == quote }
            guard offset < bytes.count else { return nil }
            offset += 1
            if isEscape(bytes, before: offset, from: field.range.lowerBound) {
                field.hasBackslashes = true
                continue
            }
            guard offset < bytes.count, bytes[offset] == quote else {
                field.range = field.range.lowerBound..<offset - 1
                return field
            }
            field.hasDoubledQuotes = true
            offset += 1
        }
        return nil
    }

    /// Whether it is unquoted, and has a quote without another one.
    private func hasLoneQuote(in field: Field, of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = field.range.lowerBound
        let isQuoted = start > 0 && bytes[start - 1] == quote
        return !isQuoted && bytes[field.range].count { $0 == quote } % 2 == 1
    }

    /// Whether the quote before `place` has a backslash, as data bases write it, and the field goes on.
    private func isEscape(_ bytes: UnsafeBufferPointer<UInt8>, before place: Int, from start: Int) -> Bool {
        guard place - 2 >= start, bytes[place - 2] == UInt8(ascii: "\\"), place < bytes.count else { return false }
        let isEnd = { (place: Int) in place >= bytes.count || bytes[place] == separator || Self.isLineEnd(bytes[place])
        }
        return bytes[place] == quote ? isEnd(place + 1) : !isEnd(place)
    }

    private mutating func skipToFieldEnd(_ bytes: UnsafeBufferPointer<UInt8>) {
        let separator = separator
        skip(bytes) { $0 == separator || Self.isLineEnd($0) }
    }

    /// Moves to the next byte that `isEnd`, and releases long stretches on the way.
    @inline(__always)
    private mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>, until isEnd: (UInt8) -> Bool) {
        while offset < bytes.count {
            let end = Swift.min(offset + FileBytes.piece, bytes.count)
            while offset < end, !isEnd(bytes[offset]) { offset += 1 }
            passed.passed(offset)
            if offset < end { return }
        }
    }

    private mutating func skipLineEnd(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard offset < bytes.count else { return }
        let isPair = bytes[offset] == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
        offset += isPair ? 2 : 1
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
