/// One part of a path between slashes (RFC 3986 section 2.1).
enum PathSegment {
    /// Escapes all bytes except the unreserved characters of RFC 3986.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                escaped += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }
}
