/// What names of columns have in common however they are written: letters alone, without case and accents. So
/// `E-mail 2 Address` and `E-Mail-Address`, which differ by number and punctuation, are one name.
struct ColumnKey: Hashable, Sendable {
    /// In UTF-8.
    let letters: [UInt8]

    init(_ name: String) { letters = Self.quick(name) ?? Self.slow(name) }

    /// A hash of the bytes at once: that of an array takes them one by one.
    func hash(into hasher: inout Hasher) { letters.withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// Nil if the name has letters that no known name has, or marks that belong to the letter before.
    static func quick(_ name: String) -> [UInt8]? {
        var letters: [UInt8] = []
        letters.reserveCapacity(name.utf8.count)
        for scalar in name.unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                if ASCII.isLetter(byte) { letters.append(ASCII.lowered(byte)) }
            } else if let folded = folds[scalar.value] {
                letters += folded
            } else {
                return nil
            }
        }
        return letters
    }

    /// For any name.
    static func slow(_ name: String) -> [UInt8] {
        Array(String(String.UnicodeScalarView(ContactSearch.folded(name).unicodeScalars.filter(isPart))).utf8)
    }

    /// Letters, and the marks that some scripts write vowels with.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isAlphabetic || properties.generalCategory == .nonspacingMark
    }

    /// What becomes of each character beyond ASCII of the known names. Folding each name by itself takes longer than
    /// all other work on a table, so all characters are folded at once.
    private static let folds: [UInt32: [UInt8]] = {
        var scalars: Set<Unicode.Scalar> = []
        for text in [ThunderbirdNames.text, OutlookNames.text] + ColumnWords.texts {
            for scalar in text.unicodeScalars where !scalar.isASCII { scalars.insert(scalar) }
        }
        // Names are looked up in lower case.
        for scalar in scalars { scalars.formUnion(scalar.properties.lowercaseMapping.unicodeScalars) }
        let alone = scalars.filter { !$0.isASCII && !joinsOthers($0) }
        let folded = ContactSearch.folded(alone.map { String($0) }.joined(separator: "\n"))
        let parts = folded.split(separator: "\n", omittingEmptySubsequences: false)
        var folds: [UInt32: [UInt8]] = [:]
        for (scalar, part) in zip(alone, parts) {
            folds[scalar.value] = Array(String(String.UnicodeScalarView(part.unicodeScalars.filter(isPart))).utf8)
        }
        return folds
    }()

    /// Whether the character may become one with the character before it (Unicode 3.11, 3.12).
    private static func joinsOthers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        // The letters of Hangul, and the sound marks of narrow Katakana.
        default: 0x1100...0x11FF ~= scalar.value || 0xFF9E...0xFF9F ~= scalar.value
        }
    }
}
