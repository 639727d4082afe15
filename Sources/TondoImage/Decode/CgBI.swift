internal import libdeflate

/// Apple's PNG variant, which Xcode writes into apps: a CgBI chunk before IHDR, IDAT as raw deflate without zlib's
/// header and check sum, channels as B, G, R, A, multiplied by alpha.
enum CgBI {
    /// The same picture as a standard PNG file. Channel order and multiplication are left to the caller.
    static func standardPNG(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader
    ) throws(ImageError) -> [UInt8] {
        var chunks = PNGChunks(bytes)
        var output = Array(bytes.prefix(8))
        var deflated: [UInt8] = []
        var ended = false
        while let chunk = chunks.next() {
            guard chunk.isIntact else { throw .corrupt("\(chunk.type): CRC error") }
            switch chunk.type {
            case "IDAT": deflated.append(contentsOf: chunk.payload)
            case "IEND": ended = true
            case "IHDR", "PLTE", "tRNS": append(chunk.type, Array(chunk.payload), to: &output)
            default: break
            }
        }
        guard ended else { throw .truncated("the file ends too early") }
        append("IDAT", try zlibStream(deflated, header: header), to: &output)
        append("IEND", [], to: &output)
        return output
    }

    /// Wraps raw deflate data as zlib (RFC 1950), which needs the check sum of what they unpack to.
    private static func zlibStream(_ deflated: [UInt8], header: ImageHeader) throws(ImageError) -> [UInt8] {
        // At most 8 bytes a pixel, a filter byte a row, and the partial rows of seven Adam7 passes.
        let limit = header.width * header.height * 8 + header.height * 15 + 64
        let checksum = try adler32(ofInflating: deflated, limit: limit)
        let trailer = (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) }
        return [0x78, 0x01] + deflated + trailer
    }

    private static func adler32(ofInflating deflated: [UInt8], limit: Int) throws(ImageError) -> UInt32 {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw .outOfMemory }
        defer { libdeflate_free_decompressor(decompressor) }
        var size = 0
        let inflated = [UInt8](unsafeUninitializedCapacity: limit) { target, count in
            let result = libdeflate_deflate_decompress(
                decompressor, deflated, deflated.count, target.baseAddress, limit, &size)
            count = result == LIBDEFLATE_SUCCESS ? size : 0
        }
        guard inflated.count > 0 else { throw .corrupt("IDAT: damaged data") }
        return libdeflate_adler32(1, inflated, inflated.count)
    }

    private static func append(_ type: String, _ payload: [UInt8], to output: inout [UInt8]) {
        let checked = Array(type.utf8) + payload
        func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        output += bigEndian(UInt32(payload.count)) + checked
        output += bigEndian(libdeflate_crc32(0, checked, checked.count))
    }
}
