/// Text measured in the cells of a terminal.
enum DisplayText {
    /// Cells of a line: two for wide characters of East Asian typography (Unicode Standard Annex 11) and for emoji,
    /// none for combining marks.
    static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width($1) } }

    /// `text` in at most `cells` cells, with an ellipsis in place of its middle.
    static func shortened(_ text: String, to cells: Int) -> String {
        guard width(text) > cells else { return text }
        guard cells > 0 else { return "" }
        let head = prefix(text, cells: cells / 2)
        let tail = prefix(text.reversed(), cells: cells - 1 - width(head))
        return head + "…" + String(tail.reversed())
    }

    /// `text` broken at its blanks into lines of at most `cells` cells. A longer word gets a line of its own.
    static func lines(_ text: String, cells: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let last = lines.last, width(last) + 1 + width(word) <= cells {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    private static func prefix(_ characters: some Sequence<Character>, cells: Int) -> String {
        var left = cells
        return String(
            characters.prefix { character in
                left -= width(character)
                return left >= 0
            })
    }

    /// A character of several scalars (a flag, a family, a letter with its accents) takes the cells of one.
    private static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        // U+FE0F selects the emoji form of a character that also has a plain form.
        if scalars.contains("\u{FE0F}") { return 2 }
        return min(scalars.reduce(0) { $0 + width($1) }, 2)
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // Vowels and final consonants of Hangul share the cell of the consonant before them.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Wide and full-width characters by block, a few unassigned ones among them.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
