/// A file's characters as far as ASCII goes, of one byte or, in UTF-16, of two.
struct FileUnits {
    let bytes: [UInt8]
    let width: Int
    private let isBigEndian: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        width = isBigEndian || bytes.starts(with: [0xFF, 0xFE]) ? 2 : 1
    }

    /// Nil outside the file and where no ASCII is.
    func ascii(at offset: Int) -> UInt8? {
        guard offset >= 0, offset + width <= bytes.count else { return nil }
        guard width == 2 else { return bytes[offset] }
        let (high, low) = isBigEndian ? (bytes[offset], bytes[offset + 1]) : (bytes[offset + 1], bytes[offset])
        return high == 0 ? low : nil
    }

    /// Where the first character is, from `offset` on, that is none of these.
    func skip(_ characters: String, from offset: Int) -> Int {
        var offset = offset
        while let byte = ascii(at: offset), characters.utf8.contains(byte) { offset += width }
        return offset
    }

    /// Behind the last character, before `offset`, that is none of these.
    func skipBack(_ characters: String, from offset: Int) -> Int {
        var offset = offset
        while let byte = ascii(at: offset - width), characters.utf8.contains(byte) { offset -= width }
        return offset
    }

    /// What has to go with a contact so that the file stays a book.
    func cut(around contact: Range<Int>, _ format: BookFormat) -> Range<Int> {
        switch format {
        case .vCard, .csv: contact
        case .json: jsonCut(contact)
        case .propertyList: lineCut(contact)
        case .ldif: recordCut(contact)
        }
    }

    /// The comma behind the element and the blanks up to the next one; for the last one, the comma before it.
    private func jsonCut(_ element: Range<Int>) -> Range<Int> {
        let blanks = " \t\r\n"
        let behind = skip(blanks, from: element.upperBound)
        if ascii(at: behind) == UInt8(ascii: ",") {
            let next = skip(blanks, from: behind + width)
            // A comma too many, behind the last element.
            let isLast = ascii(at: next) == UInt8(ascii: "]")
            return element.lowerBound..<(isLast ? behind + width : next)
        }
        let before = skipBack(blanks, from: element.lowerBound)
        let hasComma = ascii(at: before - width) == UInt8(ascii: ",")
        return (hasComma ? before - width : element.lowerBound)..<element.upperBound
    }

    /// The whole lines, if nothing else is on them.
    private func lineCut(_ element: Range<Int>) -> Range<Int> {
        let start = skipBack(" \t", from: element.lowerBound)
        let end = skip(" \t\r", from: element.upperBound)
        guard ascii(at: start - width) == 0x0A, ascii(at: end) == 0x0A else { return element }
        return start..<end + width
    }

    /// The empty lines behind the record; for the last one, those before it.
    private func recordCut(_ record: Range<Int>) -> Range<Int> {
        let end = skip("\r\n", from: record.upperBound)
        if end < bytes.count || record.lowerBound == 0 { return record.lowerBound..<end }
        let before = skipBack("\r\n", from: record.lowerBound)
        // The line end of the record before stays.
        let lineEnd = ascii(at: before) == 0x0D ? before + 2 * width : before + width
        return min(lineEnd, record.lowerBound)..<end
    }
}
