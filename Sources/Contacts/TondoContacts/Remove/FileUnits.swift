/// The layout of a book file's text: encoding and byte-order mark.
struct TextLayout: Equatable, Sendable {
    enum Encoding: String, Sendable {
        /// Bytes in which ASCII is ASCII: UTF-8, Latin-1 and similar.
        case bytes = "8-bit"
        case littleEndian = "utf-16le"
        case bigEndian = "utf-16be"

        /// The byte-order mark of a file in this encoding.
        var mark: [UInt8] {
            switch self {
            case .bytes: [0xEF, 0xBB, 0xBF]
            case .littleEndian: [0xFF, 0xFE]
            case .bigEndian: [0xFE, 0xFF]
            }
        }

        /// Bytes of one ASCII character.
        var width: Int { self == .bytes ? 1 : 2 }
    }

    let encoding: Encoding
    /// Bytes of the byte-order mark; 0 without one.
    private(set) var markCount: Int

    /// That of a later part of the file.
    var withoutMark: TextLayout {
        var layout = self
        layout.markCount = 0
        return layout
    }

    /// Each encoding without a mark.
    static let unmarked = [Encoding.bytes, .littleEndian, .bigEndian].map { TextLayout(encoding: $0) }

    private init(encoding: Encoding) {
        self.encoding = encoding
        markCount = 0
    }

    /// Bytes at the beginning of a file that are enough to detect it.
    static let headCount = 16

    /// Detected by the mark, else by zeros between the first characters, as for vCard files.
    init(_ file: [UInt8]) {
        for encoding in [Encoding.littleEndian, .bigEndian, .bytes] where file.starts(with: encoding.mark) {
            self.encoding = encoding
            markCount = encoding.mark.count
            return
        }
        markCount = 0
        encoding = file.withUnsafeBytes { bytes in
            let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(8))
            if VCardLayout.isUTF16(head, high: 0) { return .bigEndian }
            return VCardLayout.isUTF16(head, high: 1) ? .littleEndian : .bytes
        }
    }
}

/// A file's characters as far as ASCII is concerned, of one byte or, in UTF-16, of two.
struct FileUnits {
    let bytes: [UInt8]
    let layout: TextLayout
    var width: Int { layout.encoding.width }

    init(_ bytes: [UInt8]) { self.init(bytes: bytes, layout: TextLayout(bytes)) }

    init(bytes: [UInt8], layout: TextLayout) {
        self.bytes = bytes
        self.layout = layout
    }

    /// Nil outside the file and for other characters than ASCII.
    func ascii(at offset: Int) -> UInt8? {
        guard offset >= layout.markCount, offset + width <= bytes.count else { return nil }
        guard width == 2 else { return bytes[offset] }
        let isBigEndian = layout.encoding == .bigEndian
        let (high, low) = isBigEndian ? (bytes[offset], bytes[offset + 1]) : (bytes[offset + 1], bytes[offset])
        return high == 0 ? low : nil
    }

    /// The position of the first character from `offset` on that is none of these.
    func skip(_ characters: String, from offset: Int) -> Int {
        var offset = offset
        while let byte = ascii(at: offset), characters.utf8.contains(byte) { offset += width }
        return offset
    }

    /// The position after the last character before `offset` that is none of these.
    func skipBack(_ characters: String, from offset: Int) -> Int {
        var offset = offset
        while let byte = ascii(at: offset - width), characters.utf8.contains(byte) { offset -= width }
        return offset
    }

    /// Nothing but white space and a byte-order mark. Zeros are something: file systems leave them in a file that was not
    /// written to its end.
    var isBlank: Bool {
        // Without a mark, a few characters are too short to say whether they have one byte or two.
        let layouts = layout.markCount > 0 ? [layout] : TextLayout.unmarked
        return layouts.contains { FileUnits(bytes: bytes, layout: $0).hasBlanksAlone }
    }

    private var hasBlanksAlone: Bool {
        (bytes.count - layout.markCount).isMultiple(of: width)
            && stride(from: layout.markCount, to: bytes.count, by: width).allSatisfy { offset in
                ascii(at: offset).map { [0x09, 0x0A, 0x0D, 0x20].contains($0) } ?? false
            }
    }
}

/// Line ends.
extension FileUnits {
    /// A line can begin at `offset`.
    func isLineStart(_ offset: Int) -> Bool { offset <= layout.markCount || isLineEnd(offset - width) }

    /// Whether only empty lines, or nothing, are between `offset`, where a line begins, and the text before it.
    func isBehindEmptyLine(_ offset: Int) -> Bool {
        guard offset > layout.markCount else { return true }
        let isPair = ascii(at: offset - width) == 0x0A && ascii(at: offset - 2 * width) == 0x0D
        return isLineStart(offset - (isPair ? 2 : 1) * width)
    }

    func isLineEnd(_ offset: Int) -> Bool { [0x0A, 0x0D].contains(ascii(at: offset)) }

    /// The line end near `offset`: that of the line before, else the next one. Nil if the file has none.
    func lineEnd(near offset: Int) -> String? {
        var place = offset - width
        while place >= layout.markCount, !isLineEnd(place) { place -= width }
        if place < layout.markCount {
            place = offset
            while place < bytes.count, !isLineEnd(place) { place += width }
        }
        switch (ascii(at: place - width), ascii(at: place), ascii(at: place + width)) {
        case (0x0D, 0x0A, _), (_, 0x0D, 0x0A): return "\r\n"
        case (_, 0x0A, _): return "\n"
        case (_, 0x0D, _): return "\r"
        default: return nil
        }
    }
}

/// What must be removed with a contact so that the file stays a valid book.
extension FileUnits {
    func cut(around contact: Range<Int>, _ format: BookFormat) -> Range<Int> {
        switch format {
        // The byte-order mark belongs to the file, not to the first card.
        case .vCard, .csv: max(contact.lowerBound, layout.markCount)..<contact.upperBound
        case .json: jsonCut(contact)
        case .propertyList: lineCut(contact)
        case .ldif: recordCut(contact)
        }
    }

    /// The comma after the element and the blanks up to the next one; for the last one, the comma before it.
    private func jsonCut(_ element: Range<Int>) -> Range<Int> {
        let blanks = " \t\r\n"
        let behind = skip(blanks, from: element.upperBound)
        if ascii(at: behind) == UInt8(ascii: ",") {
            let next = skip(blanks, from: behind + width)
            // A superfluous comma after the last element.
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

    /// The empty lines after the record; for the last one, those before it.
    private func recordCut(_ record: Range<Int>) -> Range<Int> {
        let end = skip("\r\n", from: record.upperBound)
        if end < bytes.count || record.lowerBound <= layout.markCount { return record.lowerBound..<end }
        let before = skipBack("\r\n", from: record.lowerBound)
        // The line end of the record before stays.
        let isPair = ascii(at: before) == 0x0D && ascii(at: before + width) == 0x0A
        let lineEnd = before + (isPair ? 2 : 1) * width
        return min(lineEnd, record.lowerBound)..<end
    }
}
