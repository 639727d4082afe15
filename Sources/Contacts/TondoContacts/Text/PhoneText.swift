internal import TondoText

/// The numbers in a field of phones, as people and programs write them.
enum PhoneText {
    /// Several may stand on lines of their own, or behind semicolons, slashes, commas with a blank, and words such as `or`. A single
    /// one may have signs of these, for a pause or behind the code of its area. None for signs alone, and for words that say that
    /// there is none.
    static func several(in text: String) -> [String] {
        // Most have nothing that separates, or could be left out.
        if plain.holds(text), text.utf8.contains(where: { 0x30...0x39 ~= $0 }) { return [text] }
        let text = visible(text)
        if text.isPlaceholder { return [] }
        guard text.utf8.count > 12, !ASCII.has("tel:", in: text) else { return [plain(text)].filter { !$0.isEmpty } }
        for separators in ["\n\r\r\n", "|、，；&", ";/"] {
            let parts = text.split { separators.contains($0) }.map { String($0).trimmed }.filter { !$0.isEmpty }
            if areSeveral(parts) { return parts }
        }
        // A comma alone is a pause.
        for separator in [", "] + words {
            let parts = text.separated(by: separator)
            if areSeveral(parts) { return parts }
        }
        return [plain(text)].filter { !$0.isEmpty }
    }

    private static let plain = ASCIISet("0123456789 +-().")

    /// Between two numbers.
    private static let words = [
        " or ", " and ", " oder ", " und ", " ou ", " et ", " o ", " y ", " e ", " или ", " и ",
    ]

    /// Whole numbers, or as many digits in each: what is dialled behind a number has fewer.
    private static func areSeveral(_ parts: [String]) -> Bool {
        guard parts.count > 1 else { return false }
        if parts.allSatisfy(isWhole) { return true }
        let counts = parts.map { $0.utf8.count { 0x30...0x39 ~= $0 } }
        // A first one with a code of its country or area would leave the others without.
        let isCode = parts.contains { $0.first.map { "+0(".contains($0) } == true }
        guard !isCode, parts.allSatisfy(plain.holds), let least = counts.min(), let most = counts.max() else {
            return false
        }
        return least >= 6 && most - least <= 2
    }

    /// A number that needs no other one before it.
    private static func isWhole(_ number: String) -> Bool {
        number.first.map { "+0(".contains($0) } == true && number.utf8.count { 0x30...0x39 ~= $0 } >= 6
    }

    /// `tel:+1-418-656-9254;ext=102` (RFC 3966), and a plus sign that is escaped as in URLs, in the usual notation.
    private static func plain(_ value: String) -> String {
        if ASCII.has("%2b", in: value) { return PercentEncoding.decode(folded: value) }
        guard ASCII.has("tel:", in: value) else { return value }
        let parts = value.dropFirst(4).split(separator: ";")
        guard let number = parts.first else { return "" }
        let dialled = PercentEncoding.decode(folded: String(number))
        let ext = parts.dropFirst().first { $0.lowercased().hasPrefix("ext=") }
        return ext.map { "\(dialled) ext. \($0.dropFirst(4))" } ?? dialled
    }

    /// Without backslashes of escapes, and without what has no width, as it is copied from windows and documents.
    private static func visible(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x5C }) { return text }
        let scalars = text.unicodeScalars.filter {
            !$0.properties.isDefaultIgnorableCodePoint && $0 != "\u{FFFC}" && $0 != "\\"
        }
        return String(String.UnicodeScalarView(scalars)).trimmed
    }
}
