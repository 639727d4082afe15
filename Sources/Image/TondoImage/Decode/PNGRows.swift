internal import libdeflate

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

/// All rows of a non-interlaced picture of 8-bit samples, unpacked and then unfiltered in one block of memory.
final class PNGRows {
    private let layout: PNGLayout
    private let width: Int
    private let height: Int
    // unsafe: a row of zeros above the first row, then `height` rows of `stride` bytes, then `slack` bytes.
    private let memory: UnsafeMutablePointer<UInt8>

    /// Bytes behind the last row that a 4-byte load may read.
    private static let slack = 16

    /// Bytes per row, including its filter byte.
    private var stride: Int { 1 + width * layout.step }
    private var size: Int { stride * height }
    /// The first row, beginning with its filter byte.
    private var first: UnsafeMutablePointer<UInt8> { memory + stride }

    /// `width`, `height`: pixels. Nil if the system is out of memory.
    init?(layout: PNGLayout, width: Int, height: Int) {
        self.layout = layout
        self.width = width
        self.height = height
        let stride = 1 + width * layout.step
        guard let memory = malloc(stride * (height + 1) + Self.slack) else { return nil }
        self.memory = memory.assumingMemoryBound(to: UInt8.self)
        self.memory.update(repeating: 0, count: stride)
        (self.memory + stride * (height + 1)).update(repeating: 0, count: Self.slack)
    }

    deinit { free(memory) }

    /// Unpacks a zlib stream (RFC 1950), which must contain exactly all rows and a correct checksum.
    func unpack(_ data: PNGImageData) -> Bool {
        guard data.count <= PNGImageData.limit(for: size), let decompressor = libdeflate_alloc_decompressor()
        else { return false }
        defer { libdeflate_free_decompressor(decompressor) }
        return data.withJoined { bytes in
            var used = 0
            let result = libdeflate_zlib_decompress_ex(
                decompressor, bytes.baseAddress, bytes.count, first, size, &used, nil)
            return result == LIBDEFLATE_SUCCESS && used == bytes.count
        }
    }

    /// Unfilters the rows, which is possible once, and returns the pixels in `region`. Nil if a filter byte is invalid,
    /// also below the region, or if the system is out of memory.
    func draw(_ region: PixelRectangle, palette: UnsafePointer<UInt8>) -> Pixels? {
        let (right, bottom) = (region.x + region.width, region.y + region.height)
        guard region.x >= 0, region.y >= 0, region.width > 0, region.height > 0, right <= width, bottom <= height,
            (0..<height).allSatisfy({ first[$0 * stride] <= 4 }), let target = malloc(region.width * region.height * 4)
        else { return nil }
        let pixels = Pixels(
            adopting: target.assumingMemoryBound(to: UInt8.self), width: region.width, height: region.height,
            layout: .straight)
        // A pixel depends only on those to the left and above, so the rest of a row may stay filtered.
        PNGUnfilter.rows(first, stride: stride, count: bottom, width: right, step: layout.step)
        for y in region.y..<bottom {
            layout.expand(
                UnsafePointer(first + y * stride + 1 + region.x * layout.step),
                to: pixels.bytes + (y - region.y) * region.width * 4, count: region.width, palette: palette)
        }
        return pixels
    }
}
