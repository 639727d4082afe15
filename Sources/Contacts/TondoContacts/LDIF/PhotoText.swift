internal import TondoText

/// Pictures in attributes of directories, whose values are bytes: some programs store the text of a picture instead.
package enum PhotoText {
    /// Whether the bytes begin like a picture: JPEG, PNG, GIF, WebP, BMP, TIFF, HEIC or AVIF.
    package static func isPicture(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(12))
        let starts: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8), Array("BM".utf8), Array("II*\0".utf8),
            Array("MM\0*".utf8),
        ]
        if starts.contains(where: head.starts) { return true }
        if head.dropFirst(4).starts(with: Array("ftyp".utf8)) { return true }
        return head.starts(with: Array("RIFF".utf8)) && head.dropFirst(8).starts(with: Array("WEBP".utf8))
    }

    /// The picture that the bytes are, or that they are the text of, in the writings of books (`PictureText`); also where its
    /// bytes were taken for letters, and encoded. Nil: something else.
    package static func picture(_ bytes: [UInt8]) -> [UInt8]? {
        var bytes = bytes
        // Twice: a text of a text is what a program writes that encodes what is encoded.
        for _ in 0..<3 {
            if isPicture(bytes) { return bytes }
            guard let decoded = decoded(bytes) else { return nil }
            bytes = decoded
        }
        return nil
    }

    /// A picture as `picture(_:)` finds it, or a URL. Nil: neither.
    package static func photo(_ bytes: [UInt8]) -> ContactPhoto? {
        if let picture = picture(bytes) { return .inline(.bytes(picture), crop: nil) }
        return url(bytes).map { .remote(url: $0) }
    }

    /// An address of the web.
    package static func url(_ bytes: [UInt8]) -> String? {
        guard bytes.count <= longestURL else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).trimmed
        let isURL = ASCII.has("https://", in: text) || ASCII.has("http://", in: text)
        return isURL && !text.contains(where: \.isWhitespace) ? text : nil
    }

    private static let longestURL = 8_192

    /// Nil: no text of a picture.
    private static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBytes { bytes in
            let text = ASCII.trimmed(bytes)
            if let (start, encoding) = PictureText.find(in: text) {
                return encoding.decode(UnsafeRawBufferPointer(rebasing: text[start...]))
            }
            if ASCII.has("data:", in: text) { return content(ofDataURI: text) }
            return isBase64(text) ? Base64.decode(text) : letters(bytes)
        }
    }

    /// Bytes that were encoded in UTF-8, as if they were letters of Latin-1. Nil: other text.
    private static func letters(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let first = bytes.first, first == 0xC2 || first == 0xC3 else { return nil }
        let letters = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { UInt8(exactly: $0.value) }
        return letters.contains(nil) ? nil : letters.compactMap(\.self)
    }

    private static func content(ofDataURI uri: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let comma = ASCII.find(UInt8(ascii: ","), in: uri, within: 0..<uri.count) else { return nil }
        let type = ASCII.loweredString(UnsafeRawBufferPointer(rebasing: uri[..<comma]))
        let content = PercentEncoding.decode(folded: UnsafeRawBufferPointer(rebasing: uri[(comma + 1)...]))
        guard type.hasSuffix("base64") else { return content }
        return content.withUnsafeBytes { Base64.decode($0) }
    }

    /// Text of nothing but base64 and line ends. Bytes of another file have others soon.
    private static func isBase64(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count >= 16
            && text.allSatisfy { byte in
                ASCII.isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || ASCII.isBlank(byte)
                    || "+/-_=".utf8.contains(byte)
            }
    }
}
