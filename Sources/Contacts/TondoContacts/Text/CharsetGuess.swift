/// Detects the character set of text without a declared one.
///
/// Valid UTF-8 is UTF-8. Shift_JIS is distinguished from the Western and Cyrillic sets by two properties: all its pairs
/// are complete, and no pair that ends in an ASCII letter is inside a word of ASCII letters, as `\u{92}B` of "O'Brien"
/// is.
extension Charset {
    static func guess(_ bytes: UnsafeRawBufferPointer) -> Charset {
        if UTF8Text.defect(bytes) == nil { return .utf8 }
        if looksLikeShiftJIS(bytes) { return .shiftJIS }
        return looksCyrillic(bytes) ? .windows1251 : .windows1252
    }

    private static func looksLikeShiftJIS(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (index, pairs) = (0, 0)
        while index < bytes.count {
            let lead = bytes[index]
            guard lead >= 0x80 else {
                index += 1
                continue
            }
            switch lead {
            case 0xA1...0xDF: index += 1
            case 0x81...0x9F, 0xE0...0xFC:
                guard index + 1 < bytes.count, isTrail(bytes[index + 1]) else { return false }
                if ASCII.isLetter(bytes[index + 1]), touchesLetter(bytes, pairAt: index) { return false }
                if lead < 0xEB { pairs += 1 }
                index += 2
            default: return false
            }
        }
        return pairs > 0
    }

    private static func isTrail(_ byte: UInt8) -> Bool { (0x40...0xFC).contains(byte) && byte != 0x7F }

    private static func touchesLetter(_ bytes: UnsafeRawBufferPointer, pairAt index: Int) -> Bool {
        let isFirst = index == 0 || bytes[index - 1] < 0x80 && !isSecond(bytes, at: index - 1)
        if index > 0, isFirst, ASCII.isLetter(bytes[index - 1]) { return true }
        return index + 2 < bytes.count && ASCII.isLetter(bytes[index + 2])
    }

    /// An ASCII byte after a lead byte is the second half of a pair.
    private static func isSecond(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        index > 0 && bytes[index - 1] >= 0x81 && !(0xA0...0xDF).contains(bytes[index - 1])
    }

    /// Three consecutive letters above ASCII hardly occur in Western words, and Cyrillic ones hardly touch a letter of ASCII.
    private static func looksCyrillic(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (run, letters, mixed, before) = (0, 0, 0, UInt8(0))
        for (index, byte) in bytes.enumerated() {
            if byte >= 0xC0 {
                // The letter of `\n` belongs to no word.
                if run == 0, ASCII.isLetter(before), index < 2 || bytes[index - 2] != UInt8(ascii: "\\") { mixed += 1 }
                run += 1
            } else {
                if run >= 3 { letters += run }
                if run > 0, ASCII.isLetter(byte) { mixed += 1 }
                run = 0
            }
            before = byte
        }
        return letters + (run >= 3 ? run : 0) > 4 * mixed
    }
}
