/// `%FF` in URIs (RFC 3986 section 2.1).
enum PercentEncoding {
    /// An invalid `%` stays. Line ends and blanks, which no URI contains, are folds and are dropped.
    static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var bytes: [UInt8] = []
        var from = 0
        while from < text.count {
            let byte = text[from]
            if byte == UInt8(ascii: "%"), let value = ASCII.hexadecimal(text, at: from + 1) {
                bytes.append(value)
                from += 3
            } else {
                if byte > 0x20 { bytes.append(byte) }
                from += 1
            }
        }
        return bytes
    }

    static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var text = text
        return text.withUTF8 { String(decoding: decode(UnsafeRawBufferPointer($0)), as: UTF8.self) }
    }
}
