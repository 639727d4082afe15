/// Text that may be UTF-8 (RFC 3629).
enum UTF8Text {
    /// The position of the first byte that is not UTF-8; nil if there is none.
    static func defect(_ bytes: UnsafeRawBufferPointer) -> Int? {
        if isASCII(bytes) { return nil }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.assumingMemoryBound(to: UInt8.self).span)
            return nil
        } catch { return error.byteOffsets.lowerBound }
    }

    /// Whether the character at a defect is one of two halves of UTF-16, each of which was encoded by itself (CESU-8), as older
    /// versions of Android and data bases write emoji.
    static func isHalf(in bytes: UnsafeRawBufferPointer, at defect: Int) -> Bool {
        guard defect + 5 < bytes.count, bytes[defect] == 0xED, bytes[defect + 3] == 0xED else { return false }
        let areLast = bytes[defect + 2] & 0xC0 == 0x80 && bytes[defect + 5] & 0xC0 == 0x80
        return areLast && bytes[defect + 1] & 0xF0 == 0xA0 && bytes[defect + 4] & 0xF0 == 0xB0
    }

    /// The text with such halves joined; other defects become U+FFFD.
    static func joiningHalves(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if isHalf(in: bytes, at: position) {
                let (high, low) = (UInt32(bytes[position + 1] & 0xF) << 6, UInt32(bytes[position + 4] & 0xF) << 6)
                let (first, second) = (
                    high | UInt32(bytes[position + 2] & 0x3F), low | UInt32(bytes[position + 5] & 0x3F)
                )
                text += Unicode.Scalar(0x1_0000 + first << 10 + second).map { Array(String($0).utf8) } ?? []
                position += 6
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        return Array(String(decoding: text, as: UTF8.self).utf8)
    }

    /// Without a truncated character at the end.
    static func withoutCutCharacter(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var start = bytes.count
        while start > 0, bytes.count - start < 3, bytes[start - 1] & 0xC0 == 0x80 { start -= 1 }
        guard start > 0, bytes[start - 1] >= 0xC0 else { return bytes }
        let lead = bytes[start - 1]
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard bytes.count - (start - 1) < length else { return bytes }
        return UnsafeRawBufferPointer(rebasing: bytes[..<(start - 1)])
    }

    /// Without truncated characters at both ends.
    static func withoutCutCharacters(
        _ bytes: UnsafeRawBufferPointer, atStart: Bool, atEnd: Bool
    ) -> UnsafeRawBufferPointer {
        var start = 0
        while atStart, start < 3, start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return atEnd ? withoutCutCharacter(rest) : rest
    }

    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let high: UInt64 = 0x8080_8080_8080_8080
        var offset = 0
        while offset + 32 <= bytes.count {
            var all: UInt64 = 0
            for lane in 0..<4 { all |= bytes.loadUnaligned(fromByteOffset: offset + 8 * lane, as: UInt64.self) }
            if all & high != 0 { return false }
            offset += 32
        }
        return bytes[offset...].allSatisfy { $0 < 0x80 }
    }
}
