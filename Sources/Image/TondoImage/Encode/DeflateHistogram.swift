/// The frequency of each symbol in a block (RFC 1951 section 3.2.5).
struct DeflateHistogram: ~Copyable {
    static let literals = 286
    static let distances = 30
    static let endOfBlock = 256
    /// Counting lanes: otherwise equal neighbouring bytes would wait for each other's store.
    private static let lanes = 4

    /// Literals and lengths, 286 of them, padded to 288; then 32 for the distances.
    let counts: UnsafeMutablePointer<UInt32>
    private let lanes: UnsafeMutablePointer<UInt32>
    /// The sum of the extra bits of lengths and distances.
    var extraBits = 0

    init() {
        counts = .allocate(capacity: 320 + 256 * Self.lanes)
        counts.initialize(repeating: 0, count: 320 + 256 * Self.lanes)
        lanes = counts + 320
    }

    deinit { counts.deallocate() }

    var distanceCounts: UnsafeMutablePointer<UInt32> { counts + 288 }

    mutating func reset() {
        counts.update(repeating: 0, count: 320 + 256 * Self.lanes)
        extraBits = 0
    }

    /// Counts the four literals of a pixel, in stored order from the low byte on.
    @inline(__always)
    func count(pixel: UInt32) {
        // Byte values index tables of 256.
        lanes[Int(pixel & 0xFF)] &+= 1
        lanes[256 &+ Int(pixel &>> 8 & 0xFF)] &+= 1
        lanes[512 &+ Int(pixel &>> 16 & 0xFF)] &+= 1
        lanes[768 &+ Int(pixel &>> 24)] &+= 1
    }

    /// Counts a literal `times`; negative to undo. The sums of `finish` are never negative.
    @inline(__always)
    func count(byte: UInt8, times: Int32) { counts[Int(byte)] &+= UInt32(bitPattern: times) }

    /// Counts a match.
    @inline(__always)
    mutating func count(length: Int, distance: Int) {
        let first = DeflateSymbol(length: length)
        let second = DeflateSymbol(distance: distance)
        counts[first.symbol] &+= 1
        distanceCounts[second.symbol] &+= 1
        extraBits &+= Int(first.extraWidth &+ second.extraWidth)
    }

    /// Ends the counting: adds the lanes.
    func finish() {
        for symbol in 0..<256 {
            counts[symbol] &+= lanes[symbol] &+ lanes[256 &+ symbol]
            counts[symbol] &+= lanes[512 &+ symbol] &+ lanes[768 &+ symbol]
        }
        lanes.update(repeating: 0, count: 256 * Self.lanes)
    }

    /// Adds another's counts.
    mutating func add(_ other: borrowing DeflateHistogram) {
        for symbol in 0..<320 { counts[symbol] &+= other.counts[symbol] }
        extraBits += other.extraBits
    }

    /// The approximate size of the symbols with the best code, in 1/256 bits.
    func entropy() -> Int { Self.entropy(of: self, and: self, twice: false) }

    /// The entropy of this block and another, coded as one.
    func entropy(with other: borrowing DeflateHistogram) -> Int { Self.entropy(of: self, and: other, twice: true) }

    private static func entropy(
        of one: borrowing DeflateHistogram, and other: borrowing DeflateHistogram, twice: Bool
    ) -> Int {
        var bits = 0
        for alphabet in [0..<288, 288..<320] {
            var total = 0
            for symbol in alphabet {
                let count = Int(one.counts[symbol]) &+ (twice ? Int(other.counts[symbol]) : 0)
                guard count > 0 else { continue }
                total &+= count
                bits &-= count &* logarithm(count)
            }
            if total > 0 { bits &+= total &* logarithm(total) }
        }
        return bits
    }

    /// The base 2 logarithm in 1/256, to about 1/100; integers only, so that all machines give the same result.
    @inline(__always)
    static func logarithm(_ value: Int) -> Int {
        let top = 63 &- value.leadingZeroBitCount
        let part = (value &<< 8) &>> top &- 256
        // log2(1 + x) is nearly x + 0.344 x (1 - x).
        return top &<< 8 &+ part &+ (part &* (256 &- part) &* 88) &>> 16
    }
}
