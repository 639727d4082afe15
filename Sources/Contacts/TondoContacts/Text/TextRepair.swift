internal import TondoText

/// Undoes what programs did to text on its way into a book, where the text cannot mean anything else: UTF-8 that was taken
/// for Windows-1252 and encoded once more (`MÃ¼ller`), characters escaped for a page (`M&uuml;ller`), and the words of a
/// mail's header (`=?UTF-8?Q?M=C3=BCller?=`, RFC 2047).
enum TextRepair {
    /// In UTF-8.
    static func repaired(_ text: String) -> String {
        var text = text
        let bytes = text.withUTF8 { bytes -> [UInt8]? in
            let bytes = UnsafeRawBufferPointer(bytes)
            return mayNeed(bytes) ? repaired(bytes, isVCard: false) : nil
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Cheap, and rarely true for a text that needs nothing.
    static func mayNeed(_ text: UnsafeRawBufferPointer) -> Bool {
        for (index, byte) in text.enumerated() {
            let next = index + 1 < text.count ? text[index + 1] : 0x20
            switch byte {
            case 0...8, 0x0B, 0x0C, 0x0E...0x1A, 0x1C...0x1F: return true
            case UInt8(ascii: "&"): if next == UInt8(ascii: "#") || ASCII.isLetter(next) { return true }
            case UInt8(ascii: "="): if next == UInt8(ascii: "?") { return true }
            // Of the bytes of UTF-8, the first one is a letter of Latin-1, and the next one is a sign, not a letter.
            case 0xC3 where index + 3 < text.count:
                if [0xC2, 0xC5, 0xC6, 0xCB, 0xE2].contains(text[index + 2]) { return true }
            case 0xEF: if isMark(text[index...]) { return true }
            default: break
            }
        }
        return false
    }

    /// Nil if nothing is to be repaired. `isVCard`: separators that come to light are escaped, and semicolons may be.
    static func repaired(_ text: UnsafeRawBufferPointer, isVCard: Bool) -> [UInt8]? {
        var repaired: [UInt8]?
        // Some texts went through a program twice.
        for _ in 0..<3 {
            let step = (repaired ?? Array(text)).withUnsafeBytes { text in
                withoutControls(in: text) ?? decodedOnce(from: text) ?? withoutReferences(in: text, isVCard: isVCard)
                    ?? withoutWords(in: text, isVCard: isVCard)
            }
            guard let step else { break }
            repaired = step
        }
        return repaired
    }

    /// A file that was damaged has zeros, and programs copy other controls from windows and documents, of which those of
    /// lines and pages end a line. Tabs, line ends and the escapes of character sets are none of these. Byte order marks go, too.
    private static func withoutControls(in text: UnsafeRawBufferPointer) -> [UInt8]? {
        var mark = 0
        let plain = text.indices.compactMap { index -> UInt8? in
            let byte = text[index]
            if byte == 0xEF, isMark(text[index...]) { mark = index + 3 }
            if index < mark { return nil }
            return switch byte {
            case 0x0B, 0x0C: 0x0A
            case 0...8, 0x0E...0x1A, 0x1C...0x1F: nil
            default: byte
            }
        }
        return plain.elementsEqual(text) ? nil : plain
    }

    /// A byte order mark, which joined files have inside, where it means nothing.
    private static func isMark(_ text: Slice<UnsafeRawBufferPointer>) -> Bool { text.starts(with: [0xEF, 0xBB, 0xBF]) }

    /// The text whose UTF-8 was taken for Windows-1252. Nil if not all of it can be such text.
    private static func decodedOnce(from text: UnsafeRawBufferPointer) -> [UInt8]? {
        if UTF8Text.isASCII(text) { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            guard let byte = CharsetDecoder.windows1252(of: scalar) else { return nil }
            bytes.append(byte)
        }
        guard bytes.withUnsafeBytes({ UTF8Text.defect($0) }) == nil else { return nil }
        // `CAFÉ®` would be a letter that no name has.
        let isLikely = String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0...0x7F, 0xA0...0x17F, 0x370...0x52F, 0x590...0x6FF, 0x900...0x97F, 0xE00...0xE7F, 0x1E00...0x1EFF:
                true
            case 0x2000...0x27BF, 0x3000...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xFE00...0xFEFF, 0x1F000...0x1FAFF:
                true
            default: false
            }
        }
        return isLikely ? bytes : nil
    }

    private static func withoutReferences(in text: UnsafeRawBufferPointer, isVCard: Bool) -> [UInt8]? {
        var (repaired, isRepaired, position, high) = ([UInt8](), false, 0, UInt32?.none)
        while position < text.count {
            let rest = UnsafeRawBufferPointer(rebasing: text[position...].prefix(CharacterReference.longest))
            guard rest[0] == UInt8(ascii: "&"), let (number, length) = reference(at: rest) else {
                high = nil
                repaired.append(rest[0])
                position += 1
                continue
            }
            position += length
            isRepaired = true
            // Each half of a character of UTF-16 may have a reference of its own.
            if 0xD800...0xDBFF ~= number {
                high = number
                continue
            }
            let pair = 0xDC00...0xDFFF ~= number ? high : nil
            let whole = pair.map { 0x1_0000 + ($0 - 0xD800) << 10 + (number & 0x3FF) } ?? number
            high = nil
            if let scalar = Unicode.Scalar(whole), whole >= 0x20 || whole == 0x0A {
                append(String(scalar).utf8, to: &repaired, isVCard: isVCard)
            }
        }
        return isRepaired ? repaired : nil
    }

    /// The number of the character, and the length of its reference. The semicolon of a vCard may be escaped.
    private static func reference(at text: UnsafeRawBufferPointer) -> (UInt32, Int)? {
        guard var end = text.dropFirst().firstIndex(where: { !CharacterReference.isPart($0) }), end > 1 else {
            return nil
        }
        let name = String(decoding: text[1..<end], as: UTF8.self)
        if text[end] == UInt8(ascii: "\\"), end + 1 < text.count { end += 1 }
        guard text[end] == UInt8(ascii: ";") else { return nil }
        let number =
            name.first == "#"
            ? CharacterReference.number(of: name.dropFirst())
            : CharacterReference.ofXML[name] ?? CharacterReference.ofHTML[name]
        return number.map { ($0, end + 1) }
    }

    private static func append(_ text: some Sequence<UInt8>, to repaired: inout [UInt8], isVCard: Bool) {
        for byte in text {
            if isVCard, ",;\\".utf8.contains(byte) { repaired.append(UInt8(ascii: "\\")) }
            repaired.append(byte)
        }
    }

    /// Blanks between two encoded words are none of the text (RFC 2047 6.2).
    private static func withoutWords(in text: UnsafeRawBufferPointer, isVCard: Bool) -> [UInt8]? {
        var (repaired, blanks, wasWord, isRepaired, position) = ([UInt8](), [UInt8](), false, false, 0)
        while position < text.count {
            // RFC 2047 permits 75 characters, and not all writers keep to it.
            let rest = UnsafeRawBufferPointer(rebasing: text[position...].prefix(1024))
            if let (word, length) = word(at: rest) {
                if !wasWord { repaired += blanks }
                append(word, to: &repaired, isVCard: isVCard)
                position += length
                blanks = []
                wasWord = true
                isRepaired = true
            } else if ASCII.isBlank(rest[0]) {
                blanks.append(rest[0])
                position += 1
            } else {
                repaired += blanks + [rest[0]]
                blanks = []
                wasWord = false
                position += 1
            }
        }
        return isRepaired ? repaired + blanks : nil
    }

    /// `=?charset?encoding?text?=` in UTF-8, and its length.
    private static func word(at text: UnsafeRawBufferPointer) -> ([UInt8], Int)? {
        guard text.count > 8, text[0] == UInt8(ascii: "="), text[1] == UInt8(ascii: "?") else { return nil }
        let parts = text.dropFirst(2).split(
            separator: UInt8(ascii: "?"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].count == 1, let kind = parts[1].first.map(ASCII.lowered),
            // A language may follow the character set (RFC 2231 5).
            let name = String(decoding: parts[0], as: UTF8.self).split(separator: "*").first,
            let charset = Charset(name: String(name)),
            let end = parts[2].indices.first(where: { parts[2][$0...].starts(with: "?=".utf8) })
        else { return nil }
        let coded = UnsafeRawBufferPointer(rebasing: text[parts[2].startIndex..<end])
        let bytes: [UInt8]
        switch kind {
        case UInt8(ascii: "b"): bytes = Base64.decode(coded)
        case UInt8(ascii: "q"):
            bytes = coded.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }.withUnsafeBytes(QuotedPrintable.decode)
        default: return nil
        }
        return (bytes.withUnsafeBytes { CharsetDecoder().utf8($0, charset: charset) }, end + 2)
    }
}
