internal import libdeflate

/// The zlib stream with the picture of a PNG. Other data may stand behind its end, in IDAT chunks, which no decoder reads.
struct PNGStream {
    /// Bytes of the stream; the data of the chunks may be longer.
    let count: Int

    /// More unpacked bytes are not looked at: such a photo is drawn again.
    private static let largest = 256 << 20

    /// `header`: the data of IHDR. Nil for data that are no whole picture of this size. Takes as much memory as the picture.
    init?(_ file: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer) {
        guard let size = Self.size(header), size <= Self.largest,
            let data = PNGImageData(bytes: file, limit: file.count), let decompressor = libdeflate_alloc_decompressor()
        else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        var (used, isWhole) = (0, false)
        _ = [UInt8](unsafeUninitializedCapacity: size) { buffer, _ in
            isWhole = data.withJoined { bytes in
                // Not every reader permits distances beyond the window that the first byte states, as libdeflate does.
                guard let first = bytes.first, 256 << Int(first >> 4) >= min(size, 32_768) else { return false }
                let result = libdeflate_zlib_decompress_ex(
                    decompressor, bytes.baseAddress, bytes.count, buffer.baseAddress, size, &used, nil)
                return result == LIBDEFLATE_SUCCESS
            }
        }
        guard isWhole else { return nil }
        count = used
    }

    /// Unpacked bytes of all rows, each with its filter (PNG, third edition, section 7.3 and 8.1).
    private static func size(_ header: UnsafeRawBufferPointer) -> Int? {
        var reader = ByteReader(header)
        guard let width = reader.bigEndian32(), let height = reader.bigEndian32(), let rest = reader.slice(5),
            let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][rest[1]], max(width, height) < 1 << 24
        else { return nil }
        let bits = channels * Int(rest[0])
        let passes = rest[4] == 0 ? [(0, 0, 1, 1)] : interlaced
        return passes.reduce(0) { size, pass in
            let (columns, rows) = ((width - pass.0 + pass.2 - 1) / pass.2, (height - pass.1 + pass.3 - 1) / pass.3)
            return columns > 0 && rows > 0 ? size + rows * (1 + (columns * bits + 7) / 8) : size
        }
    }

    /// The first column and row of each pass, and the steps between them (Adam7).
    private static let interlaced = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]
}
