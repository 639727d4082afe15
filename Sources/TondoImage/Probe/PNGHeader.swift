internal import libdeflate

/// Reads IHDR and finds eXIf (PNG, third edition, sections 5.3, 11.2.1 and 11.3.4.5). Only chunk headers are walked.
enum PNGHeader {
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
        var header = try readIHDR(first.payload)
        header.isCgBI = isCgBI
        guard walkToEnd(&chunks, &header) else { throw .truncated("the file ends before its IEND chunk") }
        return header
    }

    /// Records the first orientation; false if a chunk is truncated or IEND is missing. Decoders allocate what a chunk
    /// declares before they check whether the file contains as much, so this runs first.
    private static func walkToEnd(_ chunks: inout PNGChunks, _ header: inout ImageHeader) -> Bool {
        var isOriented = false
        while let chunk = chunks.next() {
            if chunk.type == PNGChunk.imageEnd { return true }
            guard !isOriented, chunk.type == PNGChunk.exif, chunk.isIntact else { continue }
            if let found = EXIF.orientation(chunk.payload) {
                header.orientation = found
                isOriented = true
            }
        }
        return false
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

/// The chunks of a PNG file, one after the other, without copying. Ends at the first truncated one.
struct PNGChunks {
    struct Chunk {
        /// Four letters as a big-endian number, see `PNGChunk`.
        var type: UInt32
        var payload: UnsafeRawBufferPointer
        /// Type and payload together, which the checksum covers.
        var checked: UnsafeRawBufferPointer
        var checksum: Int

        var isIntact: Bool { Int(libdeflate_crc32(0, checked.baseAddress, checked.count)) == checksum }
    }

    private var reader: ByteReader

    init(_ bytes: UnsafeRawBufferPointer) {
        reader = ByteReader(bytes)
        reader.offset = 8
    }

    mutating func next() -> Chunk? {
        guard let length = reader.bigEndian32(), length <= 0x7FFF_FFFF, let checked = reader.slice(length + 4),
            let checksum = reader.bigEndian32()
        else { return nil }
        let type = checked.loadUnaligned(as: UInt32.self).bigEndian
        let payload = UnsafeRawBufferPointer(rebasing: checked[4...])
        return Chunk(type: type, payload: payload, checked: checked, checksum: checksum)
    }
}
