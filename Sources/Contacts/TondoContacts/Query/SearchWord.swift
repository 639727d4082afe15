/// UTF-8 with a zero byte at the end and none before it, which holds no line feed.
typealias SearchNeedle = ContiguousArray<CChar>

/// A word of a query with all that it may mean. Any of the needles is enough.
struct SearchWord: Sendable {
    /// In folded texts.
    let texts: [SearchNeedle]
    /// In words that are written as one, see `SearchFold.joined`. A short word would be found too often.
    let joined: [SearchNeedle]
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
        let account = Self.account(in: String(word))
        let umlauts = SearchSounds.umlauts(in: String(word))
        let forms = [text, account, umlauts, Self.syllables(in: text), Self.spaced(of: word)]
        texts = forms.compactMap { $0?.utf8CString }
        sounds = Self.sounds(of: text).map(\.utf8CString)
        digits = SearchDigits.digits(inWord: account ?? text)
        numbers = digits.map { SearchDigits.needles($0) } ?? []
        joined = digits == nil && text.utf8.count > 3 ? [(SearchFold.joint + text + SearchFold.joint).utf8CString] : []
    }

    /// What a link or a name with a sign before it leads to, as people copy them: `https://t.me/ada`, `@ada`, `tel:+1-555-0100`.
    private static func account(in word: String) -> String? {
        let address = MessengerAddress(word)
        let isURL = word.contains(":") && schemes.contains(" \(word.prefix { $0 != ":" }.lowercased()) ")
        let isAccount = address.messenger != nil || word.first == "@" || isURL
        return isAccount ? SearchFold.folded(address.handle).filled : nil
    }

    /// Other words before a colon are text.
    private static let schemes =
        " acct aim callto facetime facetime-audio icq im irc jabber mailto matrix sip sips skype sms smsto smtp tel x-apple xmpp "

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

    /// The digits of a number, each form of it between two `mark`s: also without its extension, and with letters as the keys of a
    /// telephone. Russian numbers begin with 8 in Russia and with 7 abroad.
    static func text(of number: String) -> String {
        if let mobile = PhoneMask.russianMobile(number) {
            return "\(mark)\(mobile)\(mark)8\(mobile.dropFirst())\(mark)"
        }
        let digits = PhoneMask.digits(of: number)
        if digits.isEmpty { return "" }
        let dialled = isPlain(number) ? digits : DialledNumber(number)?.digits.filter { $0 != "+" } ?? digits
        let sign = number.first { !$0.isWhitespace } == "+" ? "+" : ""
        let forms = [digits, dialled, CountryCode.digits(of: sign + dialled)].compactMap { $0 }
        return forms.indices.filter { !forms[..<$0].contains(forms[$0]) }.reduce("\(mark)") {
            $0 + "\(forms[$1])\(mark)"
        }
    }

    /// Whether digits and punctuation of ASCII are all of a number.
    static func isPlain(_ number: String) -> Bool {
        number.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x28...0x29 ~= $0 || 0x2D...0x2F ~= $0 || $0 == 0x20 || $0 == 0x2B
        }
    }

    /// `word`: folded. Nil if it has other characters than numbers have.
    static func digits(inWord word: String) -> String? {
        guard word.unicodeScalars.allSatisfy({ $0 == "+" || PhoneMask.isPart($0) }) else { return nil }
        let digits = PhoneMask.digits(of: word)
        return digits.isEmpty ? nil : (word.hasPrefix("+") ? "+" : "") + digits
    }

    /// `digits`: with plus signs where words began with one. Zeros before a number may be a way to dial it; a country's code
    /// stands for the zero of a national number, or for nothing, as in America.
    static func needles(_ digits: String) -> [SearchNeedle] {
        let number = digits.filter { $0 != "+" }
        var needles = [number]
        let rest = number.drop { $0 == "0" }
        if rest.count < number.count, rest.count >= 3 { needles.append(String(rest)) }
        if let digits = CountryCode.digits(of: (digits.hasPrefix("+") ? "+" : "") + number), digits.utf8.count >= 8 {
            let national = digits.dropFirst(CountryCode.length(of: digits.utf8))
            needles += [digits, "\(mark)0\(national)"]
            if national.utf8.count >= leastDigits { needles.append("\(mark)\(national)\(mark)") }
        }
        return needles.map(\.utf8CString)
    }
}
