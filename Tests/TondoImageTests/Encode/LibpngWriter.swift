import libpng

/// Writes PNGs as libpng does by itself: level 6, all filters, its own choice between them and its own strategy.
enum LibpngWriter {
    /// Bytes of the whole file without ancillary chunks.
    static func size(ofEncoding pixels: [UInt8], side: Int) -> Int {
        var count = 0
        // libpng's errors come here and do not return, so nothing ever jumps over a Swift frame.
        var png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nil, { _, _ in fatalError("libpng failed") }, nil)
        var info = png_create_info_struct(png)
        defer { png_destroy_write_struct(&png, &info) }
        withUnsafeMutablePointer(to: &count) { counter in
            png_set_write_fn(
                png, counter,
                { png, _, length in png_get_io_ptr(png)?.assumingMemoryBound(to: Int.self).pointee += length }, { _ in }
            )
            png_set_compression_level(png, 6)
            png_set_filter(png, 0, 0xF8)  // PNG_ALL_FILTERS
            png_set_IHDR(png, info, UInt32(side), UInt32(side), 8, 6, 0, 0, 0)  // truecolour with alpha
            png_write_info(png, info)
            pixels.withUnsafeBufferPointer { pixels in
                for y in 0..<side { png_write_row(png, pixels.baseAddress.map { $0 + y * side * 4 }) }
            }
            png_write_end(png, nil)
        }
        return count
    }
}
