internal import Glibc

/// Comparing and reading bytes as ASCII, among any other bytes.
enum ASCII {
    /// Whether the bytes begin with `word`, in any letter case. `word`: in lower case.
    @inline(__always)
    static func has(_ word: StaticString, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard word.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<word.utf8CodeUnitCount where lowered(bytes[index]) != word.utf8Start[index] { return false }
        return true
    }

    /// Whether the text begins with `word`, in any letter case. `word`: in lower case.
    @inline(__always)
    static func has(_ word: StaticString, in text: String) -> Bool {
        var utf8 = text.utf8.makeIterator()
        for index in 0..<word.utf8CodeUnitCount {
            guard let byte = utf8.next(), lowered(byte) == word.utf8Start[index] else { return false }
        }
        return true
    }

    /// Whether all bytes are `word`, in any letter case. `word`: in lower case.
    @inline(__always)
    static func equals(_ bytes: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        bytes.count == word.utf8CodeUnitCount && has(word, in: bytes)
    }

    @inline(__always)
    static func lowered(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    /// Whether it is a space or control character.
    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

    /// Without blanks at both ends.
    @inline(__always)
    static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[trimmed(0..<bytes.count, of: bytes)])
    }

    /// The range without blanks at both ends.
    @inline(__always)
    static func trimmed(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while start < end, isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// The first `byte` in a range of the bytes.
    @inline(__always)
    static func find(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, within range: Range<Int>) -> Int? {
        guard let base = bytes.baseAddress, let found = memchr(base + range.lowerBound, CInt(byte), range.count) else {
            return nil
        }
        return UnsafeRawPointer(found) - base
    }

    /// In lower case.
    static func loweredString(_ bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { output in
            for index in 0..<bytes.count { output[index] = lowered(bytes[index]) }
            return bytes.count
        }
    }
}

/// Characters of ASCII that need no rule beyond.
struct ASCIISet {
    private var bits: UInt128 = 0

    init(_ characters: String) {
        for byte in characters.utf8 { bits |= 1 << UInt128(byte) }
    }

    /// Whether `text` has no other character.
    func holds(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 && bits >> UInt128($0) & 1 == 1 } }
}
