/// A phone number as a telephone dials it (RFC 3966): its digits, and those of the extension behind it.
struct DialledNumber: Equatable {
    /// With a plus sign before those that begin with the code of a country.
    let digits: String
    /// What is dialled once the other side has answered.
    let extensionDigits: String?

    /// Nil if the text is no number.
    init?(_ phone: String) {
        var text = phone.trimmed
        if text.lowercased().hasPrefix("tel:") { text = String(text.dropFirst(4)) }
        let (number, rest) = Self.parts(of: text)
        guard let digits = Self.digits(of: number) else { return nil }
        self.digits = digits
        guard let rest else {
            extensionDigits = nil
            return
        }
        guard let found = Self.extensionDigits(of: rest) else { return nil }
        extensionDigits = found.filled
    }

    /// For a link: RFC 3966 has extensions, and no pauses.
    var uri: String { "tel:" + digits + (extensionDigits.map { ";ext=\($0)" } ?? "") }

    /// Words before an extension in the languages of address books; the longer ones first.
    private static let words = [
        "extension", "durchwahl", "nebenstelle", "anschluss", "interno", "toestel", "anexo", "ramal", "klapka", "poste",
        "extn", "ext", "dw", "int", "вн", "доб", "内線", "分机", "转",
    ]

    /// The number and what follows it: an extension's word or sign, or the pause of a telephone (`p`, `w`, a comma or a
    /// semicolon).
    private static func parts(of text: String) -> (number: Substring, rest: Substring?) {
        let lower = text.lowercased()
        // Else an offset in one text is none in the other.
        guard lower.count == text.count else { return (text[...], nil) }
        for word in words {
            guard let found = lower.firstRange(of: word), lower[..<found.lowerBound].contains(where: \.isNumber) else {
                continue
            }
            return split(text, at: lower.distance(from: lower.startIndex, to: found.lowerBound), sign: word.count)
        }
        // `x` and the pauses stand between digits alone; `#` also ends a code such as `*100#`.
        guard let sign = lower.firstIndex(where: { "xpw#,;".contains($0) }),
            lower[..<sign].contains(where: \.isNumber), lower[sign...].contains(where: \.isNumber)
        else { return (text[...], nil) }
        return split(text, at: lower.distance(from: lower.startIndex, to: sign), sign: 1)
    }

    private static func split(_ text: String, at offset: Int, sign: Int) -> (Substring, Substring?) {
        (text.prefix(offset), text.dropFirst(offset + sign))
    }

    private static func digits(of number: Substring) -> String? {
        // A separator before the extension may be left.
        var text = String(number).trimmed
        while let last = text.last, ";,(-/.".contains(last) || last.isWhitespace { text.removeLast() }
        if text.contains(where: \.isLetter) {
            guard let keys = keyed(text) else { return nil }
            text = keys
        }
        guard text.unicodeScalars.allSatisfy({ PhoneMask.isPart($0) || $0 == "+" }), !text.dropFirst().contains("+")
        else { return nil }
        // The zero of calls inside of the country: `+49 (0) 30`.
        if text.first == "+" { text = text.replacing("(0)", with: "", maxReplacements: 1) }
        let digits = PhoneMask.digits(of: text)
        guard 2...20 ~= digits.utf8.count else { return nil }
        return text.first == "+" ? "+" + digits : digits
    }

    /// Empty if the word has no digits behind it; nil if there is more than an extension.
    private static func extensionDigits(of rest: Substring) -> String? {
        let text = rest.drop { ".:=,;)# -pPwW".contains($0) || $0.isWhitespace }
        var plain = text
        while let last = plain.last, ")# ".contains(last) { plain.removeLast() }
        guard plain.unicodeScalars.allSatisfy(PhoneMask.isPart) else { return nil }
        let digits = PhoneMask.digits(of: plain)
        return digits.utf8.count <= 15 ? digits : nil
    }

    /// `1-800-FLOWERS`: the digits of a telephone's keys (ITU-T E.161) for capital letters behind at least three digits.
    private static func keyed(_ text: String) -> String? {
        let keys = Array("22233344455566677778889999")
        guard let first = text.firstIndex(where: \.isLetter), text[..<first].filter(\.isNumber).count >= 3,
            text.filter(\.isLetter).count >= 3
        else { return nil }
        var digits = ""
        for character in text {
            guard character.isLetter else {
                digits.append(character)
                continue
            }
            guard let ascii = character.asciiValue, 0x41...0x5A ~= ascii else { return nil }
            digits.append(keys[Int(ascii - 0x41)])
        }
        return digits
    }
}
