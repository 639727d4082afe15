internal import libdeflate

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

        /// The first byte of the type says that decoders need not know it, and not all bytes are letters (PNG, third edition, 5.4).
        var hasStrangeName: Bool {
            type & 0x2000_0000 != 0 && !checked.prefix(4).allSatisfy { (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 }
        }
    }

    private var reader: ByteReader

    init(_ bytes: UnsafeRawBufferPointer) {
        reader = ByteReader(bytes)
        reader.offset = 8
    }

    mutating func next() -> Chunk? {
        let start = reader
        // A length has 31 bits (PNG, third edition, section 5.3).
        guard let length = reader.bigEndian32(), length <= 0x7FFF_FFFF, let checked = reader.slice(length + 4),
            let checksum = reader.bigEndian32()
        else {
            reader = start
            return nil
        }
        let type = checked.loadUnaligned(as: UInt32.self).bigEndian
        let payload = UnsafeRawBufferPointer(rebasing: checked[4...])
        return Chunk(type: type, payload: payload, checked: checked, checksum: checksum)
    }

    /// The chunk in which the file ends, after `next` gave nil: its type, and what is there of its data.
    var cut: (type: UInt32, payload: UnsafeRawBufferPointer)? {
        var reader = reader
        guard let length = reader.bigEndian32(), length <= 0x7FFF_FFFF, let type = reader.bigEndian32(),
            let payload = reader.slice(min(length, reader.remaining))
        else { return nil }
        return (UInt32(truncatingIfNeeded: type), payload)
    }
}
