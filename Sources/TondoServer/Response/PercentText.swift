/// Percent-decoding of parts of a URL (RFC 3986 2.1).
enum PercentText {
    /// Nil if it is not UTF-8 or an escape is truncated. `plusIsBlank`: `+` means a blank, as in forms.
    static func plain(_ text: some Sequence<UInt8>, plusIsBlank: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == 0x25 else {
                bytes.append(plusIsBlank && byte == 0x2B ? 0x20 : byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
