internal import libdeflate

/// Reads IHDR and finds what else decides how the picture is drawn: eXIf, cICP, an animation and a damaged end (PNG, third
/// edition, sections 5.3, 11.2.1, 11.3.2.6, 11.3.4.5 and 11.3.6). Only chunk headers are walked.
struct PNGHeader {
    private var chunks: PNGChunks
    private var header: ImageHeader
    private var isOriented = false
    private var isAnimated = false
    private var hasData = false
    private var hasStandardColors = false

    static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
        var chunks = PNGChunks(bytes)
        guard var first = chunks.next() else { throw .truncated("the file ends in the PNG header") }
        let isCgBI = first.type == PNGChunk.apple
        if isCgBI {
            guard let second = chunks.next() else { throw .truncated("the file ends in the PNG header") }
            first = second
        }
        guard first.type == PNGChunk.imageHeader, first.payload.count == 13 else {
            throw .corrupt("the first chunk is not IHDR")
        }
        var header = PNGHeader(chunks: chunks, header: try readIHDR(first.payload))
        header.header.isCgBI = isCgBI
        return try header.walk()
    }

    /// Decoders allocate what a chunk declares before they check whether the file contains as much, so this runs first: a
    /// file that ends within a chunk is never passed to one as it is.
    private mutating func walk() throws(ImageError) -> ImageHeader {
        while let chunk = chunks.next() {
            if chunk.type == PNGChunk.imageEnd {
                header.png.end = chunk.isIntact ? .whole : .damaged
                return header
            }
            try note(chunk)
        }
        // Whether the picture is whole shows when it is unpacked.
        guard hasData || chunks.cut?.type == PNGChunk.imageData else { throw Self.endsEarly }
        header.png.end = .missing
        return header
    }

    static let endsEarly = ImageError.truncated("the file ends before its IEND chunk")

    private mutating func note(_ chunk: PNGChunks.Chunk) throws(ImageError) {
        switch chunk.type {
        case PNGChunk.imageData: hasData = true
        case PNGChunk.exif where !isOriented && chunk.isIntact:
            guard let found = EXIF.orientation(chunk.payload) else { break }
            header.orientation = found
            isOriented = true
        case PNGChunk.codedColors where !hasData && header.png.colors == nil && chunk.isIntact:
            header.png.colors = try PNGColors(chunk.payload)
        case PNGChunk.animationControl where !hasData && chunk.isIntact: isAnimated = true
        // With its own control before it, the default image is the first frame.
        case PNGChunk.frameControl where !hasData: isAnimated = false
        case PNGChunk.frameControl where isAnimated && chunk.isIntact:
            header.png.frame = PNGFrame(control: chunk.payload, canvas: (header.width, header.height))
            isAnimated = false
        case PNGChunk.standardColors: hasStandardColors = true
        // libpng takes the first one of both; a profile comes before sRGB (section 4.3).
        case PNGChunk.profile where hasStandardColors && chunk.isIntact:
            header.png.omitted.insert(PNGChunk.standardColors)
        // No writer has more than a few; a file of nothing else must not fill the memory.
        default: if header.png.omitted.count < 100, chunk.hasStrangeName { header.png.omitted.insert(chunk.type) }
        }
    }

    private static func readIHDR(_ payload: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
        var reader = ByteReader(payload)
        guard let width = reader.bigEndian32(), let height = reader.bigEndian32(), let depth = reader.byte(),
            let type = reader.byte(), reader.bigEndian16() != nil, let interlace = reader.byte()
        else { throw .truncated("the file ends in the PNG header") }
        guard PNGHeader.depths[type]?.contains(depth) == true else {
            throw .corrupt("PNG of colour type \(type) and depth \(depth)")
        }
        guard interlace <= 1 else { throw .corrupt("PNG of interlace method \(interlace)") }
        var header = ImageHeader(format: .png, width: width, height: height)
        header.isGray = type == 0 || type == 4
        header.isBuffered = interlace == 1
        return header
    }

    /// Permitted depths of each colour type, bits per sample (table 11.1).
    private static let depths: [Int: [Int]] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
}

/// What the chunks of a PNG say besides its size.
package struct PNGDetails: Equatable, Sendable {
    /// Where the file ends.
    enum End: Equatable, Sendable {
        /// With a correct IEND chunk.
        case whole
        /// With an IEND chunk whose checksum is wrong.
        case damaged
        /// Without an IEND chunk, or within it or any other chunk from the first IDAT on.
        case missing
    }

    var end = End.whole
    /// The colours of cICP, which takes precedence over all other colour chunks.
    var colors: PNGColors?
    /// The first frame of an animation whose default image is not part of it. The default image is what programs without
    /// animations show, such as a hint to use another one.
    var frame: PNGFrame?

    /// Types of chunks that libpng must not see: it would stop at them, or take them before better ones.
    var omitted: Set<UInt32> = []

    /// libpng can read the file as it is.
    var isPlain: Bool { end == .whole && frame == nil && omitted.isEmpty }
}

/// A frame of an animation, in pixels of its canvas (PNG, third edition, 11.3.6.2). How it is blended and disposed of does not
/// matter for the first one: it comes on a transparent canvas.
package struct PNGFrame: Equatable, Sendable {
    let rectangle: PixelRectangle

    /// `control`: the payload of fcTL. Nil unless the frame lies on the canvas, as it must.
    init?(control: UnsafeRawBufferPointer, canvas: (width: Int, height: Int)) {
        var reader = ByteReader(control)
        guard control.count == 26, reader.bigEndian32() != nil, let width = reader.bigEndian32(),
            let height = reader.bigEndian32(), let x = reader.bigEndian32(), let y = reader.bigEndian32(),
            width > 0, height > 0, x + width <= canvas.width, y + height <= canvas.height
        else { return nil }
        rectangle = PixelRectangle(x: x, y: y, width: width, height: height)
    }
}
