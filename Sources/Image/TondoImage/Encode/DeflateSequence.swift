/// Some literal bytes and the match after them; a length of 0 means no match.
struct DeflateSequence {
    /// Bytes coded as literals, times four, plus how many of them (0...3) come before the first whole pixel.
    private let packed: UInt32
    /// 0 or 3...258 bytes.
    let length: UInt16
    /// 1...32768 bytes.
    let distance: UInt16

    @inline(__always)
    init(literals: Int, phase: Int, length: Int, distance: Int) {
        packed = UInt32(truncatingIfNeeded: literals &<< 2 | phase)
        self.length = UInt16(truncatingIfNeeded: length)
        self.distance = UInt16(truncatingIfNeeded: distance)
    }

    @inline(__always)
    var literals: Int { Int(packed &>> 2) }
    @inline(__always)
    var phase: Int { Int(packed & 3) }
}
