/// A Huffman code (T.81 annex C) as tables over the next bits of the data. Points into memory of
/// `ScaledCoefficientsCodes`.
struct ScaledCoefficientsCode {
    /// The first code of the index: the number of bits to pass, including its value bits, in bits 0...4, the number of
    /// value bits in 5...8, and the number of coefficients it stands for from 9 on: `isLast` for an end of block, 0 for
    /// the DC, `unknown` if these bits are not enough.
    let symbols: UnsafeMutablePointer<UInt16>
    /// All codes that are complete in the index: the number of bits to pass in the low byte, and the number of their
    /// coefficients in the high byte; 128 more after an end of block, 255 for unknown. AC only.
    let runs: UnsafeMutablePointer<UInt16>
    /// First bits in progressive scans only: the first code of the index with its value. The bits to pass in the low byte, the
    /// number of coefficients in the next one, the value above. 0 for an end of blocks, and if not all bits are in the index.
    let short: UnsafeMutablePointer<Int32>
    /// For each length 0...16: the first 16-bit prefix behind its codes, and the index of its first value less its
    /// first code.
    let bounds: UnsafeMutablePointer<Int32>
    let values: UnsafeMutablePointer<UInt8>
    /// The shift of the next 64 bits that gives an index.
    let shift: UInt64
    let kind: Kind

    /// What the values of a code mean.
    enum Kind {
        case dc
        /// In a sequential scan.
        case ac
        /// In a progressive scan, which has ends of several blocks (section G.1.2.2): their entries have `firstEnd` plus the
        /// exponent in place of a number of coefficients.
        case progressiveAC
    }

    /// In place of a number of coefficients.
    static let isLast: UInt64 = 64
    static let unknown: UInt16 = 127 << 9
    static let firstEnd: UInt64 = 64
    /// The maximum number of bits that an entry of `runs` passes, so that three of them fit into 56 bits.
    static let mostBits = 18

    /// The entry of `symbols` for the first code of `bits`, of any length, or `unknown`.
    @inline(__always)
    func first(_ bits: UInt64) -> UInt64 {
        let entry = symbols[Int(truncatingIfNeeded: bits &>> shift)]
        return UInt64(entry == Self.unknown ? Self.find(bits, bounds: bounds, values: values, kind: kind) : entry)
    }

    /// The value behind the first code of `bits`, the bits of both, and the coefficients they stand for. Nil: see `first`.
    @inline(__always)
    func short(_ bits: UInt64) -> (value: Int, width: UInt64, run: UInt64)? {
        let entry = short[Int(truncatingIfNeeded: bits &>> shift)]
        if entry == 0 { return nil }
        return (
            Int(entry &>> 16), UInt64(truncatingIfNeeded: entry & 255), UInt64(truncatingIfNeeded: entry &>> 8 & 255)
        )
    }

    /// Finds codes that are longer than the index. Takes single values, so that no code is copied to the stack.
    @inline(never)
    private static func find(
        _ bits: UInt64, bounds: UnsafeMutablePointer<Int32>, values: UnsafeMutablePointer<UInt8>, kind: Kind
    ) -> UInt16 {
        let prefix = Int32(truncatingIfNeeded: bits >> 48)
        for length in 1...16 where prefix < bounds[2 * length] {
            let index = Int(bounds[2 * length + 1] + prefix >> Int32(16 - length))
            return entry(values[index & 255], length: length, kind: kind)
        }
        return unknown
    }

    /// Runs of zeros before nothing (0x10...0xE0) are not defined in sequential scans (section F.1.2.2.1).
    fileprivate static func entry(_ value: UInt8, length: Int, kind: Kind) -> UInt16 {
        let (run, extra) = (UInt16(value >> 4), UInt16(value & 15))
        let bits = extra << 5 | UInt16(truncatingIfNeeded: length) + extra
        if kind == .dc { return run == 0 ? bits : unknown }
        if kind == .progressiveAC, extra == 0, run != 15 { return (UInt16(firstEnd) + run) << 9 | bits }
        if value == 0 { return UInt16(isLast) << 9 | bits }
        return extra == 0 && run != 15 ? unknown : (run + 1) << 9 | bits
    }

    /// An entry of `symbols` as one of `runs`.
    @inline(__always)
    static func run(_ symbol: UInt64) -> UInt64 {
        symbol == UInt64(unknown) ? 255 << 8 : (symbol & 31) | (symbol &>> 9) &<< 8 &+ (symbol &>> 15) &<< 14
    }
}

/// The selected codes of a scan. Owns their memory.
final class ScaledCoefficientsCodes {
    private(set) var codes = [ScaledCoefficientsCode?](repeating: nil, count: 8)
    private var owned: [UnsafeMutableRawPointer] = []

    /// `width`: index bits of the AC tables. Nil if a table is missing or overfull.
    init?(segments: ScaledCoefficientsSegments, width: Int) {
        for selection in segments.selected {
            for slot in [selection.dc, selection.ac] where codes[slot] == nil {
                guard let table = segments.tables.specifications[slot] else { return nil }
                let code = allocate(width: slot < 4 ? 9 : width, kind: slot < 4 ? .dc : .ac)
                guard Self.fill(code, from: table, width: slot < 4 ? 9 : width) else { return nil }
                if slot >= 4 { Self.join(code, width: width) }
                codes[slot] = code
            }
        }
    }

    /// The codes of one scan of a progressive file. Nil if a table is missing or overfull.
    init?(progressive scan: ProgressiveScan) {
        for slot in scan.slots where codes[slot] == nil {
            guard let table = scan.tables.specifications[slot] else { return nil }
            // A large table decodes more codes at once, and takes longer to fill.
            let width = scan.isDC || scan.before != nil || scan.data.count < 1 << 14 ? 9 : 11
            let code = allocate(width: width, kind: slot < 4 ? .dc : .progressiveAC, isShort: scan.before == nil)
            guard Self.fill(code, from: table, width: width) else { return nil }
            if scan.before == nil { Self.shorten(code, width: width) }
            codes[slot] = code
        }
    }

    deinit { for memory in owned { memory.deallocate() } }

    private func allocate(
        width: Int, kind: ScaledCoefficientsCode.Kind, isShort: Bool = false
    ) -> ScaledCoefficientsCode {
        func memory<Element: FixedWidthInteger>(_ count: Int) -> UnsafeMutablePointer<Element> {
            let start = UnsafeMutablePointer<Element>.allocate(capacity: count)
            start.initialize(repeating: 0, count: count)
            owned.append(UnsafeMutableRawPointer(start))
            return start
        }
        let symbols: UnsafeMutablePointer<UInt16> = memory(1 << width)
        symbols.update(repeating: ScaledCoefficientsCode.unknown, count: 1 << width)
        return ScaledCoefficientsCode(
            symbols: symbols, runs: kind == .ac ? memory(1 << width) : symbols, short: memory(isShort ? 1 << width : 0),
            bounds: memory(34), values: memory(256), shift: UInt64(64 - width), kind: kind)
    }

    /// Assigns the codes in order of length (section C.2). False if they do not fit.
    private static func fill(_ code: ScaledCoefficientsCode, from table: UnsafeRawBufferPointer, width: Int) -> Bool {
        var (next, index) = (0, 0)
        for length in 1...16 {
            next <<= 1
            let count = Int(table[length - 1])
            // As in libjpeg, no code is of ones alone (section C.2).
            guard count == 0 || next + count < 1 << length else { return false }
            code.bounds[2 * length + 1] = Int32(index - next)
            for _ in 0..<count {
                let value = table[16 + index]
                code.values[index] = value
                let entry = ScaledCoefficientsCode.entry(value, length: length, kind: code.kind)
                if length <= width {
                    (code.symbols + next << (width - length)).update(repeating: entry, count: 1 << (width - length))
                }
                next = next + 1
                index = index + 1
            }
            code.bounds[2 * length] = Int32(next << (16 - length))
        }
        return true
    }

    /// Fills `short`.
    private static func shorten(_ code: ScaledCoefficientsCode, width: Int) {
        for index in 0..<1 << width {
            let entry = UInt64(code.symbols[index])
            let bits = entry & 31
            guard entry >> 9 < ScaledCoefficientsCode.firstEnd, bits > 0, bits <= UInt64(width) else { continue }
            let value = ScaledCoefficientsReader.value(entry, in: UInt64(index) << (64 - UInt64(width)))
            code.short[index] = Int32(value) << 16 | Int32(entry >> 9) << 8 | Int32(bits)
        }
    }

    /// Fills `runs`: code after code while all their bits are inside the index.
    private static func join(_ code: ScaledCoefficientsCode, width: Int) {
        let (symbols, runs, mask) = (code.symbols, code.runs, 1 &<< width &- 1)
        func entry(_ index: Int) -> UInt16 {
            UInt16(truncatingIfNeeded: ScaledCoefficientsCode.run(UInt64(symbols[index])))
        }
        let unknown: UInt16 = 255 << 8
        for index in 0..<1 << width {
            var sum = entry(index)
            var bits = Int(sum & 255)
            if bits > ScaledCoefficientsCode.mostBits { sum = unknown }
            while sum < 64 << 8, bits < width {
                let more = entry(index &<< bits & mask)
                let after = bits &+ Int(more & 255)
                // Neither truncated codes nor more coefficients than a block has; an unknown entry exceeds all of them.
                guard after <= width, more <= 128 << 8 | 255, sum & 63 << 8 &+ more & 63 << 8 < 64 << 8 else { break }
                sum &+= more
                bits = after
            }
            runs[index] = sum
        }
    }
}
