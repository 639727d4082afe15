/// How the languages of one 8-bit character set use its letters. It measures how well a text fits: its bytes beyond ASCII become
/// letters of these languages, beside letters that they can stand beside.
///
/// A letter counts 3 if it is frequent in names of the language, 1 if the language has it, and -1 otherwise. What no word has,
/// such as a sign between two letters or a capital behind a small letter, counts more.
struct CharsetModel: Sendable {
    let charset: Charset
    /// By so much it has to fit better than the usual set, which is easily taken for it.
    let margin: Int
    private let kinds: [Kind]
    /// By byte, for each language.
    private let languages: [[Int8]]
    /// The letters are no Latin ones, and stand in no word with those of ASCII.
    private let isForeign: Bool
    /// Each word may be of another language: books of this set mix them.
    private let isMixed: Bool

    private enum Kind: UInt8 {
        /// Blanks, digits and signs of ASCII.
        case other
        case lower, upper
        /// A letter without case, or a mark upon a letter.
        case letter
        /// A letter that only begins words, or only ends them.
        case first, last
        case apostrophe
        /// A quotation mark or a dash beside a word.
        case mark
        case sign, defect

        var isLetter: Bool { self != .other && rawValue < Kind.apostrophe.rawValue }
    }

    /// `languages`: frequent small letters, and others behind a bar; empty for any letters, which are not frequent.
    init?(_ name: String, languages: [String], margin: Int) {
        guard let charset = Charset(name: name) else { return nil }
        let decoder = CharsetDecoder()
        let scalars = (0...UInt8.max).map { byte in
            [byte].withUnsafeBytes {
                String(decoding: decoder.utf8($0, charset: charset), as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
            }
        }
        let kinds = scalars.map(Self.kind)
        self.charset = charset
        self.margin = margin
        self.kinds = kinds
        self.languages = languages.map { letters in
            let parts = letters.split(separator: "|").map { Set($0.unicodeScalars) }
            return zip(scalars, kinds).map { scalar, kind in
                let small = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
                if parts.first?.contains(small) == true { return 3 }
                let isUsual = letters.isEmpty ? kind.isLetter && small != "ÿ" : parts.last?.contains(small) == true
                return isUsual ? 1 : -1
            }
        }
        isForeign = languages.contains { $0.unicodeScalars.first.map { $0.value > 0x24F } ?? false }
        isMixed = languages.contains("")
    }

    private static func kind(_ scalar: Unicode.Scalar) -> Kind {
        switch scalar {
        // And lines and blocks, of which DOS drew frames.
        case "\u{80}"..<"\u{A0}", "\u{FFFD}", "\u{E000}"..."\u{F8FF}", "\u{2500}"..."\u{259F}": return .defect
        case "þ": return .first
        case "ς", "ך", "ם", "ן", "ף", "ץ": return .last
        case "’": return .apostrophe
        case "“", "”", "„", "‚", "‘", "‹", "›", "«", "»", "–", "—", "…", "€", "¿", "¡": return .mark
        case "\u{A0}": return .other
        case "ª", "º", "µ": return .sign
        default: break
        }
        let properties = scalar.properties
        if properties.isLowercase { return .lower }
        if properties.isUppercase { return .upper }
        if properties.isAlphabetic || properties.generalCategory == .nonspacingMark { return .letter }
        return scalar.isASCII ? .other : .sign
    }

    func score(_ text: CharsetSample) -> Int {
        if isMixed {
            return text.words.reduce(0) { sum, word in
                sum + (languages.lazy.map { score(word, of: text, by: $0) }.max() ?? 0)
            }
        }
        return languages.lazy.map { weights in text.words.reduce(0) { $0 + score($1, of: text, by: weights) } }.max()
            ?? 0
    }

    private func score(_ word: Range<Int>, of text: CharsetSample, by weights: [Int8]) -> Int {
        var score = 0
        for place in text.places[word] {
            let (before, after) = (kind(text.bytes, at: place - 1), kind(text.bytes, at: place + 1))
            let isInside = before.isLetter && after.isLetter
            // A letter that stands alone says little: in another set it is a sign, such as that of a copyright.
            let weight = min(Int(weights[Int(text.bytes[place])]), before.isLetter || after.isLetter ? 3 : 1)
            switch kinds[Int(text.bytes[place])] {
            case .defect: score -= 8
            case .sign: score -= isInside ? 4 : before.isLetter || after.isLetter ? 2 : 0
            case .apostrophe: score += !before.isLetter || before == .upper || after == .upper ? 3 : isInside ? 1 : 2
            case .mark: score += isInside ? -4 : before == .sign ? 0 : 3
            case .upper: score += before == .lower ? -4 : weight
            case .lower: score += after == .upper ? -4 : before.isLetter ? weight : weight - 1
            case .first: score += before.isLetter ? -1 : weight
            case .last: score += after.isLetter ? -4 : weight
            case .letter: score += weight
            case .other: break
            }
            score -= cost(text.bytes, at: place)
        }
        return score
    }

    /// For letters of two scripts side by side, and for three Latin letters beyond ASCII in a row, which few words have.
    private func cost(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        guard kinds[Int(bytes[place])].isLetter else { return 0 }
        if isForeign {
            return 4 * [place - 1, place + 1].count { kind(bytes, at: $0).isLetter && bytes[$0] < 0x80 }
        }
        return [place - 1, place - 2].allSatisfy { kind(bytes, at: $0).isLetter && bytes[$0] >= 0x80 } ? 4 : 0
    }

    private func kind(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Kind {
        guard bytes.indices.contains(place) else { return .other }
        // The letter of `\n` belongs to no word.
        if place > 0, bytes[place] < 0x80, bytes[place - 1] == UInt8(ascii: "\\") { return .other }
        return kinds[Int(bytes[place])]
    }
}

/// The bytes beyond ASCII in the beginning of a text.
struct CharsetSample {
    let bytes: UnsafeRawBufferPointer
    private(set) var places: [Int] = []
    /// Runs of the places with letters alone in between.
    private(set) var words: [Range<Int>] = []

    /// More than a card has, and enough for a table.
    private static let most = 1024

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        var isInWord = false
        for place in bytes.indices {
            if bytes[place] < 0x80 {
                isInWord = isInWord && ASCII.isLetter(bytes[place])
                continue
            }
            if places.count == Self.most { break }
            let start = isInWord ? words.removeLast().lowerBound : places.count
            places.append(place)
            words.append(start..<places.count)
            isInWord = true
        }
    }
}
