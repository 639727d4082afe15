internal import TondoText

/// One PHOTO of a card (RFC 6350 6.2.4, RFC 2426 3.1.4): its value decides more than its parameters, which are often
/// wrong.
struct VCardPhotoLine {
    enum Value: Equatable {
        /// Offsets in the card.
        case encoded(Range<Int>, EncodedPhoto.Encoding)
        case file(String)
        case remote(String)
    }

    let value: Value
    /// 1 comes first.
    let preference: Int
    let crop: PhotoCrop?
    /// It begins like a photo that can be drawn, or it is a file.
    let hasImageSignature: Bool

    /// Of JPEG, PNG, WebP and GIF.
    private static let signatures: [[UInt8]] = [
        [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("RIFF".utf8), Array("GIF8".utf8),
    ]

    /// Of HEIC and AVIF, after four bytes.
    private static let mediaFile = Array("ftyp".utf8)

    /// Nil if it contains no photo. `card`: the card's bytes; `text`: decodes its values.
    init?(_ line: VCardLines.Line, _ header: VCardHeader, card: UnsafeRawBufferPointer, text: VCardTextValue) {
        let range = min(header.valueStart, line.end)..<line.end
        let head = Self.head(UnsafeRawBufferPointer(rebasing: card[range]))
        guard
            let value = head.withUnsafeBytes({ head -> Value? in
                if head.count == 0 { return nil }
                if ASCII.has("data:", in: head) { return Self.data(head, range, card) }
                if let scheme = Self.schemeLength(head) {
                    let uri = text.read(line, header, VCardValue.text)
                    return Self.reference(uri, scheme: scheme)
                }
                if header.parameters.encoding == .quotedPrintable { return .encoded(range, .quotedPrintable) }
                if header.parameters.encoding == .base64 || Self.looksLikeBase64(head) {
                    return .encoded(range, .base64)
                }
                let path = text.read(line, header, VCardValue.text)
                return .file(header.parameters.isURI ? PercentEncoding.decode(folded: path) : path)
            })
        else { return nil }
        if case .encoded(let range, let encoding) = value {
            let start = Self.start(UnsafeRawBufferPointer(rebasing: card[range]), encoding)
            if start.isEmpty { return nil }
            hasImageSignature =
                Self.signatures.contains { start.starts(with: $0) } || start.dropFirst(4).starts(with: Self.mediaFile)
        } else if case .file = value {
            hasImageSignature = true
        } else {
            hasImageSignature = false
        }
        (self.value, preference, crop) = (value, header.parameters.preference, header.parameters.crop)
    }

    /// The preferred one of the promising ones, else the preferred one.
    static func choice(_ photos: [VCardPhotoLine]) -> VCardPhotoLine? {
        let promising = photos.filter(\.hasImageSignature)
        return (promising.isEmpty ? photos : promising).min { $0.preference < $1.preference }
    }

    /// The first characters without folds and blanks.
    private static func head(_ value: UnsafeRawBufferPointer) -> [UInt8] {
        Array(value.prefix(1024).filter { !ASCII.isBlank($0) }.prefix(256))
    }

    /// A data: URI (RFC 2397), its comma escaped or not.
    private static func data(_ head: UnsafeRawBufferPointer, _ range: Range<Int>, _ card: UnsafeRawBufferPointer)
        -> Value?
    {
        guard let comma = head.firstIndex(of: UInt8(ascii: ",")),
            let start = card[range].firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let type = ASCII.loweredString(UnsafeRawBufferPointer(rebasing: head[..<comma]))
        return .encoded((start + 1)..<range.upperBound, type.contains("base64") ? .base64 : .percent)
    }

    /// Letters up to a colon, escaped or not. One letter alone is the drive of a path.
    private static func schemeLength(_ head: UnsafeRawBufferPointer) -> Int? {
        guard let colon = head.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var scheme = head[..<colon]
        if scheme.last == UInt8(ascii: "\\") { scheme.removeLast() }
        let isScheme = scheme.allSatisfy {
            ASCII.isLetter($0) || (UInt8(ascii: "+")...UInt8(ascii: "9")).contains($0) && $0 != UInt8(ascii: "/")
        }
        return isScheme && scheme.count >= 2 ? scheme.count : nil
    }

    /// A message part (`cid:`, vCard 2.1's CONTENT-ID) has no target.
    private static func reference(_ uri: String, scheme: Int) -> Value? {
        switch uri.prefix(scheme).lowercased() {
        case "file": ContactPhoto.path(ofFileURI: uri).filled.map { .file($0) }
        case "cid": nil
        default: .remote(uri)
        }
    }

    /// Only characters of base64, and so many, or such, as no path has.
    private static func looksLikeBase64(_ head: UnsafeRawBufferPointer) -> Bool {
        let isAlphabet = head.allSatisfy {
            ASCII.isLetter($0) || (UInt8(ascii: "/")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "+")
                || $0 == UInt8(ascii: "=")
        }
        guard isAlphabet else { return false }
        // The beginnings of JPEG, PNG, GIF and WebP.
        return head.count >= 64 || head.starts(with: Array("/9j/".utf8)) || head.starts(with: Array("iVBORw".utf8))
            || head.starts(with: Array("R0lGOD".utf8)) || head.starts(with: Array("UklGR".utf8))
            || !head.contains(UInt8(ascii: "/"))
    }

    private static func start(_ text: UnsafeRawBufferPointer, _ encoding: EncodedPhoto.Encoding) -> [UInt8] {
        let head = UnsafeRawBufferPointer(rebasing: text.prefix(512))
        return switch encoding {
        case .base64: Base64.head(text, count: 8)
        case .percent: PercentEncoding.decode(folded: head)
        case .quotedPrintable: QuotedPrintable.decode(head)
        }
    }
}
