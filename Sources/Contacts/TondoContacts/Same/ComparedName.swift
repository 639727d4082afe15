/// A displayed name as it is compared between books: without letter case, accents, blanks and invisible characters.
///
/// Folding by Foundation takes ten microseconds for a name in another script than Latin, too much for a hundred thousand
/// names. Here a table folds the letters of Latin, Greek and Cyrillic.
package enum ComparedName {
    /// Empty for a name that shows nothing.
    package static func folded(_ name: String) -> String {
        var bytes: [UInt8] = []
        append(name, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Equal for names that are equal when they are folded, in this process alone; nil for a name that shows nothing.
    /// `buffer`: its contents do not matter, its memory is used again.
    static func hash(_ name: String, by buffer: inout [UInt8]) -> UInt64? {
        buffer.removeAll(keepingCapacity: true)
        append(name, to: &buffer)
        return buffer.isEmpty ? nil : TextHash.of(buffer)
    }

    /// The `hash` of a name that is folded.
    package static func hash(ofFolded name: String) -> UInt64 { TextHash.of(name.utf8) }

    static func append(_ name: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        for byte in name.utf8 {
            guard byte < 0x80 else {
                bytes.removeLast(bytes.count - start)
                return appendScalars(name, to: &bytes)
            }
            if byte > 0x20, byte != 0x7F { bytes.append(0x41...0x5A ~= byte ? byte | 0x20 : byte) }
        }
    }

    private static func appendScalars(_ name: String, to bytes: inout [UInt8]) {
        let isPlain = name.unicodeScalars.allSatisfy { $0.value < most || isIdeograph($0) }
        for scalar in (isPlain ? name : ContactSearch.folded(name)).unicodeScalars {
            if scalar.value < most {
                bytes += table[Int(scalar.value)]
            } else if isIdeograph(scalar) || isVisible(scalar) {
                bytes += UTF8.encode(scalar) ?? UTF8.EncodedScalar()
            }
        }
    }

    /// The end of Cyrillic.
    private static let most: UInt32 = 0x530

    /// By scalar.
    private static let table: [[UInt8]] = (0..<most).map { value in
        guard let scalar = Unicode.Scalar(value), isVisible(scalar) else { return [] }
        return Array(ContactSearch.folded(String(scalar)).utf8)
    }

    /// Han and hangul, which no folding changes.
    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        (0x3400...0x9FFF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
            || (0x20000...0x323AF).contains(scalar.value)
    }

    /// Neither a blank, a control or a format character, nor an accent that stands alone.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
            && ![.control, .format, .nonspacingMark].contains(properties.generalCategory)
    }
}

/// Hashes of texts for comparisons in memory. Each process has other ones, so that no book can be made to have equal ones.
enum TextHash {
    static func of(_ bytes: some Collection<UInt8>) -> UInt64 {
        var hasher = Hasher()
        if bytes.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            for byte in bytes { hasher.combine(byte) }
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// `kind`: keeps texts of different meanings apart.
    static func of(_ kind: UInt8, _ bytes: some Collection<UInt8>) -> UInt64 {
        of(bytes) ^ UInt64(kind) &* 0x9E37_79B9_7F4A_7C15
    }
}
