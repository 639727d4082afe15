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
        ways = addresses.map { TextHash.of(UInt8(ascii: "@"), $0.utf8) } + numbers.map(\.hash)
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
        var buffer: [UInt8] = []
        var sum: UInt64 = 0
        for part in [name.given, name.family] {
            var isEmpty = true
            for word in words(of: part) {
                guard let hash = ComparedName.hash(word, by: &buffer) else { continue }
                sum &+= hash
                isEmpty = false
            }
            if isEmpty { return nil }
        }
        return sum
    }

    /// Most names are one word, which needs no copy.
    private static func words(of name: String) -> [String] {
        if name.utf8.allSatisfy({ 0x20 < $0 && $0 < 0x80 }) { return [name] }
        return name.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}

/// A phone number as it is compared between books: with or without the code of its country, and however it is written.
struct ComparedNumber {
    /// The code of the country is among its digits.
    private let isInternational: Bool
    private let digits: ArraySlice<UInt8>

    /// Shorter numbers are those of services and switchboards, which many people have.
    private static let leastDigits = 7

    /// Nil for what is no number, or a short one. The extension does not count: people share numbers, and not names.
    init?(_ phone: String) {
        guard let number = Self.plain(phone) ?? DialledNumber(phone).map({ Array($0.digits.utf8) }) else { return nil }
        let international = CountryCode.digits(of: number[...])
        isInternational = international != nil
        let digits = international ?? number.drop { $0 == UInt8(ascii: "0") }
        // Russia dials 8 before the numbers of the country.
        let isRussian = !isInternational && digits.count == 11 && digits.starts(with: "89".utf8)
        self.digits = isRussian ? digits.dropFirst() : digits
        guard self.digits.count >= Self.leastDigits else { return nil }
    }

    /// The digits of a number in the usual notation, which most are; nil: `DialledNumber`, which takes longer, decides.
    private static func plain(_ phone: String) -> [UInt8]? {
        var digits: [UInt8] = []
        digits.reserveCapacity(phone.utf8.count)
        for byte in phone.utf8 {
            switch byte {
            case 0x30...0x39: digits.append(byte)
            case UInt8(ascii: "+") where digits.isEmpty: digits.append(byte)
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"): break
            // Behind a plus sign they may hold a zero that does not count.
            case UInt8(ascii: "("), UInt8(ascii: ")"): if digits.first == UInt8(ascii: "+") { return nil }
            default: return nil
            }
        }
        return digits
    }

    var text: String { (isInternational ? "+" : "") + String(decoding: digits, as: UTF8.self) }

    var hash: UInt64 { TextHash.of(UInt8(ascii: isInternational ? "+" : "#"), digits) }

    /// Codes of countries have three digits at most. None is cut off, too: some programs leave out the plus sign.
    var nationalForms: [UInt64] {
        guard isInternational else { return [] }
        return (0...3).compactMap { count in
            // The zero that only calls inside of some countries need (and Italy's numbers have).
            let rest = digits.dropFirst(count).drop { $0 == UInt8(ascii: "0") }
            return rest.count >= Self.leastDigits ? TextHash.of(UInt8(ascii: "#"), rest) : nil
        }
    }
}

/// A mail address as it is compared between books.
enum MailWay {
    /// Nil for what is no address.
    static func text(_ address: String) -> String? {
        if isPlain(address) { return address.lowercased() }
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

    /// Letters, digits and signs with an address's own meaning around one `@`, as in most addresses.
    private static func isPlain(_ address: String) -> Bool {
        var (count, last) = (0, UInt8(ascii: "@"))
        for byte in address.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "+"):
                break
            case UInt8(ascii: "@") where last != byte: count += 1
            default: return false
            }
            last = byte
        }
        return count == 1 && last != UInt8(ascii: "@")
    }
}
