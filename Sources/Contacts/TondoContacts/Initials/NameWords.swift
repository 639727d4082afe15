/// The words of a name as people write it from which its initials may come, each with a letter.
struct NameWords {
    private(set) var words: [Substring]
    /// The words were separated by middle dots, as foreign names in Han characters and kana are: they are in the foreign
    /// order.
    private(set) var isTranscribed = false

    /// `isOrganisation`: a company's name; legal forms are left out.
    init(_ name: String, isOrganisation: Bool = false) {
        let text = SearchFold.plain(of: Self.bounded(name))
        if let words = Self.words(ofAddress: text) {
            self.words = words
            return
        }
        words = Self.split(
            Self.ordered(Self.unbracketed(text), isOrganisation: isOrganisation), isPerson: !isOrganisation)
        // Mail programs write "Ada Okafor ada@example.org", also as a name, and people add a page.
        let names = words.filter { !Self.isAddress($0) }
        if !names.isEmpty { words = names }
        if isOrganisation {
            trim(count: words.prefix(while: NameParts.beginsCompany).count, isBack: NameParts.isLegalForm)
        } else {
            if words.count > 3, NameParts.isSpacedDegree(words.suffix(2)) { words.removeLast(2) }
            trim(count: NameParts.countOfTitles(in: words), isBack: NameParts.isSuffix)
            trimParticles()
        }
        if let first = words.first { words[0] = NameParts.withoutAttachedTitle(first) }
        if !isOrganisation, words.count == 1 { splitAccount() }
        if !isOrganisation, let first = words.first?.first, first.isHanOrKana { splitTranscribed() }
    }

    private static let remarkSigns: Set = [
        "-", "--", "–", "—", "|", "｜", "/", "／", "@", "•", "·", ":", "~", "c/o", "c/-", "℅",
    ]

    private static func isAddress(_ word: Substring) -> Bool {
        word.utf8.dropFirst().dropLast().contains(UInt8(ascii: "@")) || word.utf8.starts(with: "www.".utf8)
            || word.utf8.contains(UInt8(ascii: ":")) && word.contains("://")
    }

    /// Leaves titles in front and what follows a name out, unless there is nothing else.
    private mutating func trim(count: Int, isBack: (Substring) -> Bool) {
        var rest = words.dropFirst(count)
        while let last = rest.last, isBack(last) { rest.removeLast() }
        if !rest.isEmpty { words = Array(rest) }
    }

    /// "von" in "von Arnim" is no name, and neither is "ben" in "ben affleck" a particle: it is one among capitals only.
    private mutating func trimParticles() {
        guard let first = words.first, let last = words.last,
            NameParts.isParticle(first) || NameParts.isParticle(last),
            words.contains(where: { $0.first?.isUppercase == true })
        else { return }
        trim(count: words.prefix(while: NameParts.isParticle).count, isBack: NameParts.isParticle)
    }

    /// The only word is the name of an account: "ada.okafor", "ada_okafor".
    private mutating func splitAccount() {
        let parts = words[0].split { $0 == "." || $0 == "_" }.filter { InitialLetter.first(of: $0) != nil }
        if parts.count > 1, !Self.isAddress(words[0]) { words = parts }
    }

    private mutating func splitTranscribed() {
        let parts = words.flatMap { $0.split { $0 == "·" || $0 == "・" || $0 == "‧" || $0 == "•" } }
        isTranscribed = parts.count > words.count
        words = parts
    }

    /// A hostile name may have megabytes.
    private static func bounded(_ name: String) -> String {
        name.utf8.count <= longest ? name : String(name.unicodeScalars.prefix(longest / 4))
    }

    /// Bytes.
    static let longest = 1_024

    /// `isPerson`: a sign that stands alone behind two words begins a remark: "Ada Okafor | Acme".
    private static func split(_ text: String, isPerson: Bool = false) -> [Substring] {
        var words =
            text.utf8.contains { $0 >= 0x7F }
            ? text.unicodeScalars.split { $0.value <= 0x20 || $0.value > 0x7E && $0.properties.isWhitespace }
                .map { Substring($0) }
            // Most names are ASCII, where neither clusters nor properties of characters have to be looked up.
            : text.utf8.split { $0 <= 0x20 }.map { Substring($0) }
        if isPerson, let sign = words.dropFirst(2).firstIndex(where: { remarkSigns.contains($0.lowercased()) }) {
            words = Array(words[..<sign])
        }
        return words.filter { InitialLetter.first(of: $0) != nil }
    }

    /// The words of the part before the `@` of a mail address; nil: it is none.
    static func words(ofAddress text: String) -> [Substring]? {
        guard let at = text.utf8.firstIndex(of: UInt8(ascii: "@")), at > text.startIndex,
            !text.contains(where: \.isWhitespace)
        else { return nil }
        // What follows a plus sign is a tag (RFC 5233).
        let local = text[..<at].prefix { $0 != "+" }
        return local.split { "._-".contains($0) }.filter { InitialLetter.first(of: $0) != nil }
    }

    /// "Okafor, Ada" in its spoken order, and without "PhD" or "Jr." behind a comma.
    private static func ordered(_ text: String, isOrganisation: Bool) -> String {
        // U+FF0C, the other comma, begins with the byte EF.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == 0xEF }) else { return text }
        let parts = text.unicodeScalars.split { $0 == "," || $0 == "，" }.map { String($0) }
        guard parts.count > 1 else { return text }
        let family = split(parts[0])
        if isOrganisation || family.last.map(NameParts.isLegalForm) == true { return parts[0] }
        // The order of these names is that of lists.
        if let first = family.first?.first, first.isHanOrKana || first.isHangul { return parts.joined(separator: " ") }
        let rest = parts.dropFirst().filter { part in
            let words = split(part)
            let isDegree = family.count > 1 && NameParts.isSpacedDegree(words[...])
            return !words.isEmpty && !isDegree && !words.allSatisfy { NameParts.isSuffix($0) || NameParts.isDegree($0) }
        }
        return (rest + [parts[0]]).joined(separator: " ")
    }

    /// Without nicknames and remarks in brackets and quotation marks, unless there is nothing else.
    private static func unbracketed(_ text: String) -> String {
        guard text.utf8.contains(where: mayOpen) else { return text }
        var (outside, pending, closer) = ("", "", Character?.none)
        var before = Character(" ")
        for character in text {
            if let end = closer {
                pending.append(character)
                if character == end {
                    pending = ""
                    closer = nil
                }
            } else if let end = closers[character], before.isWhitespace {
                pending = String(character)
                closer = end
            } else {
                outside.append(character)
            }
            before = character
        }
        // An opening bracket without a closing one.
        outside += pending.dropFirst()
        let words = split(outside)
        return words.count > NameParts.countOfTitles(in: words) ? outside : text
    }

    /// Bytes of opening brackets, or those with which others begin.
    private static func mayOpen(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x27, 0x28, 0x3C, 0x5B, 0x7B, 0xC2, 0xE2, 0xE3, 0xEF: true
        default: false
        }
    }

    private static let closers: [Character: Character] = [
        "(": ")", "[": "]", "{": "}", "<": ">", "（": "）", "［": "］", "【": "】", "「": "」", "『": "』", "〈": "〉", "《": "》",
        "\"": "\"", "“": "”", "„": "“", "«": "»", "»": "«", "'": "'", "‘": "’",
    ]
}

extension Character {
    /// A letter of Han or kana.
    var isHanOrKana: Bool {
        guard let value = unicodeScalars.first?.value else { return false }
        return (0x3005...0x3007).contains(value) || (0x3041...0x30FF).contains(value)
            || (0x31F0...0x31FF).contains(value) || (0x3400...0x9FFF).contains(value)
            || (0xF900...0xFAFF).contains(value) || (0xFF66...0xFF9D).contains(value)
            || (0x20000...0x323AF).contains(value)
    }

    /// A syllable of hangul, composed or not.
    var isHangul: Bool {
        guard let value = unicodeScalars.first?.value else { return false }
        return (0xAC00...0xD7A3).contains(value) || (0x1100...0x11FF).contains(value)
    }
}
