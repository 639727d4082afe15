/// Unpacks the indices of a GIF's image (GIF89a specification, appendix F).
struct GIFImageData {
    private var reader: ByteReader
    /// Of the current block.
    private var left = 0
    /// Bits that are read and not used yet, the first one lowest.
    private var bits: UInt32 = 0
    private var count = 0

    private static let mostCodes = 4_096

    /// `offset`: of the first block in `bytes`.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        reader = ByteReader(bytes)
        reader.offset = offset
    }

    /// Fills `target`. Data beyond it are not read.
    mutating func unpack(
        codeSize: Int, into target: UnsafeMutableBufferPointer<UInt8>
    ) throws(ImageError) {
        let (clear, end) = (1 << codeSize, 1 << codeSize + 1)
        // Each code stands for pixels that were written before: those of the code before it and one more.
        var starts = [Int](repeating: 0, count: Self.mostCodes)
        var lengths = starts
        var (next, width) = (end + 1, codeSize + 1)
        var last: (start: Int, length: Int)?
        var position = 0
        while position < target.count {
            guard let code = code(of: width) else { throw .truncated("the image data end too early") }
            if code == clear {
                (next, width, last) = (end + 1, codeSize + 1, nil)
                continue
            }
            guard code != end else { throw .truncated("the image data end too early") }
            if let last, next < Self.mostCodes {
                (starts[next], lengths[next]) = (last.start, last.length + 1)
                next += 1
                if next == 1 << width, width < 12 { width += 1 }
            }
            let start = position
            if code < clear {
                target[position] = UInt8(truncatingIfNeeded: code)
                position += 1
            } else {
                guard code < next, code > end else { throw .corrupt("a code that has no meaning yet") }
                let (from, length) = (starts[code], min(lengths[code], target.count - position))
                // Byte by byte: the last one may be the first one that is written here.
                for offset in 0..<length { target[position + offset] = target[from + offset] }
                position += length
            }
            last = (start, position - start)
        }
    }

    /// Nil at the end of the data.
    private mutating func code(of width: Int) -> Int? {
        while count < width {
            if left == 0 {
                guard let size = reader.byte(), size > 0 else { return nil }
                left = size
            }
            guard let byte = reader.byte() else { return nil }
            left -= 1
            bits |= UInt32(byte) << UInt32(count)
            count += 8
        }
        let code = Int(bits & (1 << UInt32(width) - 1))
        bits >>= UInt32(width)
        count -= width
        return code
    }
}
