private import Foundation

/// Texts as searches compare them: without letter case, accents, width, apostrophes and invisible characters; katakana as
/// hiragana, digits of all scripts as those of ASCII, dashes as hyphens, variants of Arabic letters as one, and syllables of
/// hangul as their parts, so that a syllable is found while it is typed.
enum SearchFold {
    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0 && $0 != apostrophe }) { return text.lowercased() }
        var output = String.UnicodeScalarView()
        for scalar in ContactSearch.folded(text).unicodeScalars { add(scalar, to: &output) }
        return String(output)
    }

    private static func add(_ scalar: Unicode.Scalar, to output: inout String.UnicodeScalarView) {
        let value = scalar.value
        if value < 0x80 {
            if value != apostrophe { output.append(scalar) }
        } else if HangulLetter.isSyllable(scalar) {
            output.append(contentsOf: String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
        } else if 0x30A1...0x30F6 ~= value || 0x30FD...0x30FE ~= value {
            Unicode.Scalar(value - 0x60).map { output.append($0) }
        } else if let usual = variants[scalar] {
            output.append(contentsOf: usual.unicodeScalars)
        } else if let digit = digit(of: scalar) {
            output.append(Unicode.Scalar(0x30 + digit))
        } else if !scalar.properties.isDefaultIgnorableCodePoint {
            output.append(scalar)
        }
    }

    private static let apostrophe: UInt8 = 0x27

    /// The value of a decimal digit of any script; nil for other characters.
    static func digit(of scalar: Unicode.Scalar) -> UInt8? {
        if scalar.value < 0x80 { return 0x30...0x39 ~= scalar.value ? UInt8(scalar.value - 0x30) : nil }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return UInt8(value)
    }

    /// Letters that keyboards of different countries write for one another, and signs.
    private static let variants: [Unicode.Scalar: String] = [
        "ی": "ي", "ى": "ي", "ے": "ي", "ک": "ك", "ة": "ه", "ہ": "ه", "ھ": "ه", "ٱ": "ا", "ـ": "",
        "’": "", "‘": "", "ʼ": "", "ʻ": "", "`": "", "´": "", "′": "", "׳": "", "ʿ": "", "ʾ": "",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "ς": "σ",
    ]
}
