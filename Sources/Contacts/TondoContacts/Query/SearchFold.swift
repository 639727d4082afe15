private import Foundation

/// Texts as searches compare them: without letter case, accents, width, vowel points, apostrophes, dashes and invisible characters;
/// katakana as hiragana, digits of all scripts as those of ASCII, variants of Arabic letters and of Han characters as one, and
/// syllables of hangul as their parts, so that a syllable is found while it is typed.
enum SearchFold {
    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 && !isLeftOut($0) }) { return text.lowercased() }
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: text.utf8.filter { !isLeftOut($0) }.map(ASCII.lowered), as: UTF8.self)
        }
        var output = String.UnicodeScalarView()
        for scalar in ContactSearch.folded(plain(of: text)).unicodeScalars { add(scalar, to: &output) }
        return String(output)
    }

    /// Around words that are written as one, so that a needle finds them from end to end.
    static let joint = "\u{2}"

    /// The words of a name as one, and any that follow each other: people differ in De la Cruz and Delacruz. `text`: folded.
    static func joined(_ text: String) -> String {
        let words = text.split(separator: " ")
        guard 2...5 ~= words.count else { return "" }
        let parts = words.indices.flatMap { from in words[from...].indices.dropFirst().map { words[from...$0].joined() }
        }
        return joint + parts.map { $0 + joint }.joined()
    }

    /// A character of ASCII that does not count: an apostrophe, a hyphen, or a zero, which ends C strings.
    static func isLeftOut(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`") || byte == 0
    }

    /// With usual letters in place of those of half width, of mathematics, in circles, in squares and of old fonts: NFKC, and
    /// the white letters on black, which it leaves as they are.
    static func plain(of text: String) -> String {
        let isOther = text.unicodeScalars.contains { scalar in others.contains { $0 ~= scalar.value } }
        guard isOther else { return text }
        let plain = text.unicodeScalars.map { scalar in
            white.first { $0 ~= scalar.value }.flatMap { Unicode.Scalar(0x41 + scalar.value - $0.lowerBound) } ?? scalar
        }
        return String(String.UnicodeScalarView(plain)).precomposedStringWithCompatibilityMapping
    }

    /// Letters in black circles and squares.
    private static let white: [ClosedRange<UInt32>] = [0x1F150...0x1F169, 0x1F170...0x1F189]

    private static let others: [ClosedRange<UInt32>] = [
        0x1C4...0x1CC, 0x2100...0x24FF, 0xFB00...0xFDFF, 0xFE70...0xFFEF, 0x1D400...0x1D7FF, 0x1F100...0x1F189,
    ]

    private static func add(_ scalar: Unicode.Scalar, to output: inout String.UnicodeScalarView) {
        let value = scalar.value
        if value < 0x80 {
            if !isLeftOut(UInt8(value)) { output.append(scalar) }
        } else if HangulLetter.isSyllable(scalar) {
            output.append(contentsOf: String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
        } else if 0x30A1...0x30F6 ~= value || 0x30FD...0x30FE ~= value {
            Unicode.Scalar(value - 0x60).map { output.append($0) }
        } else if let usual = variants[scalar] {
            output.append(contentsOf: usual.unicodeScalars)
        } else if let usual = HanVariants.usual(of: scalar) {
            output.append(usual)
        } else if let digit = digit(of: scalar) {
            output.append(Unicode.Scalar(0x30 + digit))
        } else if !isLeftOut(scalar: scalar) {
            output.append(scalar)
        }
    }

    /// A dash, a character of no width, or a vowel point of Hebrew or Arabic.
    private static func isLeftOut(scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        let mayBePoint = 0x591...0x6FF ~= scalar.value || 0x8CA...0x8FF ~= scalar.value
        return properties.isDash || properties.isDefaultIgnorableCodePoint
            || mayBePoint && properties.generalCategory == .nonspacingMark
    }

    /// The value of a decimal digit of any script; nil for other characters.
    static func digit(of scalar: Unicode.Scalar) -> UInt8? {
        if scalar.value < 0x80 { return 0x30...0x39 ~= scalar.value ? UInt8(scalar.value - 0x30) : nil }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return UInt8(value)
    }

    /// Letters that keyboards of different countries write for one another, and signs.
    private static let variants: [Unicode.Scalar: String] = [
        "ی": "ي", "ى": "ي", "ے": "ي", "ئ": "ي", "ک": "ك", "ة": "ه", "ہ": "ه", "ھ": "ه", "ۀ": "ه", "ۂ": "ه", "ؤ": "و",
        "ٱ": "ا", "أ": "ا", "إ": "ا", "آ": "ا", "ـ": "",
        "’": "", "‘": "", "ʼ": "", "ʻ": "", "´": "", "′": "", "׳": "", "ʿ": "", "ʾ": "", "ς": "σ",
    ]
}
