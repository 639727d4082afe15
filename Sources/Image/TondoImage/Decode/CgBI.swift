internal import libdeflate

/// Apple's PNG variant, which Xcode writes into apps: a CgBI chunk before IHDR, IDAT as raw deflate without zlib's
/// header and check sum, channels as B, G, R, A, multiplied by alpha.
enum CgBI {
    /// Rewrites Apple's variant as a standard PNG file. The caller handles channel order and premultiplication.
    static func standardPNG(_ bytes: UnsafeRawBufferPointer, header: ImageHeader) throws(ImageError) -> [UInt8] {
        var chunks = PNGChunks(bytes)
        var output = Array(bytes.prefix(8))
        // A zlib stream under construction (RFC 1950): header, raw deflate, checksum.
        var stream: [UInt8] = [0x78, 0x01]
        let most = PNGImageData.limit(for: unpackedLimit(header))
        while let chunk = chunks.next() {
            guard chunk.isIntact else { throw .corrupt("a chunk with a CRC error") }
            switch chunk.type {
            case PNGChunk.imageData:
                guard stream.count + chunk.payload.count <= most else {
                    throw .corrupt("IDAT: more data than the image needs")
                }
                stream.append(contentsOf: chunk.payload)
            case PNGChunk.imageHeader, PNGChunk.palette, PNGChunk.transparency:
                output += PNGChunk.bytes(type: chunk.type, data: Array(chunk.payload))
            default: break
            }
        }
        stream += PNGChunk.bigEndian(Int(try adler32(of: stream, header)))
        output += PNGChunk.bytes(type: PNGChunk.imageData, data: stream)
        output += PNGChunk.bytes(type: PNGChunk.imageEnd, data: [])
        return output
    }

    /// Maximum bytes of the filtered rows: at most 8 per pixel, a filter byte per row, and the partial rows of seven
    /// Adam7 passes.
    static func unpackedLimit(_ header: ImageHeader) -> Int {
        header.width * header.height * 8 + header.height * 15 + 64
    }

    /// The checksum of the unpacked data of a zlib stream without one.
    private static func adler32(of stream: [UInt8], _ header: ImageHeader) throws(ImageError) -> UInt32 {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw .outOfMemory }
        defer { libdeflate_free_decompressor(decompressor) }
        let limit = unpackedLimit(header)
        var size = 0
        let inflated = [UInt8](unsafeUninitializedCapacity: limit) { target, count in
            let result = stream.withUnsafeBytes { stream in
                libdeflate_deflate_decompress(
                    decompressor, stream.baseAddress.map { $0 + 2 }, stream.count - 2, target.baseAddress, limit, &size)
            }
            count = result == LIBDEFLATE_SUCCESS ? size : 0
        }
        guard inflated.count > 0 else { throw .corrupt("IDAT: damaged data") }
        return Checksum.adler32(inflated, count: inflated.count)
    }
}
