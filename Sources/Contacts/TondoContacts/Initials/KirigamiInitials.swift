private import Foundation

/// The letters of KDE's Kirigami (`nameutils.cpp`), which takes UTF-16 units of the name in NFD: so accents are lost, and
/// of a hangul syllable its first consonant stays. Without a `#` or `@` in front: the first unit of a name with a Han
/// character or hangul; of others, up to the first `(`, the first units of the first and the last word.
package enum KirigamiInitials {
    /// Empty for a name of blanks, or if nothing stands before the first `(`.
    package static func letters(of name: String) -> String {
        if blankless(ArraySlice(name.utf16)).isEmpty { return "" }
        var text = Array(name.decomposedStringWithCanonicalMapping.utf16)
        if text.first == UInt16(ascii: "#") || text.first == UInt16(ascii: "@") { text.removeFirst() }
        if text.contains(where: { isHan($0) || isHangul($0) }) { return letter(text[...]) }
        let head = blankless(text[...]).prefix { $0 != UInt16(ascii: "(") }
        let words = head.split(separator: UInt16(ascii: " "), omittingEmptySubsequences: false)
        guard let first = words.first, let last = words.last, words.count > 1 else { return letter(head).uppercased() }
        return (letter(first) + letter(last)).uppercased()
    }

    /// The first unit, or the whole code point whose half it is: half of one is no text.
    private static func letter(_ word: ArraySlice<UInt16>) -> String {
        guard let first = word.first else { return "" }
        return String(decoding: word.prefix(UTF16.isLeadSurrogate(first) ? 2 : 1), as: UTF16.self)
    }

    private static func blankless(_ text: ArraySlice<UInt16>) -> ArraySlice<UInt16> {
        func isBlank(_ unit: UInt16) -> Bool { Unicode.Scalar(unit)?.properties.isWhitespace ?? false }
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return text[first...last]
    }

    /// Script Han of Unicode in the first plane (UAX #24).
    private static func isHan(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x2E80...0x2FD5, 0x3005, 0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAD9:
            true
        default: false
        }
    }

    /// Script Hangul of Unicode (UAX #24).
    private static func isHangul(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x1100...0x11FF, 0x302E...0x302F, 0x3131...0x318E, 0x3200...0x321E, 0x3260...0x327E, 0xA960...0xA97C,
            0xAC00...0xD7A3, 0xD7B0...0xD7FB, 0xFFA0...0xFFDC:
            true
        default: false
        }
    }
}

extension UInt16 {
    fileprivate init(ascii scalar: Unicode.Scalar) { self = UInt16(truncatingIfNeeded: scalar.value) }
}
