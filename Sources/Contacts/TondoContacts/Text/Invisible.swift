/// Characters that no reader of a text sees: blanks of all kinds, controls, zero-width characters, byte order marks. Editors,
/// web pages and concatenated files put them around lines, where they mean nothing.
enum Invisible {
    /// The number of bytes of the invisible character at `position`; 0 if it is a visible one.
    @inline(__always)
    static func length(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        switch bytes[position] {
        case 0...0x20, 0x7F: 1
        case 0x21...0x7E: 0
        default: lengthBeyondASCII(bytes, at: position)
        }
    }

    /// The position of the first visible character from `start` on.
    static func skip(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int {
        var position = start
        while position < bytes.count {
            let length = length(bytes, at: position)
            if length == 0 { break }
            position += length
        }
        return position
    }

    private static func lengthBeyondASCII(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        let second = position + 1 < bytes.count ? bytes[position + 1] : 0
        let third = position + 2 < bytes.count ? bytes[position + 2] : 0
        switch (bytes[position], second, third) {
        // The blank and the soft hyphen of Latin-1; the marks of UTF-16, whose other characters `narrowed` makes 0xFF.
        case (0xA0, _, _), (0xAD, _, _), (0xFE...0xFF, _, _): return 1
        case (0xC2, 0x80...0xA0, _), (0xC2, 0xAD, _), (0xCD, 0x8F, _): return 2
        // A byte order mark that was taken for Latin-1 and written once more.
        case (0xC3, 0xAF, 0xC2):
            let mark: [UInt8] = [0xC3, 0xAF, 0xC2, 0xBB, 0xC2, 0xBF]
            return bytes[position...].starts(with: mark) ? mark.count : 0
        case (0xE1, 0x9A, 0x80), (0xE1, 0xA0, 0x8E), (0xE3, 0x80, 0x80): return 3
        case (0xE2, 0x80, 0x80...0x8F), (0xE2, 0x80, 0xA8...0xAF), (0xE2, 0x81, 0x9F...0xAF): return 3
        case (0xEF, 0xBB, 0xBF), (0xEF, 0xBF, 0xBD...0xBE): return 3
        default: return 0
        }
    }
}
