internal import TondoText

/// Finds a picture in text, in all writings in which pictures have been found in books: whatever encoding, and whatever
/// stands before it. The bytes of a picture decide, never what is said about them.
enum PictureText {
    /// The first bytes of JPEG, PNG, WebP and GIF.
    private static let signatures: [[UInt8]] = [
        [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("RIFF".utf8), Array("GIF8".utf8),
    ]

    /// What HEIC and AVIF have after four bytes.
    private static let mediaFile = Array("ftyp".utf8)

    /// What may stand before a picture: the type of a data: URI (RFC 2397) and what is left of one, quotes, words.
    private static let mostBefore = 160

    /// The beginning of the picture in the text, and its encoding. Nil if there is no picture that can be drawn: what a URL
    /// of the web names is none.
    static func find(in text: UnsafeRawBufferPointer) -> (start: Int, EncodedPhoto.Encoding)? {
        if let encoding = encoding(of: text) { return (0, encoding) }
        let head = UnsafeRawBufferPointer(rebasing: text.prefix(mostBefore))
        let first = UnsafeRawBufferPointer(rebasing: head[Invisible.skip(head)...])
        if ASCII.has("http", in: first) || ASCII.has("file", in: first) || ASCII.has("ftp", in: first) { return nil }
        for (index, byte) in head.enumerated() where isSeparator(byte, in: head, at: index) {
            let rest = UnsafeRawBufferPointer(rebasing: text[(index + 1)...])
            if let encoding = encoding(of: rest) { return (index + 1, encoding) }
        }
        return nil
    }

    static func isPicture(_ start: some Collection<UInt8>) -> Bool {
        signatures.contains { start.starts(with: $0) } || start.dropFirst(4).starts(with: mediaFile)
    }

    /// A picture may begin behind it. An escaped one is its last digit.
    private static func isSeparator(_ byte: UInt8, in head: UnsafeRawBufferPointer, at index: Int) -> Bool {
        switch byte {
        // 0xFFD8...
        case UInt8(ascii: "x"): return index == 1
        // A data: URI that lost its punctuation.
        case UInt8(ascii: "4") where index >= 5:
            return ASCII.has("base6", in: UnsafeRawBufferPointer(rebasing: head[(index - 5)...]))
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "'"), UInt8(ascii: "\""),
            UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: " "):
            return true
        case UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "C"), UInt8(ascii: "D"),
            UInt8(ascii: "a")...UInt8(ascii: "d"):
            return index >= 2 && (head[index - 2] == UInt8(ascii: "%") || head[index - 2] == UInt8(ascii: "="))
        default: return false
        }
    }

    /// The encoding in which the text begins with a picture. Base64 is found at once.
    private static func encoding(of text: UnsafeRawBufferPointer) -> EncodedPhoto.Encoding? {
        let head = UnsafeRawBufferPointer(rebasing: text.prefix(256))
        // The mark of HEIC and AVIF ends with the eighth byte.
        if isPicture(Base64.head(text, count: 8)) {
            let head = UnsafeRawBufferPointer(rebasing: text.prefix(1024))
            if hasQuotedCharacters(head) || hasSoftBreaks(head) { return .quotedBase64 }
            return BlankBase64.isIn(head, of: text) ? .blankBase64 : .base64
        }
        return others.first { isPossible($0, in: head) && isPicture($0.decode(head)) }
    }

    /// Spares plain words, which are the beginning of a path, the decoding.
    private static func isPossible(_ encoding: EncodedPhoto.Encoding, in head: UnsafeRawBufferPointer) -> Bool {
        switch encoding {
        case .percent: head.contains(UInt8(ascii: "%"))
        case .quotedPrintable, .quotedBase64: head.contains(UInt8(ascii: "="))
        case .hex: head.lazy.filter { !ASCII.isBlank($0) }.prefix(16).allSatisfy { Hex.value(of: $0) != nil }
        case .base64, .twiceBase64, .blankBase64: head.count > 16
        }
    }

    private static let others: [EncodedPhoto.Encoding] = [
        .quotedBase64, .quotedPrintable, .percent, .hex, .twiceBase64,
    ]

    /// Lines of base64 that end in the soft break of quoted-printable, and not in padding: a group of four is not whole, or
    /// has bits that padding does not leave.
    private static func hasSoftBreaks(_ head: UnsafeRawBufferPointer) -> Bool {
        var count = 0
        for (index, byte) in head.enumerated() where !ASCII.isBlank(byte) {
            count += 1
            guard byte == UInt8(ascii: "="), index > 0, index + 1 < head.count else { continue }
            let isLast = head[(index + 1)...].allSatisfy { ASCII.isBlank($0) || $0 == byte }
            if isLast || head[index - 1] == byte || ![0x0A, 0x0D].contains(head[index + 1]) { return false }
            if count % 4 != 0 || !"AEIMQUYcgkosw048".utf8.contains(head[index - 1]) { return true }
        }
        return false
    }

    /// Base64 of which `+`, `/`, `=` or line ends are written as quoted-printable.
    private static func hasQuotedCharacters(_ head: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while let sign = ASCII.find(UInt8(ascii: "="), in: head, within: position..<head.count), sign + 2 < head.count {
            switch Hex.byte(head[sign + 1], head[sign + 2]) {
            case 0x0A, 0x0D, 0x2B, 0x2F, 0x3D: return true
            default: position = sign + 1
            }
        }
        return false
    }
}

extension EncodedPhoto.Encoding {
    /// The picture's bytes, or the first of them.
    func decode(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        switch self {
        case .base64: Base64.decode(text)
        case .blankBase64: BlankBase64.restored(text).withUnsafeBytes { Base64.decode($0) }
        case .percent: PercentEncoding.decode(folded: text)
        case .quotedPrintable: QuotedPrintable.decode(text)
        case .quotedBase64: QuotedPrintable.decode(text).withUnsafeBytes { Base64.decode($0) }
        case .twiceBase64: Self.decodeTwice(text)
        case .hex: Self.decodeHex(text)
        }
    }

    /// The inner text may be a data: URI.
    private static func decodeTwice(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        Base64.decode(text).withUnsafeBytes { inner in
            let comma = ASCII.has("data:", in: inner) ? inner.prefix(160).firstIndex(of: UInt8(ascii: ",")) : nil
            return Base64.decode(UnsafeRawBufferPointer(rebasing: inner[(comma.map { $0 + 1 } ?? 0)...]))
        }
    }

    /// Digits in pairs; all other characters are dropped.
    private static func decodeHex(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var (bytes, high): ([UInt8], UInt8?) = ([], nil)
        bytes.reserveCapacity(text.count / 2)
        for character in text where Hex.value(of: character) != nil {
            if let first = high, let byte = Hex.byte(first, character) {
                bytes.append(byte)
                high = nil
            } else {
                high = character
            }
        }
        return bytes
    }
}
