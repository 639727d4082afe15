/// Reads entropy-coded data bit by bit, first bit highest, without their stuffed zeros (T.81 section F.2.2.5).
///
/// At a marker or the end it continues with padding zeros, until `isOverrun` is checked.
struct ScaledCoefficientsReader {
    /// The next bits; those behind `count` are zero or come again with the next bytes.
    private(set) var bits: UInt64 = 0
    /// Available bits, including padding.
    private(set) var count: UInt64 = 0
    /// Padding bits since the last marker.
    private var padding: UInt64 = 0
    /// The position of the next byte, or of the marker that ends the data.
    private(set) var position: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>

    /// `bytes`: not empty.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return nil }
        position = start
        end = start + bytes.count
    }

    /// More bits were passed than exist.
    var isOverrun: Bool { count < padding }

    /// Makes at least 56 bits available, at most 63.
    @inline(__always)
    mutating func refill() {
        // Eight bytes are loaded only if eight are left, and used only if none is 0xFF.
        if end - position >= 8 {
            let word = UInt64(bigEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
            if !Self.hasFF(word) {
                bits |= word &>> count
                position += Int(truncatingIfNeeded: (63 &- count) &>> 3 & 7)
                count = count & 63 | 56
                return
            }
        }
        count &= 63
        self = refilledByBytes()
    }

    @inline(__always)
    private static func hasFF(_ word: UInt64) -> Bool {
        ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 != 0
    }

    /// By value, so that the reader of a hot loop stays in registers.
    @inline(never)
    private func refilledByBytes() -> Self {
        var reader = self
        while reader.count < 56 {
            var byte: UInt8 = 0
            if reader.position < end, reader.position[0] != 0xFF {
                byte = reader.position[0]
                reader.position += 1
            } else if end - reader.position >= 2, reader.position[1] == 0 {
                byte = 0xFF
                reader.position += 2
            } else {
                reader.padding += 8
            }
            reader.bits |= UInt64(byte) << (56 - reader.count)
            reader.count += 8
        }
        return reader
    }

    /// Passes `width` bits, at most the available ones.
    @inline(__always)
    mutating func pass(_ width: UInt64) {
        bits &<<= width
        count &-= width
    }

    /// The next `width` bits, 0...16 and at most the available ones, which are passed.
    @inline(__always)
    mutating func take(_ width: UInt64) -> UInt64 {
        // Two shifts, since one by 64 gives 0 only if it is not masked.
        let value = (bits &>> 1) &>> (63 &- width)
        pass(width)
        return value
    }

    /// At the end of the data, but for the padding of the last byte.
    var isAtEnd: Bool {
        let reader = refilledByBytes()
        return reader.padding > 0 && reader.count >= reader.padding && reader.count - reader.padding < 8
            && reader.position == end
    }

    /// The value after a code of `ScaledCoefficientsCode.symbols`, before it is passed (sections F.2.2.1 and F.2.2.2).
    @inline(__always)
    func value(_ entry: UInt64) -> Int { Self.value(entry, in: bits) }

    /// The value after that code, in these bits.
    @inline(__always)
    static func value(_ entry: UInt64, in bits: UInt64) -> Int {
        let size = entry &>> 5 & 15
        let next = bits &<< (entry & 31 &- size)
        // Below half of its range, it is negative: less 2^size - 1.
        let isPositive = Int(truncatingIfNeeded: next) &>> 63
        let offset = (-1 &<< Int(truncatingIfNeeded: size)) &+ 1
        return Int(truncatingIfNeeded: (next &>> 1) &>> (63 &- size)) &+ (offset & ~isPositive)
    }

    /// Passes the codes from coefficient `k`, 1...63, to the end of the block. False if a code is unknown. At the
    /// start, at most 20 bits may have been passed since a `refill`.
    @inline(__always)
    mutating func passBlock(from k: UInt64, _ code: ScaledCoefficientsCode) -> Bool {
        let (runs, shift) = (code.runs, code.shift)
        // Bits passed since the last refill in the low byte, the coefficient above.
        var sum = k &<< 8
        var (before, earlier) = (bits, sum)
        while true {
            // Three entries between two refills: 54 bits at most.
            step(runs, shift: shift, sum: &sum)
            if sum < 64 << 8 {
                before = bits
                earlier = sum
                step(runs, shift: shift, sum: &sum)
                if sum < 64 << 8 {
                    refill(&sum)
                    before = bits
                    earlier = sum
                    step(runs, shift: shift, sum: &sum)
                    if sum < 64 << 8 {
                        before = bits
                        earlier = sum
                        continue
                    }
                }
            }
            // 64: the last coefficient was the last code; from 128 on: an end of block after fewer than 64.
            if sum &>> 8 == 64 || sum &>> 14 == 2 {
                count &-= sum & 255
                return true
            }
            // An entry exceeded the end of the block, or is unknown: one code by itself.
            bits = before
            refill(&earlier)
            let entry = ScaledCoefficientsCode.run(code.first(bits))
            pass(entry & 255)
            sum = earlier &+ entry & ~255
            if sum >= 64 << 8 { return sum &>> 8 == 64 || sum &>> 14 == 2 }
            refill()
            before = bits
            earlier = sum
        }
    }

    @inline(__always)
    private mutating func step(_ runs: UnsafeMutablePointer<UInt16>, shift: UInt64, sum: inout UInt64) {
        let entry = UInt64(runs[Int(truncatingIfNeeded: bits &>> shift)])
        bits &<<= entry
        sum &+= entry
    }

    /// First passes the bits counted in `sum`.
    @inline(__always)
    private mutating func refill(_ sum: inout UInt64) {
        // Only the low six bits of the count matter, since it is at most 63; so `sum` needs no masking before.
        count &-= sum
        refill()
        sum &= ~255
    }

    /// At the end of an interval: moves behind the restart marker `number`, 0...7 (section F.2.2.5 note, E.2.4). Only
    /// its padding, less than a byte, may come before it.
    mutating func restart(_ number: Int) -> Bool {
        self = refilledByBytes()
        guard padding > 0, count >= padding, count - padding < 8, end - position >= 2, position[0] == 0xFF,
            Int(position[1]) == 0xD0 + number
        else { return false }
        position += 2
        bits = 0
        count = 0
        padding = 0
        return true
    }
}
