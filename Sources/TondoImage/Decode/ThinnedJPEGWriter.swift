/// Writes entropy-coded data, first bit highest, with a zero stuffed behind each 0xFF (T.81 section F.1.2.3).
struct ThinnedJPEGWriter {
    private let start: UnsafeMutablePointer<UInt8>
    private var position: UnsafeMutablePointer<UInt8>
    /// The last place where 24 bytes fit.
    private let limit: UnsafeMutablePointer<UInt8>
    /// The latest bits lowest; those above the pending ones are left over and pushed out later.
    private var bits: UInt64 = 0
    /// Bits until `bits` is full, 0...64.
    private var free: UInt64 = 64
    /// Data did not fit; what was written is not to be used.
    private(set) var isFull = false

    /// Nil when not even 24 bytes fit.
    init?(_ target: UnsafeMutableBufferPointer<UInt8>) {
        guard target.count >= 24, let start = target.baseAddress else { return nil }
        (self.start, position, limit) = (start, start, start + (target.count - 24))
    }

    /// Bytes written.
    var count: Int { position - start }

    /// Adds the low `width` bits of `value`, 1...56; those above must be zero.
    @inline(__always)
    mutating func put(_ value: UInt64, _ width: UInt64) {
        if width <= free {
            // 64 bits into an empty writer do not occur, so no shift is by 64.
            bits = bits &<< width | value
            free &-= width
            return
        }
        let over = width &- free
        flush(bits &<< free | value &>> over)
        (bits, free) = (value, 64 &- over)
    }

    /// Stores eight bytes, up to sixteen with their zeros.
    @inline(__always)
    private mutating func flush(_ word: UInt64) {
        // The room for one word is looked at before each, so nothing is written behind the target.
        guard position <= limit else {
            isFull = true
            return
        }
        if ThinnedJPEGReader.hasFF(word) {
            position = Self.stuff(word, count: 8, to: position)
        } else {
            UnsafeMutableRawPointer(position).storeBytes(of: word.bigEndian, as: UInt64.self)
            position += 8
        }
    }

    /// Writes the first `count` bytes of `word`.
    @inline(never)
    private static func stuff(
        _ word: UInt64, count: UInt64, to start: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var position = start
        for index in 0..<count {
            let byte = UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
            position[0] = byte
            position += 1
            guard byte == 0xFF else { continue }
            position[0] = 0
            position += 1
        }
        return position
    }

    /// Fills up the last byte with ones and writes a marker.
    mutating func end(with marker: UInt8) {
        if free & 7 > 0 { put(1 &<< (free & 7) &- 1, free & 7) }
        guard position <= limit else {
            isFull = true
            return
        }
        if free < 64 { position = Self.stuff(bits << free, count: (64 - free) / 8, to: position) }
        (bits, free) = (0, 64)
        position[0] = 0xFF
        position[1] = marker
        position += 2
    }
}
