/// The escapes inside JSON strings (RFC 8259 section 7).
package enum JSONEscapes {
    /// The characters that are escaped besides those that JSON demands, U+007F, and U+2028 and U+2029, which some readers
    /// treat as line ends; and the characters with short escapes.
    package enum Style: Sendable {
        /// The control characters U+0080 to U+009F, too, which some terminals execute. `\n` is short.
        case terminal
        /// `<`, `>` and `&`, too, so that no browser treats them as markup. `\n`, `\r` and `\t` are short.
        case markup
        /// No others, and no short escapes: also valid as a string of TOML.
        case plain

        fileprivate func short(_ byte: UInt8) -> String? {
            switch (byte, self) {
            case (0x0A, .terminal), (0x0A, .markup): "\\n"
            case (0x0D, .markup): "\\r"
            case (0x09, .markup): "\\t"
            default: nil
            }
        }
    }

    /// An invalid escape becomes its character.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == UInt8(ascii: "\\"), index + 1 < text.endIndex else {
                output.append(text[index])
                index += 1
                continue
            }
            let letter = text[index + 1]
            index += 2
            if letter == UInt8(ascii: "u"), let unit = unit(text, at: index) {
                index += 4
                output.append(contentsOf: scalar(unit, in: text, at: &index).utf8Bytes)
            } else {
                output.append(control(letter))
            }
        }
        return output
    }

    /// `text` as a JSON string, in quotation marks.
    package static func quoted(_ text: String, style: Style) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 2)
        append(text, to: &output, style: style)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends `text` as a JSON string, with only the escapes of its style.
    package static func append(_ text: String, to output: inout [UInt8], style: Style = .terminal) {
        var text = text
        text.withUTF8 { append(utf8: $0, to: &output, style: style) }
    }

    /// Appends a text in UTF-8 as a JSON string, with only the escapes of its style.
    package static func append(
        utf8: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], style: Style = .terminal
    ) {
        output.append(UInt8(ascii: "\""))
        var (start, index) = (0, 0)
        while index < utf8.count {
            // The last eight bytes may overlap those before.
            let word = min(index, utf8.count - 8)
            if word >= 0, isPlain(utf8, at: word) {
                index = word + 8
                continue
            }
            let length = specialLength(utf8, at: index, style: style)
            guard length > 0 else {
                index += 1
                continue
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
            escape(utf8[index..<index + length], to: &output, style: style)
            index += length
            start = index
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        output.append(UInt8(ascii: "\""))
    }

    /// Whether no style escapes any of the 8 bytes at `index`, which is so in most texts. May be false without a reason.
    @inline(__always)
    private static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        let word = UnsafeRawBufferPointer(utf8).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        // Not ASCII, or a control character. A difference borrows from the byte above it only below a byte that counts.
        let control = (word &- 0x2020_2020_2020_2020) | word
        // `"` and `&` differ in one bit, and so do `<` and `>`.
        let special =
            zeros(word ^ 0x7F7F_7F7F_7F7F_7F7F) | zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
            | zeros((word | 0x0404_0404_0404_0404) ^ 0x2626_2626_2626_2626)
            | zeros((word | 0x0202_0202_0202_0202) ^ 0x3E3E_3E3E_3E3E_3E3E)
        return (control | special) & 0x8080_8080_8080_8080 == 0
    }

    /// The highest bit of each byte that is zero; above one, others may be set, too.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word }

    /// Bytes of the character at `index` if it is written as an escape, else 0.
    @inline(__always)
    private static func specialLength(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int, style: Style) -> Int {
        switch utf8[index] {
        case 0x00..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"): 1
        case UInt8(ascii: "<") where style == .markup, UInt8(ascii: ">") where style == .markup,
            UInt8(ascii: "&") where style == .markup:
            1
        // U+0080 to U+009F.
        case 0xC2 where style == .terminal && index + 1 < utf8.count && utf8[index + 1] < 0xA0: 2
        case 0xE2 where index + 2 < utf8.count && utf8[index + 1] == 0x80 && utf8[index + 2] | 1 == 0xA9: 3
        default: 0
        }
    }

    private static func escape(
        _ character: Slice<UnsafeBufferPointer<UInt8>>, to output: inout [UInt8], style: Style
    ) {
        let last = character[character.endIndex - 1]
        switch character.count {
        case 3: output += (last == 0xA8 ? "\\u2028" : "\\u2029").utf8
        case 1 where last == UInt8(ascii: "\"") || last == UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), last]
        default:
            if character.count == 1, let short = style.short(last) {
                output += short.utf8
            } else {
                output += "\\u00".utf8
                output += [Hex.digit(last >> 4), Hex.digit(last)]
            }
        }
    }

    private static func control(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: letter
        }
    }

    /// Joins a surrogate pair; `index` is moved behind the second one.
    private static func scalar(_ unit: UInt16, in text: ArraySlice<UInt8>, at index: inout Int) -> Unicode.Scalar {
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), index + 6 <= text.endIndex, text[index] == UInt8(ascii: "\\"),
            text[index + 1] == UInt8(ascii: "u"), let trail = Self.unit(text, at: index + 2),
            UTF16.isTrailSurrogate(trail)
        else { return "\u{FFFD}" }
        index += 6
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    private static func unit(_ text: ArraySlice<UInt8>, at start: Int) -> UInt16? {
        guard start + 4 <= text.endIndex else { return nil }
        guard let high = Hex.byte(text[start], text[start + 1]), let low = Hex.byte(text[start + 2], text[start + 3])
        else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }
}

extension Unicode.Scalar {
    fileprivate var utf8Bytes: [UInt8] { Array(String(self).utf8) }
}
