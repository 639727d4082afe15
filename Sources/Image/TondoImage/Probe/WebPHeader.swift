/// Walks the chunks of a WebP file (RFC 9649 section 2): the size, the first frame, the orientation and the profile.
enum WebPHeader {
    static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
        var size = ByteReader(bytes)
        size.offset = 4
        guard let count = size.littleEndian(4) else { throw .truncated("the file ends in the WebP header") }
        guard bytes.count >= 8 + count else { throw .truncated("the file ends before its RIFF chunk") }
        guard count >= 4 else { throw .corrupt("a RIFF chunk of \(count) bytes") }
        var chunks = RIFFChunks(bytes: bytes, range: 12..<8 + count)
        guard let first = chunks.next() else { throw .truncated("the file ends in the WebP header") }
        guard first.has("VP8X") else {
            let frame = try WebPFrame(chunks: RIFFChunks(bytes: bytes, range: 12..<8 + count), of: bytes)
            return header(frame, width: frame.width, height: frame.height)
        }
        return try extended(first.payload(of: bytes), chunks: chunks, in: bytes)
    }

    /// A file with a canvas, and perhaps with an animation.
    private static func extended(
        _ canvas: UnsafeRawBufferPointer, chunks: RIFFChunks, in bytes: UnsafeRawBufferPointer
    ) throws(ImageError) -> ImageHeader {
        var reader = ByteReader(canvas)
        guard let flags = reader.littleEndian(4), let width = reader.littleEndian(3),
            let height = reader.littleEndian(3)
        else { throw .corrupt("a VP8X chunk of \(canvas.count) bytes") }
        let isAnimated = flags & 2 != 0
        var (frame, profile, orientation) = (nil as WebPFrame?, EmbeddedProfile.none, nil as Orientation?)
        var rest = chunks
        while let chunk = rest.next() {
            let payload = chunk.payload(of: bytes)
            if chunk.has("ICCP"), profile == .none { profile = ICCProfile.embedded(payload) }
            if chunk.has("EXIF"), orientation == nil { orientation = EXIF.orientation(payload) }
            if isAnimated, frame == nil, chunk.has("ANMF") { frame = try animationFrame(chunk, of: bytes) }
        }
        var found = if let frame { frame } else { try WebPFrame(chunks: chunks, of: bytes) }
        // Browsers go by the flag: a program that removed transparency may leave its data.
        if !isAnimated, flags & 0x10 == 0 { found.leaveOutSeparateAlpha() }
        guard found.x + found.width <= width + 1, found.y + found.height <= height + 1,
            isAnimated || (found.width, found.height) == (width + 1, height + 1)
        else { throw .corrupt("a frame that is not as large as its canvas") }
        var header = header(found, width: width + 1, height: height + 1)
        header.profile = profile
        header.orientation = orientation ?? .up
        return header
    }

    private static func animationFrame(
        _ chunk: RIFFChunks.Chunk, of bytes: UnsafeRawBufferPointer
    ) throws(ImageError) -> WebPFrame {
        var reader = ByteReader(chunk.payload(of: bytes))
        guard let x = reader.littleEndian(3), let y = reader.littleEndian(3), let width = reader.littleEndian(3),
            let height = reader.littleEndian(3), reader.littleEndian(4) != nil
        else { throw .corrupt("an ANMF chunk of \(chunk.range.count) bytes") }
        var frame = try WebPFrame(chunks: RIFFChunks(bytes: bytes, range: chunk.range.dropFirst(16)), of: bytes)
        guard (frame.width, frame.height) == (width + 1, height + 1) else {
            throw .corrupt("a frame that is not as large as its ANMF chunk states")
        }
        // A frame states half of its offsets, which are even.
        frame.x = 2 * x
        frame.y = 2 * y
        return frame
    }

    private static func header(_ frame: WebPFrame, width: Int, height: Int) -> ImageHeader {
        var header = ImageHeader(format: .webp, width: width, height: height)
        header.webP = frame
        return header
    }
}

/// The first frame of a WebP file, in pixels of its canvas.
package struct WebPFrame: Equatable, Sendable {
    /// Its chunks in the file: VP8L, or VP8 with an ALPH chunk before it.
    var data: Range<Int>
    var x = 0
    var y = 0
    var width: Int
    var height: Int
    var hasAlpha: Bool
    var isLossless: Bool
    /// Where the chunk of the colours begins.
    private var colors: Int

    /// Its alpha is an ALPH chunk. libwebp 1.2.4 reads the alpha of rows wrongly if it decodes none above them: it ignores
    /// that horizontally filtered alpha follows from these.
    var hasSeparateAlpha: Bool { hasAlpha && !isLossless }

    /// `canvas`: its size. Averaged pixels with alpha would get the colour of transparent ones; of a lossless frame,
    /// libwebp decodes the whole picture in any case.
    func isScalable(on canvas: (width: Int, height: Int)) -> Bool {
        !isLossless && !hasAlpha && (width, height) == canvas
    }

    /// The first frame among these chunks.
    init(chunks: RIFFChunks, of bytes: UnsafeRawBufferPointer) throws(ImageError) {
        var (chunks, alpha) = (chunks, nil as Int?)
        while let chunk = chunks.next() {
            if chunk.has("ALPH"), alpha == nil { alpha = chunk.range.lowerBound - 8 }
            isLossless = chunk.has("VP8L")
            guard isLossless || chunk.has("VP8 ") else { continue }
            colors = chunk.range.lowerBound - 8
            data = ((isLossless ? nil : alpha) ?? colors)..<chunk.range.upperBound
            var reader = ByteReader(chunk.payload(of: bytes))
            guard let size = isLossless ? Self.losslessSize(&reader) : Self.lossySize(&reader) else {
                throw .corrupt("a frame header of \(chunk.range.count) bytes")
            }
            width = size.width
            height = size.height
            hasAlpha = isLossless ? size.hasAlpha : alpha != nil
            return
        }
        throw .corrupt("no image")
    }

    mutating func leaveOutSeparateAlpha() {
        guard hasSeparateAlpha else { return }
        (data, hasAlpha) = (colors..<data.upperBound, false)
    }

    /// RFC 6386 section 9.1. Two bits above each side are the scale at which a player may show it; decoders ignore them.
    private static func lossySize(_ reader: inout ByteReader) -> (width: Int, height: Int, hasAlpha: Bool)? {
        guard let tag = reader.littleEndian(3), tag & 1 == 0, reader.littleEndian(3) == 0x2A_019D,
            let width = reader.littleEndian(2), let height = reader.littleEndian(2)
        else { return nil }
        return (width & 0x3FFF, height & 0x3FFF, false)
    }

    /// RFC 9649 section 3.4.
    private static func losslessSize(_ reader: inout ByteReader) -> (width: Int, height: Int, hasAlpha: Bool)? {
        guard reader.byte() == 0x2F, let bits = reader.littleEndian(4) else { return nil }
        return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1, bits >> 28 & 1 == 1)
    }
}

/// The chunks of a RIFF file, one after the other. Ends at the first truncated one.
struct RIFFChunks {
    struct Chunk {
        private let type: Int
        /// The payload's bytes in the file.
        let range: Range<Int>

        init(type: Int, range: Range<Int>) {
            self.type = type
            self.range = range
        }

        /// `name`: four ASCII letters.
        func has(_ name: StaticString) -> Bool {
            name.withUTF8Buffer {
                type == Int(UnsafeRawPointer($0.baseAddress!).loadUnaligned(as: UInt32.self).littleEndian)
            }
        }

        func payload(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: bytes[range])
        }
    }

    private var reader: ByteReader

    /// `range`: of the chunks in `bytes`.
    init(bytes: UnsafeRawBufferPointer, range: Range<Int>) {
        reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[..<max(range.upperBound, range.lowerBound)]))
        reader.offset = range.lowerBound
    }

    mutating func next() -> Chunk? {
        guard let type = reader.littleEndian(4), let count = reader.littleEndian(4) else { return nil }
        let start = reader.offset
        guard reader.slice(count) != nil else { return nil }
        // A chunk of an odd number of bytes has one more, which the last one of a file may lack.
        if count & 1 == 1 { _ = reader.byte() }
        return Chunk(type: type, range: start..<start + count)
    }
}
