/// UTF-8 with a zero byte at the end and none before it, which holds no line feed.
typealias SearchNeedle = ContiguousArray<CChar>

/// A word of a query with all that it may mean. Any of the needles is enough.
struct SearchWord: Sendable {
    /// In folded texts.
    let texts: [SearchNeedle]
    /// In the Latin sounds of texts.
    let sounds: [SearchNeedle]
    /// In numbers.
    let numbers: [SearchNeedle]
    /// Digits of ASCII, with a plus sign before it if the word has one; nil for a word that is no part of a number.
    let digits: String?

    /// `word`: without blanks. Nil if it has no characters that count.
    init?(_ word: Substring) {
        let text = SearchFold.folded(String(word))
        guard !text.isEmpty else { return nil }
        let forms = [text, SearchSounds.umlauts(in: String(word)), Self.syllables(in: text), Self.spaced(of: word)]
        texts = forms.compactMap { $0?.utf8CString }
        sounds = Self.sounds(of: text).map(\.utf8CString)
        digits = SearchDigits.digits(inWord: text)
        numbers = digits.map { SearchDigits.needles($0) } ?? []
    }

    /// Only Latin letters and the first consonants of hangul are sounds.
    private static func sounds(of text: String) -> [String] {
        guard let first = text.unicodeScalars.first else { return [] }
        if 0x3131...0x314E ~= first.value { return [text] }
        return text.utf8.allSatisfy { $0 < 0x80 } ? CyrillicSounds.spellings(of: text) : []
    }

    /// With blanks where the word has dashes, since writers differ in that, too; nil without.
    private static func spaced(of word: Substring) -> String? {
        let parts = word.split { $0.unicodeScalars.contains(where: \.properties.isDash) }
        return parts.count > 1 ? parts.map { SearchFold.folded(String($0)) }.joined(separator: " ") : nil
    }

    /// Consonants behind a syllable as the beginnings of the next ones, as hangul is typed; nil for texts without.
    private static func syllables(in text: String) -> String? {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { 0x1100...0x11FF ~= $0.value }),
            scalars.contains(where: { HangulSounds.beginning(of: $0) != nil })
        else { return nil }
        var output = String.UnicodeScalarView()
        for scalar in scalars { output.append(HangulSounds.beginning(of: scalar) ?? scalar) }
        return String(output)
    }
}

/// Numbers as searches compare them: digits alone.
enum SearchDigits {
    /// Around each number of a row, so that a needle can ask for a number's beginning, or for a whole number.
    static let mark: Unicode.Scalar = "\u{1}"
    /// Digits of the shortest national number that an international one is compared with as a whole.
    private static let leastDigits = 7

    /// The digits of a number, each form of it between two `mark`s. Russian numbers begin with 8 in Russia and with 7 abroad.
    static func text(of number: String) -> String {
        if let mobile = PhoneMask.russianMobile(number) {
            return "\(mark)\(mobile)\(mark)8\(mobile.dropFirst())\(mark)"
        }
        let digits = digits(in: number)
        return digits.isEmpty ? "" : "\(mark)\(digits)\(mark)"
    }

    /// Whether digits and punctuation of ASCII are all of a number.
    static func isPlain(_ number: String) -> Bool {
        number.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x28...0x29 ~= $0 || 0x2D...0x2F ~= $0 || $0 == 0x20 || $0 == 0x2B
        }
    }

    /// The decimal digits of any script, as those of ASCII.
    static func digits(in text: String) -> String {
        var digits = ""
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: text.utf8.filter { 0x30...0x39 ~= $0 }, as: UTF8.self)
        }
        for scalar in text.unicodeScalars {
            if let digit = SearchFold.digit(of: scalar) { digits.unicodeScalars.append(Unicode.Scalar(0x30 + digit)) }
        }
        return digits
    }

    /// `word`: folded. Nil if it has other characters than numbers have.
    static func digits(inWord word: String) -> String? {
        guard word.unicodeScalars.allSatisfy({ $0 == "+" || PhoneMask.isPart($0) }) else { return nil }
        let digits = digits(in: word)
        return digits.isEmpty ? nil : (word.hasPrefix("+") ? "+" : "") + digits
    }

    /// `digits`: with plus signs where words began with one. Zeros before a number may be a way to dial it; a country's code
    /// stands for the zero of a national number, or for nothing, as in America.
    static func needles(_ digits: String) -> [SearchNeedle] {
        let number = digits.filter { $0 != "+" }
        var needles = [number]
        let rest = number.drop { $0 == "0" }
        if rest.count < number.count, rest.count >= 3 { needles.append(String(rest)) }
        if digits.hasPrefix("+") || digits.hasPrefix("00"), rest.count >= 8 {
            let national = rest.dropFirst(codeLength(of: rest))
            needles.append("\(mark)0\(national)")
            if national.count >= leastDigits { needles.append("\(mark)\(national)\(mark)") }
        }
        return needles.map(\.utf8CString)
    }

    /// Digits of the code of a country at the beginning of a number (ITU-T E.164).
    private static func codeLength(of number: Substring) -> Int {
        if number.first == "1" || number.first == "7" { return 1 }
        return longCodes.contains(number.prefix(2)) ? 3 : 2
    }

    /// The first two digits of codes with three.
    private static let longCodes = Set(
        "21 22 23 24 25 26 28 29 35 37 38 42 50 59 67 68 69 80 83 85 87 88 89 96 97 99".split(separator: " "))
}
