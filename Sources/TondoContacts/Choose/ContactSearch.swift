private import Foundation

/// Finds contacts by words: each must occur in a name, the organisation, an e-mail address or a phone number, whatever
/// the letter case and accents. A query of digits is looked for in phone numbers however they are spelled.
package struct ContactSearch: Sendable {
    private let words: [String]
    /// Nil when the query is no part of a phone number.
    private let number: String?

    /// An empty query finds everybody.
    package init(_ query: String) {
        words = Self.folded(query).split(whereSeparator: \.isWhitespace).map(String.init)
        number = Self.number(in: query)
    }

    package func finds(_ contact: Contact) -> Bool {
        if words.isEmpty { return true }
        if let number, contact.phones.contains(where: { Self.has(number, in: $0.value) }) { return true }
        let name = contact.name
        let texts =
            [name.formatted, name.given, name.family, name.additional, name.prefix, name.suffix]
            + name.nicknames + contact.organisation + contact.emails.map(\.value) + contact.phones.map(\.value)
        // Between texts stands what no word has.
        let field = Self.folded(texts.joined(separator: "\n"))
        return words.allSatisfy { field.contains($0) }
    }

    /// Without letter case, accents and width; letters with a stroke become those without.
    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        let folded = text.folding(options: options, locale: nil)
        return folded.unicodeScalars.reduce(into: "") { output, scalar in
            if let plain = stroked[scalar] { output += plain } else { output.unicodeScalars.append(scalar) }
        }
    }

    /// Letters that do not decompose (Unicode 5.18).
    private static let stroked: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h",
    ]

    private static func number(in query: String) -> String? {
        guard query.allSatisfy({ $0.isWhitespace || "0123456789+-().\u{A0}".contains($0) }) else { return nil }
        let digits = PhoneMask.digits(of: query)
        return digits.isEmpty ? nil : digits
    }

    /// Russian numbers begin with 8 at home and with 7 everywhere else.
    private static func has(_ number: String, in phone: String) -> Bool {
        let digits = PhoneMask.digits(of: phone)
        if digits.contains(number) { return true }
        guard let mobile = PhoneMask.russianMobile(phone) else { return false }
        return mobile.contains(number) || number.first == "8" && mobile.hasPrefix("7" + number.dropFirst())
    }
}
