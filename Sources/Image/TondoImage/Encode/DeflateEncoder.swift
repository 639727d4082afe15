/// Filters and deflates the rows of one picture into a zlib stream (RFC 1950), batch by batch.
struct DeflateEncoder: ~Copyable {
    /// Bytes of filtered rows per batch: small enough for the caches, large enough for a block.
    static let batchBytes = 24_576
    /// Bytes of the largest block.
    private static let blockBytes = 2_097_152

    private let pixels: UnsafePointer<UInt8>
    private let width: Int
    private let height: Int
    private var stride: Int { 4 * width + 1 }
    private var total: Int { stride * height }

    /// A picture of `width` x `height` RGBA8 pixels.
    init(pixels: UnsafePointer<UInt8>, width: Int, height: Int) {
        self.pixels = pixels
        self.width = width
        self.height = height
    }

    /// The maximum number of bytes that `encode` writes, including bytes it only touches.
    static func bound(width: Int, height: Int) -> Int {
        let total = (4 * width + 1) * height
        // A stored block of at most 65535 bytes has five more (RFC 1951 section 3.2.4). A batch has at least a row and
        // may start its own block, which is never longer than stored ones; the last word may be written whole.
        return total + 8 * (total / 65_535 + height + 2) + 64
    }

    /// Writes the stream to `target`, which has room for `bound`, and returns its size in bytes.
    ///
    /// Pictures with few colours are encoded quickly, so both ways are tried; the smaller result is kept.
    func encode(to target: UnsafeMutablePointer<UInt8>) -> Int {
        guard ColorSample.hasFewColors(in: pixels, count: width * height) else {
            return encode(to: target, as: .photo, plain: false)
        }
        let size = encode(to: target, as: .graphics, plain: false)
        let other = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.bound(width: width, height: height))
        defer { other.deallocate() }
        let plainSize = encode(to: other, as: .graphics, plain: true)
        guard plainSize < size else { return size }
        target.update(from: other, count: plainSize)
        return plainSize
    }

    /// Writes the stream, with rows that are `plain` or filtered with the best filter each.
    private func encode(to target: UnsafeMutablePointer<UInt8>, as content: DeflateContent, plain: Bool) -> Int {
        let room = DeflateTokenizer.slack
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: total + 2 * room)
        defer { memory.deallocate() }
        let filtered = memory + room
        memory.initialize(repeating: 0, count: room)
        (filtered + total).initialize(repeating: 0, count: room)
        // CM 8, window 32 KB, default level; a multiple of 31 (RFC 1950 section 2.2).
        target[0] = 0x78
        target[1] = 0x9C
        let end = deflate(filtered, to: BitWriter(bytes: target + 2), as: content, plain: plain)
        let check = Checksum.adler32(filtered, count: total)
        for byte in 0..<4 { end[byte] = UInt8(truncatingIfNeeded: check &>> UInt32(24 - 8 * byte)) }
        return end + 4 - target
    }

    private func deflate(
        _ filtered: UnsafeMutablePointer<UInt8>, to writer: BitWriter, as content: DeflateContent, plain: Bool
    ) -> UnsafeMutablePointer<UInt8> {
        var filter = PNGRowFilter(rowBytes: 4 * width, plain: plain)
        var tokenizer = DeflateTokenizer(
            bytes: filtered, total: total, stride: stride, blockBytes: Self.blockBytes, content: content)
        var blocks = DeflateBlocks(source: filtered, writer: writer, maxBytes: Self.blockBytes)
        let rowsAtOnce = max(1, Self.batchBytes / stride)
        var row = 0
        while row < height {
            let rows = row..<min(height, row + rowsAtOnce)
            for row in rows { filter.filter(row: pixels + row * 4 * width, to: filtered + row * stride) }
            // Words are read past the batch's end; the previous content of that memory must not influence matches.
            (filtered + rows.upperBound * stride).update(repeating: 0, count: DeflateTokenizer.slack)
            blocks.add(rows.lowerBound * stride..<rows.upperBound * stride, from: &tokenizer)
            row = rows.upperBound
        }
        return blocks.finish(&tokenizer)
    }
}
