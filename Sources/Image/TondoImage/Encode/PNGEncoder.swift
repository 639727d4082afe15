/// Encodes RGBA8 pictures as PNG (PNG third edition), the same bytes on every run and machine.
///
/// A change that changes a byte of any avatar needs a new `AvatarRecipe.rendererVersion`, see `Tests/Checks/goldens`.
///
/// ```swift
/// let pixels: [UInt8] = [255, 0, 0, 255, 0, 0, 255, 128]
/// let png = PNGEncoder.encode(pixels: pixels, width: 2, height: 1)
/// print(png.count)
/// ```
package struct PNGEncoder {
    /// The eight bytes every PNG starts with (PNG third edition 5.2).
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The widest and highest picture, in pixels.
    package static let longestSide = 16_384

    /// Encodes `pixels`: `height` rows of `width` pixels of red, green, blue and straight alpha.
    ///
    /// Each entry of `text` becomes a tEXt chunk, and must be valid for one: see `PNGText`.
    package static func encode(
        pixels: [UInt8], width: Int, height: Int, text: [(keyword: String, value: String)] = []
    ) -> [UInt8] {
        pixels.withUnsafeBufferPointer { encode(pixels: $0, width: width, height: height, text: text) }
    }

    /// Why so many bytes are no pixels of a PNG of this size; nil: they are.
    static func refusal(of bytes: Int, width: Int, height: Int) -> String? {
        guard (1...longestSide).contains(width), (1...longestSide).contains(height) else { return "no size of a PNG" }
        return bytes == width * height * 4 ? nil : "not four bytes a pixel"
    }

    /// Encodes pixels from memory as a PNG.
    package static func encode(
        pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, text: [(keyword: String, value: String)] = []
    ) -> [UInt8] {
        if let refusal = refusal(of: pixels.count, width: width, height: height) { preconditionFailure(refusal) }
        guard let base = pixels.baseAddress else { preconditionFailure("no pixels") }
        let head = header(width: width, height: height, text: text)
        let bound = DeflateEncoder.bound(width: width, height: height)
        return [UInt8](unsafeUninitializedCapacity: head.count + bound + 24) { buffer, count in
            // The capacity covers the head, the bound of the stream and the frames of two chunks.
            guard let start = buffer.baseAddress else { preconditionFailure("no memory") }
            start.initialize(from: head, count: head.count)
            let encoder = DeflateEncoder(pixels: base, width: width, height: height)
            var end = start + head.count
            let size = encoder.encode(to: end + 8)
            end = PNGChunk.close(type: PNGChunk.imageData, size: size, at: end)
            end = PNGChunk.close(type: PNGChunk.imageEnd, size: 0, at: end)
            count = end - start
        }
    }

    /// Whether these bytes have the form of what `encode` gives for a picture of this size and text: head, one chunk of
    /// pixels with its checksum, end. The pixels are not decoded.
    package static func isForm(
        _ png: UnsafeRawBufferPointer, width: Int, height: Int, text: [(keyword: String, value: String)]
    ) -> Bool {
        let (head, end) = (
            header(width: width, height: height, text: text), PNGChunk.bytes(type: PNGChunk.imageEnd, data: [])
        )
        let size = png.count - head.count - 12 - end.count
        guard size >= 0, png.starts(with: head), png.suffix(end.count).elementsEqual(end) else { return false }
        var chunks = PNGChunks(UnsafeRawBufferPointer(rebasing: png[(head.count - 8)...]))
        guard let chunk = chunks.next() else { return false }
        return chunk.type == PNGChunk.imageData && chunk.payload.count == size && chunk.isIntact
    }

    /// All bytes before the pixels.
    private static func header(width: Int, height: Int, text: [(keyword: String, value: String)]) -> [UInt8] {
        var bytes = signature
        // Eight bits, truecolour with alpha, deflate, adaptive filters, no interlace (11.2.1).
        let image = PNGChunk.bigEndian(width) + PNGChunk.bigEndian(height) + [8, 6, 0, 0, 0]
        bytes += PNGChunk.bytes(type: PNGChunk.imageHeader, data: image)
        // Perceptual intent (11.3.2.5).
        bytes += PNGChunk.bytes(type: PNGChunk.standardColors, data: [0])
        return bytes + chunks(text)
    }

    private static func chunks(_ text: [(keyword: String, value: String)]) -> [UInt8] {
        text.flatMap { entry in
            guard let data = PNGText.data(keyword: entry.keyword, value: entry.value) else {
                preconditionFailure("not a tEXt entry: \(entry.keyword)")
            }
            return PNGChunk.bytes(type: PNGChunk.text, data: data)
        }
    }

    /// A PNG of `encode` with further tEXt chunks, right behind its first chunk. Each entry must be valid: see `PNGText`.
    package static func adding(text: [(keyword: String, value: String)], to png: [UInt8]) -> [UInt8] {
        // The first chunk has 13 bytes of data (11.2.1), and 12 around them.
        let head = signature.count + 25
        precondition(png.count > head && png.starts(with: signature), "not a PNG")
        return png[..<head] + chunks(text) + png[head...]
    }
}
