internal import CWebP

/// Encodes avatars as WebP (RFC 9649): libwebp makes the frame, and this the file around it, with the avatar's text.
///
///     RIFF  VP8X  tEXt  [ALPH]  VP8
///
/// `tEXt` has the form of the PNG chunk with this name; readers of WebP ignore chunks that they do not know (RFC 9649
/// section 2.7.1.6). It comes before the frame, so that the head of a file contains its recipe.
enum WebPEncoder {
    /// `1.2.4`, of the library that this process uses.
    static let libraryVersion: String = {
        let version = cwebp_encoder_version()
        return "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }()

    /// `texts`: must be valid, see `PNGText`.
    static func encode(
        _ canvas: Canvas, quality: Int, texts: [(keyword: String, value: String)]
    ) throws(ImageError) -> [UInt8] {
        precondition(AvatarFormat.qualities ~= quality && canvas.bytes.count == canvas.side * canvas.side * 4)
        let file = try encodedFile(canvas, quality: quality)
        return file.withUnsafeBytes { file in
            var chunks = RIFFChunks(bytes: file, range: 12..<file.count)
            var (frame, hasAlpha) = ([] as [UInt8], false)
            while let chunk = chunks.next() {
                guard chunk.has("ALPH") || chunk.has("VP8 ") else { continue }
                hasAlpha = hasAlpha || chunk.has("ALPH")
                frame += RIFFChunk.bytes(type: chunk.has("ALPH") ? "ALPH" : "VP8 ", data: chunk.payload(of: file))
            }
            return head(side: canvas.side, hasAlpha: hasAlpha, texts: texts, frame: frame.count) + frame
        }
    }

    /// What libwebp writes: a frame alone, or with alpha and the canvas' size before it.
    private static func encodedFile(_ canvas: Canvas, quality: Int) throws(ImageError) -> [UInt8] {
        var (bytes, count) = (nil as UnsafeMutablePointer<UInt8>?, 0)
        let side = UInt32(canvas.side)
        let status = canvas.bytes.withUnsafeBufferPointer { pixels in
            var picture = cwebp_picture(
                pixels: pixels.baseAddress, width: side, height: side, quality: Int32(quality))
            return cwebp_encode(&picture, &bytes, &count)
        }
        // A valid canvas and quality leave memory as the only reason.
        guard status == CWEBP_OK, let bytes else { throw .outOfMemory }
        defer { cwebp_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// See `AvatarFormat.isForm`.
    static func isForm(
        _ bytes: UnsafeRawBufferPointer, side: Int, texts: [(keyword: String, value: String)]
    ) -> Bool {
        for hasAlpha in [true, false] {
            let length = head(side: side, hasAlpha: hasAlpha, texts: texts, frame: 0).count
            guard bytes.count > length,
                bytes.starts(with: head(side: side, hasAlpha: hasAlpha, texts: texts, frame: bytes.count - length))
            else { continue }
            return isFrame(bytes, from: length, side: side, hasAlpha: hasAlpha)
        }
        return false
    }

    private static func isFrame(_ bytes: UnsafeRawBufferPointer, from start: Int, side: Int, hasAlpha: Bool) -> Bool {
        var chunks = RIFFChunks(bytes: bytes, range: start..<bytes.count)
        if hasAlpha, chunks.next()?.has("ALPH") != true { return false }
        guard let last = chunks.next(), last.has("VP8 "), last.range.upperBound.nextEven == bytes.count,
            let frame = try? WebPFrame(chunks: RIFFChunks(bytes: bytes, range: start..<bytes.count), of: bytes)
        else { return false }
        return (frame.width, frame.height, frame.hasAlpha) == (side, side, hasAlpha)
    }

    /// All bytes before the frame, whose chunks have `frame` bytes.
    private static func head(
        side: Int, hasAlpha: Bool, texts: [(keyword: String, value: String)], frame: Int
    ) -> [UInt8] {
        let last = RIFFChunk.littleEndian(side - 1, bytes: 3)
        let canvas = RIFFChunk.bytes(type: "VP8X", data: [hasAlpha ? 0x10 : 0, 0, 0, 0] + last + last)
        var chunks = Array("WEBP".utf8) + canvas
        for text in texts {
            guard let data = PNGText.data(keyword: text.keyword, value: text.value) else {
                preconditionFailure("not a tEXt entry: \(text.keyword)")
            }
            chunks += RIFFChunk.bytes(type: "tEXt", data: data)
        }
        return Array("RIFF".utf8) + RIFFChunk.littleEndian(chunks.count + frame, bytes: 4) + chunks
    }
}

/// Writes chunks of RIFF files (RFC 9649 section 2.3).
enum RIFFChunk {
    /// With a byte of padding after data of an odd length.
    static func bytes(type: String, data: some Collection<UInt8>) -> [UInt8] {
        Array(type.utf8) + littleEndian(data.count, bytes: 4) + data + [UInt8](repeating: 0, count: data.count & 1)
    }

    static func littleEndian(_ number: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

extension Int {
    fileprivate var nextEven: Int { self + (self & 1) }
}
