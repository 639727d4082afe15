/// Entries of tEXt chunks (PNG third edition 11.3.3.2).
package enum PNGText {
    /// The data of a chunk, or nil if the entry is invalid: a keyword has 1...79 printable Latin-1 bytes without
    /// leading, trailing or double spaces; a value is Latin-1 without NUL.
    package static func data(keyword: String, value: String) -> [UInt8]? {
        guard let key = latin1(keyword), let text = latin1(value), isKeyword(key), !text.contains(0) else { return nil }
        return key + [0] + text
    }

    private static func isKeyword(_ key: [UInt8]) -> Bool {
        guard (1...79).contains(key.count), key.first != 0x20, key.last != 0x20 else { return false }
        // 0xA0, the no-break space, looks like a space and is excluded as well.
        guard key.allSatisfy({ (0x20...0x7E).contains($0) || $0 >= 0xA1 }) else { return false }
        return !zip(key, key.dropFirst()).contains { $0 == 0x20 && $1 == 0x20 }
    }

    private static func latin1(_ string: String) -> [UInt8]? {
        // Almost every text is ASCII, whose bytes are the same in Latin-1: a tenth of the time of reading it by characters.
        let utf8 = Array(string.utf8)
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8 }
        var bytes: [UInt8] = []
        for scalar in string.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
