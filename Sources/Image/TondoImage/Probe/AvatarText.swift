/// Reads the Latin-1 text that an avatar carries: in a tEXt chunk, of a PNG (third edition, section 11.3.3.2) or, in the same
/// form, of a WebP.
package enum AvatarText {
    /// The first text under `keyword`, before the pixels; in a PNG, the first intact one. `bytes` may be only the head of a
    /// file.
    package static func value(of keyword: String, in bytes: UnsafeRawBufferPointer) -> String? {
        switch ImageKind(bytes) {
        case .png: ofPNG(bytes, keyword: keyword)
        case .webp: ofWebP(bytes, keyword: keyword)
        default: nil
        }
    }

    /// Whether there is a text under `keyword`, intact or not.
    package static func isMarked(_ keyword: String, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard ImageKind(bytes) == .png else { return value(of: keyword, in: bytes) != nil }
        var chunks = PNGChunks(bytes)
        while let chunk = chunks.next(), chunk.type != PNGChunk.imageData {
            if chunk.type == PNGChunk.text, value(of: keyword, chunk.payload) != nil { return true }
        }
        return false
    }

    private static func ofPNG(_ bytes: UnsafeRawBufferPointer, keyword: String) -> String? {
        var chunks = PNGChunks(bytes)
        while let chunk = chunks.next(), chunk.type != PNGChunk.imageData {
            guard chunk.type == PNGChunk.text, chunk.isIntact else { continue }
            if let value = value(of: keyword, chunk.payload) { return value }
        }
        return nil
    }

    private static func ofWebP(_ bytes: UnsafeRawBufferPointer, keyword: String) -> String? {
        var chunks = RIFFChunks(bytes: bytes, range: 12..<max(bytes.count, 12))
        while let chunk = chunks.next(), !chunk.has("ALPH"), !chunk.has("VP8 "), !chunk.has("VP8L") {
            guard chunk.has("tEXt") else { continue }
            if let value = value(of: keyword, chunk.payload(of: bytes)) { return value }
        }
        return nil
    }

    private static func value(of keyword: String, _ payload: UnsafeRawBufferPointer) -> String? {
        guard payload.has(keyword + "\0") else { return nil }
        let value = payload[(keyword.utf8.count + 1)...]
        return String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
    }
}
