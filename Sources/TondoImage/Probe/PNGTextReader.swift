/// Reads Latin-1 text from a PNG's tEXt chunks (PNG, third edition, section 11.3.3.2).
package enum PNGTextReader {
    /// The first intact text under `keyword`. `bytes` may be only the head of a file.
    package static func value(of keyword: String, in bytes: UnsafeRawBufferPointer) -> String? {
        guard case .png = ImageKind(bytes) else { return nil }
        var chunks = PNGChunks(bytes)
        while let chunk = chunks.next(), chunk.type != PNGChunk.imageData {
            guard chunk.type == PNGChunk.text, chunk.payload.has(keyword + "\0"), chunk.isIntact else { continue }
            let value = chunk.payload[(keyword.utf8.count + 1)...]
            return String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
        }
        return nil
    }
}
