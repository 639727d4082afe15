internal import TondoText

/// Quoted-printable (RFC 2045 section 6.7).
enum QuotedPrintable {
    /// Soft line breaks that may cut an escape in half must be removed before; the others are removed here. An invalid
    /// `=` stays.
    static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: text.count) { output, count in
            var from = 0
            while from < text.count {
                let byte = text[from]
                from += 1
                guard byte == UInt8(ascii: "=") else {
                    output[count] = byte
                    count += 1
                    continue
                }
                if let length = softBreak(text, at: from) {
                    from += length
                } else if from + 1 < text.count, let value = Hex.byte(text[from], text[from + 1]) {
                    output[count] = value
                    count += 1
                    from += 2
                } else {
                    output[count] = byte
                    count += 1
                }
            }
        }
    }

    /// Whether a text of unknown encoding can only be quoted-printable: letters beyond ASCII are in it, as escapes alone, and
    /// no `=` is anything else; or each of its characters is escaped. `minimum`: so many escapes must be in it.
    static func isSurely(_ text: UnsafeRawBufferPointer, minimum: Int) -> Bool {
        var (position, escapes, letters, others) = (0, 0, 0, 0)
        while position < text.count {
            if text[position] >= 0x80 { return false }
            guard text[position] == UInt8(ascii: "=") else {
                position += 1
                if text[position - 1] != UInt8(ascii: ";") { others += 1 }
                continue
            }
            guard position + 2 < text.count, let byte = Hex.byte(text[position + 1], text[position + 2]) else {
                return false
            }
            escapes += 1
            if byte >= 0x80 { letters += 1 }
            position += 3
        }
        return escapes >= minimum && (letters >= 2 || escapes > 2 && others == 0)
            && decode(text).withUnsafeBytes { UTF8Text.defect($0) } == nil
    }

    /// The bytes after `=` up to the end of its line: blanks, carriage returns, a line feed.
    private static func softBreak(_ text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var end = start
        while end < text.count, text[end] == 0x20 || text[end] == 0x09 || text[end] == 0x0D { end += 1 }
        guard end == text.count || text[end] == 0x0A else { return nil }
        return min(end + 1, text.count) - start
    }
}
