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
    private let field: VCardField

    /// Nil if it contains no photo. `card`: the card's bytes; `text`: decodes its values.
    init?(line: VCardLines.Line, header: VCardHeader, card: UnsafeRawBufferPointer, text: VCardTextValue) {
        let range = min(header.valueStart, line.end)..<line.end
        if let (start, encoding) = PictureText.find(in: UnsafeRawBufferPointer(rebasing: card[range])) {
            (value, hasImageSignature) = (.encoded(range.lowerBound + start..<range.upperBound, encoding), true)
        } else {
            guard let value = Self.other(range, line: line, header: header, card: card, text: text) else { return nil }
            self.value = value
            if case .file = value { hasImageSignature = true } else { hasImageSignature = false }
        }
        preference = header.parameters.preference
        crop = header.parameters.crop
        field = header.field ?? .photo
    }

    /// The preferred one of the promising ones, else the preferred one. A logo is the picture of a company.
    static func choice(_ photos: [VCardPhotoLine], of kind: Contact.Kind) -> VCardPhotoLine? {
        if photos.isEmpty { return nil }
        let own = photos.filter { $0.field == .photo }
        if !own.isEmpty { return preferred(own) }
        return preferred(
            photos.filter {
                guard case .encoded = $0.value, $0.hasImageSignature else { return false }
                return $0.field != .logo || kind == .organisation
            })
    }

    private static func preferred(_ photos: [VCardPhotoLine]) -> VCardPhotoLine? {
        let promising = photos.filter(\.hasImageSignature)
        return (promising.isEmpty ? photos : promising).min { $0.preference < $1.preference }
    }

    /// What does not begin like a picture that can be drawn.
    private static func other(
        _ range: Range<Int>, line: VCardLines.Line, header: VCardHeader, card: UnsafeRawBufferPointer,
        text: VCardTextValue
    ) -> Value? {
        let value = head(UnsafeRawBufferPointer(rebasing: card[range])).withUnsafeBytes { head -> Value? in
            if head.count == 0 || isWord(head) { return nil }
            // The bytes of a picture as they are: their line ends have cut them.
            if head[0] >= 0x80, PictureText.isPicture(head) { return nil }
            if ASCII.has("data:", in: head) { return data(head, range: range, card: card) }
            let stated = ASCII.has("//", in: head) ? header.parameters.scheme.map { $0 + ":" } : nil
            if let beginning = stated ?? ContactPhoto.beginning(ofHost: head) {
                return .remote(beginning + text.read(line, header: header, body: VCardValue.text))
            }
            if let scheme = schemeLength(head) {
                let uri = text.read(line, header: header, body: VCardValue.text)
                return reference(uri, scheme: scheme)
            }
            if header.parameters.encoding == .quotedPrintable { return .encoded(range, .quotedPrintable) }
            if header.parameters.encoding == .base64 || looksLikeBase64(head) { return .encoded(range, .base64) }
            let path = text.read(line, header: header, body: VCardValue.text)
            return .file(header.parameters.isURI ? PercentEncoding.decode(folded: path) : path)
        }
        return value.flatMap { checked($0, card: card) }
    }

    /// An encoded text may be that of a URL or of a word in place of a picture, or nothing but foreign characters.
    private static func checked(_ value: Value, card: UnsafeRawBufferPointer) -> Value? {
        guard case .encoded(let range, let encoding) = value else { return value }
        let text = UnsafeRawBufferPointer(rebasing: card[range].prefix(2_048))
        if isWord(head(text)) { return nil }
        // A picture, of which no more need be decoded.
        let first = encoding.decode(UnsafeRawBufferPointer(rebasing: text.prefix(64))).first
        if let first, !(0x20..<0x7F ~= first) { return value }
        let whole = encoding.decode(text)
        return PhotoText.url(whole).map { .remote($0) } ?? (whole.isEmpty || isWord(whole) ? nil : value)
    }

    private static func isWord(_ text: some Collection<UInt8>) -> Bool {
        String(decoding: text.prefix(16), as: UTF8.self).isNoPicture
    }

    /// The first characters without folds and blanks.
    private static func head(_ value: UnsafeRawBufferPointer) -> [UInt8] {
        Array(value.prefix(1024).filter { !ASCII.isBlank($0) }.prefix(256))
    }

    /// A data: URI (RFC 2397), its comma escaped or not.
    private static func data(_ head: UnsafeRawBufferPointer, range: Range<Int>, card: UnsafeRawBufferPointer)
        -> Value?
    {
        // Both are searched: the head is without folds, so its offsets are not those of the card.
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
        // Nothing but the scheme.
        default: uri.dropFirst(scheme + 1).allSatisfy { $0 == "/" } ? nil : .remote(uri)
        }
    }

    /// Only characters of base64, and so many, or such, as no path has.
    private static func looksLikeBase64(_ head: UnsafeRawBufferPointer) -> Bool {
        let isAlphabet = head.allSatisfy {
            ASCII.isLetter($0) || (UInt8(ascii: "/")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "+")
                || $0 == UInt8(ascii: "=")
        }
        return isAlphabet && (head.count >= 64 || !head.contains(UInt8(ascii: "/")))
    }
}
