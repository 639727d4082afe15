/// Unpacks the indices of a GIF's image (GIF89a specification, appendix F).
struct GIFImageData {
    /// Bytes behind the indices that `unpack` may write to: it copies eight at a time.
    static let slack = 8
    private static let mostCodes = 4_096

    private let bytes: UnsafeRawBufferPointer
    /// Where the next byte is.
    private var offset: Int
    /// Bytes of the current block that are not read yet.
    private var left = 0
    /// Bits that are read and not used yet, the first one lowest.
    private var bits: UInt64 = 0
    private var count = 0

    /// `offset`: of the first block in `bytes`.
    init(bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Fills `count` indices at `target`, which has room for `slack` more. Data beyond them are not read. Returns how many
    /// there are, which are fewer if the data end too early.
    mutating func unpack(
        codeSize: Int, into target: UnsafeMutablePointer<UInt8>, count: Int
    ) throws(ImageError) -> Int {
        // Each code stands for indices that were written before: those of the code before it and one more.
        let unpacked = withUnsafeTemporaryAllocation(of: Sequence.self, capacity: Self.mostCodes) { codes in
            unpack(codeSize: codeSize, into: target, count: count, codes)
        }
        guard let unpacked else { throw .corrupt("a code that has no meaning yet") }
        return unpacked
    }

    /// Indices that were written before.
    private struct Sequence {
        var start: Int
        var length: Int
    }

    /// Nil at a code that has no meaning yet.
    private mutating func unpack(
        codeSize: Int, into target: UnsafeMutablePointer<UInt8>, count: Int,
        _ codes: UnsafeMutableBufferPointer<Sequence>
    ) -> Int? {
        let (clear, end) = (1 << codeSize, 1 << codeSize + 1)
        var (next, width) = (end + 1, codeSize + 1)
        // No code came before: a length of 0.
        var last = Sequence(start: 0, length: 0)
        var position = 0
        while position < count {
            guard let code = code(of: width) else { return position }
            if code == clear {
                next = end + 1
                width = codeSize + 1
                last.length = 0
                continue
            }
            guard code != end else { return position }
            if last.length > 0, next < Self.mostCodes {
                codes[next] = Sequence(start: last.start, length: last.length + 1)
                next += 1
            }
            // With one bit, the first new code has a bit more already.
            if next == 1 << width, width < 12 { width += 1 }
            last.start = position
            if code < clear {
                target[position] = UInt8(truncatingIfNeeded: code)
                last.length = 1
            } else {
                guard code < next else { return nil }
                let sequence = codes[code]
                last.length = min(sequence.length, count - position)
                Self.copy(last.length, from: target + sequence.start, to: target + position)
            }
            position += last.length
        }
        return position
    }

    /// Writes up to seven bytes more. The last byte may be the first one that is written here, so parts that overlap are
    /// copied one by one.
    private static func copy(
        _ length: Int, from source: UnsafeMutablePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>
    ) {
        guard target - source >= 8 else {
            for offset in 0..<length { target[offset] = source[offset] }
            return
        }
        var offset = 0
        repeat {
            let part = UnsafeRawPointer(source + offset).loadUnaligned(as: UInt64.self)
            UnsafeMutableRawPointer(target + offset).storeBytes(of: part, as: UInt64.self)
            offset += 8
        } while offset < length
    }

    /// Nil at the end of the data.
    private mutating func code(of width: Int) -> Int? {
        if count < width {
            fill()
            if count < width { return nil }
        }
        defer {
            bits >>= UInt64(width)
            count -= width
        }
        return Int(bits & (1 << UInt64(width) - 1))
    }

    /// Reads as many bytes as there is room for, or all that are left.
    private mutating func fill() {
        while count <= 56 {
            if left == 0 {
                guard offset < bytes.count, bytes[offset] > 0 else { return }
                left = Int(bytes[offset])
                offset += 1
            }
            if left >= 8, bytes.count - offset >= 8 {
                let taken = (64 - count) / 8
                let part = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                bits |= part << UInt64(count)
                offset = offset + taken
                left = left - taken
                count = count + taken * 8
                // Without those of the byte that is not taken.
                bits &= .max >> UInt64(64 - count)
                return
            }
            guard offset < bytes.count else { return }
            bits |= UInt64(bytes[offset]) << UInt64(count)
            offset = offset + 1
            left = left - 1
            count = count + 8
        }
    }
}
