/// Bounds-checked reading of binary headers. Reading past the end gives nil, never a trap.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    /// Bytes from the start.
    var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var remaining: Int { bytes.count - offset }

    mutating func byte() -> Int? {
        guard remaining >= 1 else { return nil }
        defer { offset += 1 }
        return Int(bytes[offset])
    }

    /// Two bytes, the first one the higher.
    mutating func bigEndian16() -> Int? {
        guard remaining >= 2 else { return nil }
        defer { offset += 2 }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    mutating func bigEndian32() -> Int? {
        guard let high = bigEndian16(), let low = bigEndian16() else { return nil }
        return high << 16 | low
    }

    /// A number of `count` bytes, the first one the lowest.
    mutating func littleEndian(_ count: Int) -> Int? {
        guard let bytes = slice(count) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The next `count` bytes, without copying them.
    mutating func slice(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= remaining else { return nil }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
}

extension UnsafeRawBufferPointer {
    /// True if the bytes at `offset` are these, one byte per Unicode scalar below 256.
    func has(_ text: String, at offset: Int = 0) -> Bool {
        let scalars = text.unicodeScalars
        guard offset >= 0, offset + scalars.count <= count else { return false }
        return zip(scalars, self[offset...]).allSatisfy { $0.value == UInt32($1) }
    }
}
