/// The run of IDAT chunks of a PNG file (PNG, third edition, section 11.2.3). Borrows the file's bytes.
struct PNGImageData {
    /// Offsets in the file, from the first chunk's length field to the end of the last one's checksum.
    let range: Range<Int>
    /// Bytes of deflate data in all chunks together.
    let count: Int
    private let bytes: UnsafeRawBufferPointer

    /// Nil unless there is one run, all of its checksums are correct, and the data are not longer than `limit` bytes.
    init?(bytes: UnsafeRawBufferPointer, limit: Int) {
        var chunks = PNGChunks(bytes)
        var (start, end, count) = (0, 0, 0)
        while let chunk = chunks.next() {
            guard chunk.type == PNGChunk.imageData else { continue }
            guard let base = bytes.baseAddress, let address = chunk.checked.baseAddress else { return nil }
            let offset = address - base - 4
            if start == 0 {
                start = offset
                end = offset
            }
            count += chunk.payload.count
            // Chunks between the data are an error, about which libpng decides.
            guard offset == end, count <= limit, chunk.isIntact else { return nil }
            end = offset + 12 + chunk.payload.count
        }
        guard start > 0 else { return nil }
        self.bytes = bytes
        self.count = count
        range = start..<end
    }

    /// The maximum of useful deflate data for a picture of `unpacked` bytes: incompressible data grow by 5 bytes per
    /// block (RFC 1951 section 3.2.4), and no encoder writes that many blocks.
    static func limit(for unpacked: Int) -> Int { unpacked + unpacked / 8 + 4096 }

    /// Calls `body` with the data in one piece; those of a single chunk are not copied.
    func withJoined<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if range.count == count + 12 {
            return body(UnsafeRawBufferPointer(rebasing: bytes[range].dropFirst(8).dropLast(4)))
        }
        let joined = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[range]))
            while let length = reader.bigEndian32(), let payload = reader.slice(length + 8)?.dropFirst(4).dropLast(4) {
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[filled...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: payload))
                filled += length
            }
        }
        return joined.withUnsafeBytes(body)
    }
}
