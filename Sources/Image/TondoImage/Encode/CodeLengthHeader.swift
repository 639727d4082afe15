/// The description of a dynamic block's codes (RFC 1951 section 3.2.7).
struct CodeLengthHeader: ~Copyable {
    /// The order in which the lengths of the code length code are stored.
    private static let order: [UInt8] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// One per symbol: 0...18, its repeat count's extra bits from bit 8 on.
    private let symbols: UnsafeMutablePointer<UInt16>
    private var symbolCount = 0
    private let lengths: UnsafeMutablePointer<UInt8>
    private let counts: UnsafeMutablePointer<UInt32>
    private let code = HuffmanCode(capacity: 19)
    private var literalCount = 0
    private var distanceCount = 0
    private var stored = 0
    /// Bits of the description.
    private(set) var bits = 0

    init() {
        symbols = .allocate(capacity: 320)
        lengths = .allocate(capacity: 320)
        counts = .allocate(capacity: 19)
    }

    deinit {
        symbols.deallocate()
        lengths.deallocate()
        counts.deallocate()
    }

    /// Prepares the description of two codes.
    mutating func describe(_ literals: borrowing HuffmanCode, distances: borrowing HuffmanCode) {
        // A block states 257 literals and lengths and one distance at least (RFC 1951 section 3.2.7).
        literalCount = DeflateHistogram.literals
        while literalCount > 257, literals.length(literalCount - 1) == 0 { literalCount -= 1 }
        distanceCount = DeflateHistogram.distances
        while distanceCount > 1, distances.length(distanceCount - 1) == 0 { distanceCount -= 1 }
        for symbol in 0..<literalCount { lengths[symbol] = UInt8(literals.length(symbol)) }
        for symbol in 0..<distanceCount { lengths[literalCount + symbol] = UInt8(distances.length(symbol)) }
        packRuns(literalCount + distanceCount)
        code.build(counts, count: 19, limit: 7)
        stored = 19
        while stored > 4, code.length(Int(Self.order[stored - 1])) == 0 { stored -= 1 }
        bits = 14 + 3 * stored
        for symbol in 0..<19 { bits += Int(counts[symbol]) * (code.length(symbol) + Self.extraWidth(symbol)) }
    }

    /// Writes the description.
    func write(to writer: inout BitWriter) {
        writer.put(UInt64(literalCount - 257), width: 5)
        writer.put(UInt64(distanceCount - 1), width: 5)
        writer.put(UInt64(stored - 4), width: 4)
        for at in 0..<stored { writer.put(UInt64(code.length(Int(Self.order[at]))), width: 3) }
        for at in 0..<symbolCount {
            let symbol = Int(symbols[at] & 0xFF)
            let entry = UInt64(code.entries[symbol])
            writer.add(entry & 0xFFFF, width: entry &>> 16)
            writer.put(UInt64(symbols[at] &>> 8), width: UInt64(Self.extraWidth(symbol)))
        }
    }

    /// Codes runs of equal lengths with the symbols 16 to 18.
    private mutating func packRuns(_ count: Int) {
        symbolCount = 0
        counts.update(repeating: 0, count: 19)
        var at = 0
        while at < count {
            let length = lengths[at]
            var end = at + 1
            while end < count, lengths[end] == length { end += 1 }
            if length == 0 {
                packZeros(end - at)
            } else {
                add(Int(length), extra: 0)
                packRepeats(end - at - 1, of: Int(length))
            }
            at = end
        }
    }

    private mutating func packZeros(_ count: Int) {
        var left = count
        while left >= 11 {
            let part = min(left, 138)
            add(18, extra: part - 11)
            left -= part
        }
        if left >= 3 {
            add(17, extra: left - 3)
            left = 0
        }
        for _ in 0..<left { add(0, extra: 0) }
    }

    private mutating func packRepeats(_ count: Int, of length: Int) {
        var left = count
        while left >= 3 {
            let part = min(left, 6)
            add(16, extra: part - 3)
            left -= part
        }
        for _ in 0..<left { add(length, extra: 0) }
    }

    private mutating func add(_ symbol: Int, extra: Int) {
        symbols[symbolCount] = UInt16(symbol | extra &<< 8)
        symbolCount += 1
        counts[symbol] += 1
    }

    /// The extra bits of a repeat symbol.
    @inline(__always)
    private static func extraWidth(_ symbol: Int) -> Int { symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7 }
}
