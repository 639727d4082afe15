/// Hexadecimal digits.
///
/// ```swift
/// print(Hex.text([0xCA, 0xFE]))
/// print(Hex.bytes("cafe".utf8) ?? [])
/// ```
package enum Hex {
    /// The letter case of digits above 9.
    package enum Letters: Sendable { case lower, upper }

    /// Two digits for each byte.
    @inlinable
    package static func text(_ bytes: some Sequence<UInt8>, letters: Letters = .lower) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            digits.append(digit(byte >> 4, letters))
            digits.append(digit(byte, letters))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Appends lower-case digits in ASCII to a text.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte))
        }
    }

    /// A number in lower-case digits, padded with zeros to `digits`.
    @inlinable
    package static func text(_ number: some FixedWidthInteger & UnsignedInteger, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
    }

    /// Decodes pairs of digits; nil for another character or an odd count.
    @inlinable
    package static func bytes(_ digits: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = digits.makeIterator()
        while let high = rest.next() {
            guard let low = rest.next(), let byte = byte(high, low) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// The byte of two digits.
    @inlinable
    package static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = value(of: high), let low = value(of: low) else { return nil }
        return high << 4 | low
    }

    /// 0 to 15 for a digit in ASCII, in any letter case.
    @inlinable
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The digit, in ASCII, of the lower four bits.
    @inlinable
    package static func digit(_ value: UInt8, _ letters: Letters = .lower) -> UInt8 {
        let value = value & 15
        let letter = letters == .lower ? UInt8(ascii: "a") : UInt8(ascii: "A")
        return value < 10 ? UInt8(ascii: "0") + value : letter + value - 10
    }
}
