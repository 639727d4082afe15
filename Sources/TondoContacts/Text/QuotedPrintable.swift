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

    /// The bytes after `=` up to the end of its line: blanks, carriage returns, a line feed.
    private static func softBreak(_ text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var end = start
        while end < text.count, text[end] == 0x20 || text[end] == 0x09 || text[end] == 0x0D { end += 1 }
        guard end == text.count || text[end] == 0x0A else { return nil }
        return min(end + 1, text.count) - start
    }
}
