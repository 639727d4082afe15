/// Parses a property's value after it is unfolded and converted to UTF-8.
enum VCardValue {
    /// Without surrounding blanks, with escapes resolved (RFC 6350 3.4).
    static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        let bytes = ASCII.trimmed(bytes)
        guard bytes.contains(backslash) else { return String(decoding: bytes, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: bytes.count) { output in
            var (from, to) = (0, 0)
            while from < bytes.count {
                var byte = bytes[from]
                if byte == backslash, bytes[from...].starts(with: lineEnd) { from += 2 }
                // Escaped twice: `\\\,`.
                if byte == backslash, from + 3 < bytes.count, bytes[from + 1] == backslash,
                    bytes[from + 2] == backslash,
                    bytes[from + 3] == UInt8(ascii: ",") || bytes[from + 3] == UInt8(ascii: ";")
                {
                    from += 2
                }
                if byte == backslash, from + 1 < bytes.count, let meaning = escape(bytes[from + 1]) {
                    byte = meaning
                    from += 1
                }
                output[to] = byte
                from += 1
                to += 1
            }
            return to
        }
    }

    /// The texts between unescaped separators, without empty ones.
    static func parts(_ bytes: UnsafeRawBufferPointer, separator: UInt8) -> [String] {
        var parts: [String] = []
        forEachPart(bytes, separator: separator) { part in
            let text = text(part)
            if !text.isEmpty { parts.append(text) }
        }
        return parts
    }

    /// The company and its departments (RFC 6350 6.6.4).
    static func units(_ bytes: UnsafeRawBufferPointer) -> [String] {
        let first = UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != UInt8(ascii: ";") })
        var units = parts(bytes, separator: UInt8(ascii: ";"))
        let company = units.isEmpty || ASCII.trimmed(first).isEmpty ? "" : units.removeFirst()
        units.removeAll(where: \.isNothing)
        return Contact.units(company: company.isNothing ? nil : company.filled, departments: units)
    }

    @inline(__always)
    static func forEachPart(_ bytes: UnsafeRawBufferPointer, separator: UInt8, body: (UnsafeRawBufferPointer) -> Void) {
        var (start, position) = (0, 0)
        while position < bytes.count {
            if bytes[position] == backslash {
                position += 1
            } else if bytes[position] == separator {
                body(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
                start = position + 1
            }
            position += 1
        }
        body(UnsafeRawBufferPointer(rebasing: bytes[min(start, bytes.count)...]))
    }

    private static let backslash = UInt8(ascii: "\\")
    /// As some writers escape CR LF.
    private static let lineEnd = Array("\\r\\n".utf8)

    /// The character that a backslash escapes, sometimes only by convention; nil if the backslash is an ordinary
    /// character.
    @inline(__always)
    private static func escape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "n"), UInt8(ascii: "N"): 0x0A
        case backslash, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "\""): byte
        default: nil
        }
    }
}
