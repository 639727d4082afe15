/// The AC coefficients of one scan, block by block (T.81 sections G.1.2.2 and G.1.2.3).
struct ProgressiveBand {
    private let code: ScaledCoefficientsCode
    /// Row x 8 + column of each zigzag position.
    private let positions: UnsafeBufferPointer<Int>
    private let first: UInt64
    private let last: UInt64
    /// The number of low bits that come later.
    private let shift: Int

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
    }

    /// False if the data are damaged. `isRefinement`: of the scan.
    @inline(__always)
    func read(_ target: Target, _ cursor: inout Cursor, isRefinement: Bool) -> Bool {
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
            // A code has 31 bits at most, with those of its value.
            if cursor.reader.count < 31 { cursor.reader.refill() }
            let found: (value: Int, width: UInt64, run: UInt64)
            if let short = code.short(cursor.reader.bits) {
                found = short
            } else {
                let entry = code.first(cursor.reader.bits)
                if entry &>> 9 >= ScaledCoefficientsCode.firstEnd {
                    guard let ended = end(entry, &cursor.reader) else { return false }
                    cursor.ended = ended &- 1
                    return true
                }
                found = (cursor.reader.value(entry), entry & 31, entry &>> 9)
            }
            cursor.reader.pass(found.width)
            position &+= found.run &- 1
            guard store(found.value, at: position, in: target) else { return false }
            position &+= 1
        }
        return true
    }

    /// The number of blocks behind this one, at most `most`, that stay as they are because an end of several blocks includes
    /// them. They are taken from it.
    @inline(__always)
    func pass(behind target: Target, atMost most: Int, _ cursor: inout Cursor, isRefinement: Bool) -> Int {
        let most = min(most, Int(truncatingIfNeeded: cursor.ended))
        var count = isRefinement ? 0 : most
        let band = (~0 &<< first) & (~0 &>> (63 &- last)) as UInt64
        while count < most, target.nonzero[count &+ 1] & band == 0 { count &+= 1 }
        cursor.ended &-= UInt64(truncatingIfNeeded: count)
        return count
    }

    @inline(__always)
    private func put(_ value: Int16, at position: UInt64, in target: Target) {
        target.values[positions[Int(truncatingIfNeeded: position)]] = value
        target.nonzero[0] |= 1 &<< position
    }

    /// Writes the first bits of a coefficient. False: it has too many, or lies behind the band.
    @inline(__always)
    private func store(_ value: Int, at position: UInt64, in target: Target) -> Bool {
        guard position <= last else { return false }
        // A run of zeros alone.
        if value == 0 { return true }
        let shifted = value &<< shift
        put(Int16(truncatingIfNeeded: shifted), at: position, in: target)
        return Int(Int16(truncatingIfNeeded: shifted)) == shifted
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
        let exponent = entry &>> 9 &- ScaledCoefficientsCode.firstEnd
        reader.pass(entry & 31)
        return 1 &<< exponent | reader.take(exponent)
    }

    /// One more bit: coefficients that were zero may begin, each other one has a bit.
    @inline(__always)
    private func refine(_ target: Target, _ cursor: inout Cursor) -> Bool {
        // Those of the band that were not zero before, and are not passed yet.
        var old = target.nonzero[0] & (~0 &<< first) & (~0 &>> (63 &- last))
        var position = first
        while cursor.ended == 0, position <= last {
            let entry = next(&cursor.reader)
            if entry &>> 9 >= ScaledCoefficientsCode.firstEnd {
                guard let ended = end(entry, &cursor.reader) else { return false }
                cursor.ended = ended
                break
            }
            // The value is one bit: positive if it is set.
            let (size, width) = (entry &>> 5 & 15, entry & 31)
            let sign = Int64(bitPattern: cursor.reader.bits &<< (width &- 1)) &>> 63
            cursor.reader.pass(width)
            let passed = Self.pass(entry &>> 9 &- 1, from: &position, old: &old)
            if passed != 0 { correct(target, at: passed, from: &cursor.reader) }
            guard size <= 1, position <= last else { return false }
            // All bits of the sign are equal.
            if size > 0 { put(bit &- (bit &+ bit) & Int16(truncatingIfNeeded: ~sign), at: position, in: target) }
            position &+= 1
        }
        guard cursor.ended > 0 else { return true }
        if old != 0 { correct(target, at: old, from: &cursor.reader) }
        cursor.ended &-= 1
        return true
    }

    /// Moves the position behind some zeros, and behind all of `old` before and between them, which it takes from there and returns.
    @inline(__always)
    private static func pass(_ zeros: UInt64, from position: inout UInt64, old: inout UInt64) -> UInt64 {
        position &+= zeros
        let before = old
        while old != 0, UInt64(truncatingIfNeeded: old.trailingZeroBitCount) <= position {
            old &= old &- 1
            position &+= 1
        }
        return before ^ old
    }

    private var bit: Int16 { 1 &<< Int16(truncatingIfNeeded: shift) }

    /// Moves the values at these positions away from zero, each if its bit says so: the next ones, one for each position.
    @inline(__always)
    private func correct(_ target: Target, at places: UInt64, from reader: inout ScaledCoefficientsReader) {
        var left = places
        while left != 0 {
            // A refill gives 56 bits, and a band has up to 63 positions.
            var count = UInt64(left.nonzeroBitCount)
            if reader.count < count { reader.refill() }
            count = min(count, reader.count)
            var bits = reader.bits
            reader.pass(count)
            while count > 0 {
                let place = positions[left.trailingZeroBitCount]
                let value = target.values[place]
                // Half of the bits are set: a branch would be mispredicted.
                let isMoved = Int16(truncatingIfNeeded: Int64(bitPattern: bits) &>> 63) & (value & bit == 0 ? -1 : 0)
                let sign = value &>> 15
                target.values[place] = value &+ ((bit ^ sign) &- sign) & isMoved
                left &= left &- 1
                bits &<<= 1
                count &-= 1
            }
        }
    }
}
