internal import FoundationEssentials
internal import SystemPackage

/// `file:` URLs (RFC 8089).
enum FileURL {
    /// Escapes all bytes except the unreserved characters of RFC 3986.
    static func text(_ path: FilePath) -> String {
        let path = path.isAbsolute ? path : FilePath(FileManager.default.currentDirectoryPath).pushing(path)
        let bytes = path.withPlatformString { start in
            UnsafeBufferPointer(start: start, count: path.length).map { UInt8(bitPattern: $0) }
        }
        var text = "file://"
        for byte in bytes {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80 && (scalar.properties.isAlphabetic || "0123456789-._~/@+,=".unicodeScalars.contains(scalar))
            if isPlain { text.unicodeScalars.append(scalar) } else { text += "%" + hexadecimal(byte) }
        }
        return text
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }
}
