/// `%FF` in URIs (RFC 3986 section 2.1), and in other formats with the same escapes.
///
/// ```swift
/// print(PercentEncoding.encode("a/b c", as: .pathSegment))
/// print(PercentEncoding.decode("a%2Fb%20c"))
/// ```
package enum PercentEncoding {
    /// The bytes that are not escaped. Each set is part of a file or URL format and cannot change.
    package enum Form: Sendable {
        /// A part of a path between slashes: the unreserved characters of RFC 3986 section 2.3 stay.
        case pathSegment
        /// The path of a `file:` URL (RFC 8089): unreserved characters stay, and `/`, `@`, `+`, `,`, `=`.
        case filePath
        /// The path of a `file:` URL as GLib writes it (`g_filename_to_uri`): `!`, `$`, `&`, `'`, `(`, `)`, `*` and `:` stay, too.
        case desktopPath
        /// A value in a line of words: printable ASCII except `%` stays. Digits are in lower case.
        case word
        /// A whole link that a person wrote: all characters of RFC 3986 section 2 stay, also `%`.
        case link

        /// Whether the byte stays; all others are escaped.
        @inlinable
        package func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "%"): self == .link
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
            case 0x2B, 0x2C, 0x2F, 0x3D, 0x40: self != .pathSegment
            case 0x21, 0x24, 0x26...0x2A, 0x3A: self != .pathSegment && self != .filePath
            case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D: self == .word
            default: (self == .word || self == .link) && 0x21...0x7E ~= byte
            }
        }

        /// Upper case, as RFC 3986 section 2.1 recommends; lower case in the words of cached entries, whose format is
        /// fixed.
        @inlinable
        package var letters: Hex.Letters { self == .word ? .lower : .upper }
    }

    /// The result is ASCII; the bytes need not be UTF-8.
    @inlinable
    package static func encode(_ bytes: some Sequence<UInt8>, as form: Form) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if form.isPlain(byte) {
                output.append(byte)
            } else {
                let letters = form.letters
                output += [UInt8(ascii: "%"), Hex.digit(byte >> 4, letters), Hex.digit(byte, letters)]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Escapes the UTF-8 of a text; most texts need no escape and are returned unchanged.
    package static func encode(_ text: String, as form: Form) -> String {
        text.utf8.allSatisfy(form.isPlain) ? text : encode(text.utf8, as: form)
    }

    /// An invalid `%` stays.
    package static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var text = text
        return text.withUTF8 { String(decoding: decode(UnsafeRawBufferPointer($0), isFolded: false), as: UTF8.self) }
    }

    /// An invalid `%` stays. Line ends and blanks, which no URI contains, are folds and are dropped.
    package static func decode(folded text: UnsafeRawBufferPointer) -> [UInt8] { decode(text, isFolded: true) }

    /// Decodes a text in which lines were folded. A text without an escape is returned unchanged.
    package static func decode(folded text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var text = text
        return text.withUTF8 { String(decoding: decode(folded: UnsafeRawBufferPointer($0)), as: UTF8.self) }
    }

    private static func decode(_ text: UnsafeRawBufferPointer, isFolded: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        var from = 0
        while from < text.count {
            let byte = text[from]
            if byte == UInt8(ascii: "%"), let (value, end) = escaped(text, behind: from, isFolded: isFolded) {
                bytes.append(value)
                from = end
            } else {
                if !isFolded || byte > 0x20 { bytes.append(byte) }
                from += 1
            }
        }
        return bytes
    }

    /// The byte of two digits, and the position behind them. A fold may be before each digit.
    private static func escaped(
        _ text: UnsafeRawBufferPointer, behind sign: Int, isFolded: Bool
    ) -> (byte: UInt8, end: Int)? {
        var (high, position): (UInt8?, Int) = (nil, sign + 1)
        while position < text.count {
            let digit = text[position]
            position += 1
            if isFolded, digit <= 0x20 { continue }
            if let high { return Hex.byte(high, digit).map { ($0, position) } }
            // Without a first digit the sign is none: then the search for the second one would be in vain.
            guard Hex.value(of: digit) != nil else { return nil }
            high = digit
        }
        return nil
    }

    /// Nil if it is not UTF-8 or an escape is truncated. `plusIsBlank`: `+` means a blank, as in forms.
    @inlinable
    package static func decodeStrictly(_ text: some Sequence<UInt8>, plusIsBlank: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            guard let high = rest.next(), let low = rest.next(), let value = Hex.byte(high, low) else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
