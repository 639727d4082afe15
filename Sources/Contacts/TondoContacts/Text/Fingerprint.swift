/// A 64-bit hash that is the same in every process, to detect changed text. Four lanes of eight bytes keep the
/// multiplier busy, so that it runs near the speed of memory. Not for adversaries.
enum Fingerprint {
    private static let prime: UInt64 = 0x9E37_79B9_7F4A_7C15

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var lanes = SIMD4<UInt64>(1, 2, 3, 4)
        var offset = 0
        while offset + 32 <= bytes.count {
            for lane in 0..<4 {
                let word = bytes.loadUnaligned(fromByteOffset: offset + 8 * lane, as: UInt64.self)
                lanes[lane] = mixed(lanes[lane], with: UInt64(littleEndian: word))
            }
            offset += 32
        }
        var hash = UInt64(bytes.count)
        for lane in 0..<4 { hash = mixed(hash, with: lanes[lane]) }
        for byte in bytes[offset...] { hash = mixed(hash, with: UInt64(byte)) }
        return hash ^ hash >> 29
    }

    @inline(__always)
    private static func mixed(_ hash: UInt64, with word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* prime
        return product << 31 | product >> 33
    }
}
