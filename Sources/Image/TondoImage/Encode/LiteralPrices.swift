/// The estimated cost of a batch's bytes as literals, from a sample, in 1/8 bits.
struct LiteralPrices: ~Copyable {
    private let prices: UnsafeMutablePointer<UInt8>
    private let counts: UnsafeMutablePointer<UInt32>
    /// Pixels of the sample by a hash of ten bits.
    private let seen: UnsafeMutablePointer<UInt32>
    private static let seenCount = 1024

    init() {
        prices = .allocate(capacity: 256)
        counts = .allocate(capacity: 256)
        seen = .allocate(capacity: Self.seenCount)
    }

    deinit {
        prices.deallocate()
        counts.deallocate()
        seen.deallocate()
    }

    /// Samples the rows of `stride` bytes in `batch`, and returns the share of sampled pixels that occurred in the
    /// sample before, in 1/256: a measure of possible matches.
    mutating func sample(_ bytes: UnsafePointer<UInt8>, batch: Range<Int>, stride: Int) -> Int {
        // From 1 on, since 0 has no logarithm: a byte that the sample lacks needs a price, too.
        counts.update(repeating: 1, count: 256)
        seen.update(repeating: 0, count: Self.seenCount)
        var sampled = 0
        var repeated = 0
        var row = batch.lowerBound
        // The step between sampled pixels, about a thousand of them; each row starts two further on.
        let step = batch.count < 16_384 ? 3 : 5
        var first = 0
        while row < batch.upperBound {
            var at = row + 1 + 4 * first
            while at < row + stride {
                // A whole pixel of the row; transparent ones are skipped, because they become runs, not literals.
                let pixel = UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt32.self).littleEndian
                at &+= 4 &* step
                guard pixel != 0 else { continue }
                count(pixel)
                sampled &+= 1
                let slot = Int((pixel &* 0x9E37_79B1) &>> 22)
                repeated &+= seen[slot] == pixel ? 1 : 0
                seen[slot] = pixel
            }
            row += stride
            first = first + 2 >= step ? first + 2 - step : first + 2
        }
        setPrices(total: 256 + 4 * sampled)
        return sampled == 0 ? 0 : repeated * 256 / sampled
    }

    @inline(__always)
    private func count(_ pixel: UInt32) {
        counts[Int(pixel & 0xFF)] &+= 1
        counts[Int(pixel &>> 8 & 0xFF)] &+= 1
        counts[Int(pixel &>> 16 & 0xFF)] &+= 1
        counts[Int(pixel &>> 24)] &+= 1
    }

    private mutating func setPrices(total: Int) {
        let all = DeflateHistogram.logarithm(total)
        var sum = 0
        for byte in 0..<256 {
            let bits = (all &- DeflateHistogram.logarithm(Int(counts[byte]))) &>> 5
            prices[byte] = UInt8(max(8, min(bits, 112)))
            sum &+= Int(counts[byte]) &* Int(prices[byte])
        }
        mean = sum / total
    }

    /// The price of a zero byte, and of any.
    var zero: Int { Int(prices[0]) }
    private(set) var mean = 0

    /// The price of the first four bytes of a word.
    @inline(__always)
    func pixel(_ word: UInt64) -> Int {
        Int(prices[Int(word & 0xFF)]) &+ Int(prices[Int(word &>> 8 & 0xFF)])
            &+ Int(prices[Int(word &>> 16 & 0xFF)]) &+ Int(prices[Int(word &>> 24 & 0xFF)])
    }

    @inline(__always)
    func price(of byte: UInt8) -> Int { Int(prices[Int(byte)]) }
}
