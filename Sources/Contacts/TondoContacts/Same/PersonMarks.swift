/// What decides whether two contacts with the same displayed name are one person.
package struct PersonMarks: Sendable {
    /// Hashes of its mail addresses and phone numbers.
    let ways: [UInt64]
    /// What its international numbers may be within a country: hashes as in `ways`.
    let nationalForms: [UInt64]
    /// Nil: unknown.
    let dayOfBirth: UInt64?
    /// Nil: unknown.
    let yearOfBirth: UInt64?
    /// A hash of the given and the family name; nil if one of them is missing.
    let fullName: UInt64?
    let id: String

    /// `id`: as the book has it, so that copies of a card in several books have the same one.
    package init(_ contact: Contact, id: String) {
        let numbers = contact.phones.compactMap { ComparedNumber($0.value) }
        let addresses = contact.emails.compactMap { MailWay.text($0.value) }
        ways = addresses.map { TextHash.of(UInt8(ascii: "@"), $0) } + numbers.map(\.hash)
        nationalForms = numbers.flatMap(\.nationalForms)
        let birthday = contact.birthday.flatMap(Self.birthday)
        dayOfBirth = birthday?.day
        yearOfBirth = birthday?.year
        fullName = Self.fullName(contact.name)
        self.id = id
    }

    /// As texts, for a program that looks for the person later, also in another run.
    package static func ways(of contact: Contact) -> [String] {
        contact.emails.compactMap { MailWay.text($0.value) }
            + contact.phones.compactMap { ComparedNumber($0.value)?.text }
    }

    /// `1996-04-15`, `--04-15`, `1996-04` and `1996`; no other text is compared.
    private static func birthday(_ text: String) -> (day: UInt64?, year: UInt64?)? {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }) else { return nil }
        let year = text.hasPrefix("--") ? "" : text.prefix(4)
        let day = text.dropFirst(text.hasPrefix("--") ? 2 : 5)
        return (
            day: day.utf8.count == 5 ? TextHash.of(day.utf8) : nil,
            year: year.utf8.count == 4 ? TextHash.of(year.utf8) : nil
        )
    }

    /// Programs disagree about which word is which, so their order does not count.
    private static func fullName(_ name: ContactName) -> UInt64? {
        let parts = [name.given, name.family].map { part in
            part.split(whereSeparator: \.isWhitespace).map { ComparedName.folded(String($0)) }.filter { !$0.isEmpty }
        }
        if parts.contains(where: \.isEmpty) { return nil }
        return TextHash.of(parts.joined().sorted().joined(separator: " ").utf8)
    }
}

/// A phone number as it is compared between books: with or without the code of its country, and however it is written.
struct ComparedNumber {
    /// The code of the country is among its digits.
    private let isInternational: Bool
    private let digits: Substring

    /// Shorter numbers are those of services and switchboards, which many people have.
    private static let leastDigits = 7

    /// Nil for what is no number, or a short one. The extension does not count: people share numbers, and not names.
    init?(_ phone: String) {
        guard let number = Self.plain(phone) ?? DialledNumber(phone)?.digits else { return nil }
        isInternational = number.hasPrefix("+") || number.hasPrefix("00")
        let digits = number.drop { $0 == "+" || $0 == "0" }
        // Russia dials 8 before the numbers of the country.
        let isRussian = !isInternational && digits.utf8.count == 11 && digits.hasPrefix("89")
        self.digits = isRussian ? digits.dropFirst() : digits
        guard self.digits.utf8.count >= Self.leastDigits else { return nil }
    }

    /// The digits of a number in the usual notation, which most are; nil: `DialledNumber`, which takes longer, decides.
    private static func plain(_ phone: String) -> String? {
        var digits = ""
        for byte in phone.utf8 {
            switch byte {
            case 0x30...0x39: digits.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "+") where digits.isEmpty: digits = "+"
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"): break
            // Behind a plus sign they may hold a zero that does not count.
            case UInt8(ascii: "("), UInt8(ascii: ")"): if digits.first == "+" { return nil }
            default: return nil
            }
        }
        return digits
    }

    var text: String { (isInternational ? "+" : "") + digits }

    var hash: UInt64 { Self.hash(isInternational ? "+" : "", digits) }

    /// Codes of countries have three digits at most. None is cut off, too: some programs leave out the plus sign.
    var nationalForms: [UInt64] {
        guard isInternational else { return [] }
        return (0...3).compactMap { count in
            // The zero that only calls inside of some countries need (and Italy's numbers have).
            let rest = digits.dropFirst(count).drop { $0 == "0" }
            return rest.utf8.count >= Self.leastDigits ? Self.hash("", rest) : nil
        }
    }

    private static func hash(_ plus: String, _ digits: Substring) -> UInt64 {
        TextHash.of(UInt8(ascii: "#"), plus + digits)
    }
}

/// A mail address as it is compared between books.
enum MailWay {
    /// Nil for what is no address.
    static func text(_ address: String) -> String? {
        var text = address[...]
        // "Ada Example <ada@example.org>" (RFC 5322 3.4).
        if let end = text.lastIndex(of: ">"), let start = text[..<end].lastIndex(of: "<") {
            text = text[text.index(after: start)..<end]
        }
        let lower = text.lowercased()
        let scalars = lower.unicodeScalars.filter { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
        var plain = String(String.UnicodeScalarView(scalars))
        if plain.hasPrefix("mailto:") { plain = String(plain.dropFirst(7).prefix { $0 != "?" }) }
        guard let at = plain.lastIndex(of: "@"), at != plain.startIndex, plain.index(after: at) != plain.endIndex else {
            return nil
        }
        return plain
    }
}
