/// The AC coefficients of one scan, block by block (T.81 sections G.1.2.2 and G.1.2.3).
struct ProgressiveBand {
    private let code: ScaledCoefficientsCode
    /// Row x 8 + column of each zigzag position.
    private let positions: UnsafeBufferPointer<Int>
    private let first: UInt64
    private let last: UInt64
    /// The number of low bits that come later.
    private let shift: Int
    private let isRefinement: Bool

    static let positions = ScanSelection.naturalOrder

    /// A block of the component.
    struct Target {
        /// Row by row.
        var values: UnsafeMutablePointer<Int16>
        /// Bit n: the value at zigzag position n is not zero.
        var nonzero: UnsafeMutablePointer<UInt64>
    }

    typealias Cursor = ProgressiveScanReader.Cursor

    init(_ scan: ProgressiveScan, code: ScaledCoefficientsCode, positions: UnsafeBufferPointer<Int>) {
        self.code = code
        self.positions = positions
        first = UInt64(scan.band.lowerBound)
        last = UInt64(scan.band.upperBound)
        shift = scan.after
        isRefinement = scan.before != nil
    }

    /// False if the data are damaged.
    @inline(__always)
    func read(_ target: Target, _ cursor: inout Cursor) -> Bool {
        isRefinement ? refine(target, &cursor) : readFirst(target, &cursor)
    }

    @inline(__always)
    private func readFirst(_ target: Target, _ cursor: inout Cursor) -> Bool {
        guard cursor.ended == 0 else {
            cursor.ended -= 1
            return true
        }
        var position = first
        while position <= last {
            let entry = next(&cursor.reader)
            let run = entry &>> 9
            if run >= ScaledCoefficientsCode.firstEnd {
                guard let ended = end(entry, &cursor.reader) else { return false }
                cursor.ended = ended - 1
                return true
            }
            position += run - 1
            guard position <= last else { return false }
            if entry &>> 5 & 15 > 0 {
                let value = cursor.reader.value(entry) &<< shift
                guard Int(Int16(truncatingIfNeeded: value)) == value else { return false }
                target.values[positions[Int(position)]] = Int16(truncatingIfNeeded: value)
                target.nonzero[0] |= 1 &<< position
            }
            cursor.reader.pass(entry & 31)
            position += 1
        }
        return true
    }

    /// The entry of the next code, which is not passed yet. A code has 31 bits at most, with those of its value.
    @inline(__always)
    private func next(_ reader: inout ScaledCoefficientsReader) -> UInt64 {
        if reader.count < 31 { reader.refill() }
        return code.first(reader.bits)
    }

    /// Passes the code of an end of several blocks, and returns their number. Nil for an unknown code.
    @inline(__always)
    private func end(_ entry: UInt64, _ reader: inout ScaledCoefficientsReader) -> UInt64? {
        guard entry != UInt64(ScaledCoefficientsCode.unknown) else { return nil }
        let exponent = entry &>> 9 - ScaledCoefficientsCode.firstEnd
        reader.pass(entry & 31)
        return 1 &<< exponent | reader.take(exponent)
    }

    /// One more bit: coefficients that were zero may begin, each other one has a bit.
    @inline(__always)
    private func refine(_ target: Target, _ cursor: inout Cursor) -> Bool {
        // Those of the band that were not zero before, and are not passed yet.
        var old = target.nonzero[0] & (~0 &<< first) & (~0 &>> (63 - last))
        var position = first
        while cursor.ended == 0, position <= last {
            let entry = next(&cursor.reader)
            if entry &>> 9 >= ScaledCoefficientsCode.firstEnd {
                guard let ended = end(entry, &cursor.reader) else { return false }
                cursor.ended = ended
                break
            }
            let size = entry &>> 5 & 15
            let isPositive = size > 0 && cursor.reader.value(entry) > 0
            cursor.reader.pass(entry & 31)
            // The place behind some zeros.
            position += entry &>> 9 - 1
            while old != 0, old.trailingZeroBitCount <= position {
                correct(target, at: &old, from: &cursor.reader)
                position += 1
            }
            guard size <= 1, position <= last else { return false }
            if size > 0 { begin(target, at: position, isPositive: isPositive) }
            position += 1
        }
        guard cursor.ended > 0 else { return true }
        while old != 0 { correct(target, at: &old, from: &cursor.reader) }
        cursor.ended -= 1
        return true
    }

    private var bit: Int16 { 1 &<< Int16(truncatingIfNeeded: shift) }

    @inline(__always)
    private func begin(_ target: Target, at position: UInt64, isPositive: Bool) {
        target.values[positions[Int(position)]] = isPositive ? bit : 0 &- bit
        target.nonzero[0] |= 1 &<< position
    }

    /// Moves the value at the first position of `old` away from zero, if the next bit says so, and takes it from `old`.
    @inline(__always)
    private func correct(_ target: Target, at old: inout UInt64, from reader: inout ScaledCoefficientsReader) {
        let place = positions[old.trailingZeroBitCount]
        old &= old &- 1
        if reader.count == 0 { reader.refill() }
        guard reader.take(1) == 1 else { return }
        let value = target.values[place]
        if value & bit == 0 { target.values[place] = value &+ (value > 0 ? bit : 0 &- bit) }
    }
}
