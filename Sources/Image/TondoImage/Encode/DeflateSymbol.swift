/// A length or distance in deflate's code: a symbol and extra bits (RFC 1951 section 3.2.5).
struct DeflateSymbol {
    /// 257...285 of the literal/length alphabet, or 0...29 of the distance alphabet.
    let symbol: Int
    /// The number and value of the extra bits.
    let extraWidth: UInt64
    let extra: UInt64

    /// The longest match.
    static let longestMatch = 258
    /// The farthest match, in bytes.
    static let window = 32_768

    /// The symbol for a match of 3...258 bytes.
    @inline(__always)
    init(length: Int) {
        let over = length &- 3
        // The longest length has a symbol of its own, without extra bits.
        if over < 8 || length == Self.longestMatch {
            symbol = over < 8 ? 257 &+ over : 285
            extraWidth = 0
            extra = 0
        } else {
            let top = 63 &- over.leadingZeroBitCount
            symbol = 253 &+ 4 &* top &+ (over &>> (top &- 2) & 3)
            extraWidth = UInt64(truncatingIfNeeded: top &- 2)
            extra = UInt64(truncatingIfNeeded: over & ((1 &<< (top &- 2)) &- 1))
        }
    }

    /// The symbol for a distance of 1...32768 bytes.
    @inline(__always)
    init(distance: Int) {
        let over = distance &- 1
        if over < 4 {
            symbol = over
            extraWidth = 0
            extra = 0
        } else {
            let top = 63 &- over.leadingZeroBitCount
            symbol = 2 &* top &+ (over &>> (top &- 1) & 1)
            extraWidth = UInt64(truncatingIfNeeded: top &- 1)
            extra = UInt64(truncatingIfNeeded: over & ((1 &<< (top &- 1)) &- 1))
        }
    }
}
