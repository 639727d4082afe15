private import Foundation

/// Finds contacts by words: each must occur in a name, the organisation, an e-mail address or a phone number, ignoring
/// letter case and accents. A query of digits matches phone numbers in any notation. Unicode scalars are compared, so
/// that a part of an emoji sequence or of a syllable matches, too. `ContactIndex` finds the same in many contacts at
/// once.
package struct ContactSearch: Sendable {
    /// Folded, as UTF-8 with a zero byte at the end; none of them holds a line feed.
    let words: [ContiguousArray<CChar>]
    /// Digits; nil if the query is not a part of a phone number.
    let number: ContiguousArray<CChar>?

    /// An empty query matches all contacts.
    package init(_ query: String) {
        words = Self.folded(query).split(whereSeparator: \.isWhitespace).map { String($0).utf8CString }
        number = Self.number(in: query)?.utf8CString
    }

    /// Whether it matches all contacts.
    package var isEmpty: Bool { words.isEmpty }

    /// Folds the contact's texts at each call: for many queries of many contacts, see `ContactIndex`.
    package func finds(_ contact: Contact) -> Bool {
        if words.isEmpty { return true }
        if let number, TextRows(rows: [Self.numbers(of: contact)]).holds(number) { return true }
        let text = TextRows(rows: [Self.text(of: contact)])
        return words.allSatisfy { text.holds($0) }
    }

    /// The searched text, folded, as UTF-8. A line feed, which no word contains, separates its parts.
    static func text(of contact: Contact) -> [UInt8] {
        let name = contact.name
        let texts =
            [name.formatted, name.given, name.family, name.additional, name.prefix, name.suffix]
            + name.nicknames + contact.organisation + contact.emails.map(\.value) + contact.phones.map(\.value)
        return Array(folded(texts.lazy.filter { !$0.isEmpty }.joined(separator: "\n")).utf8)
    }

    /// The searched numbers: lines of digits. Russian numbers begin with 8 in Russia and with 7 abroad.
    static func numbers(of contact: Contact) -> [UInt8] {
        let lines = contact.phones.flatMap { phone in
            guard let mobile = PhoneMask.russianMobile(phone.value) else { return [PhoneMask.digits(of: phone.value)] }
            return [mobile, "8" + mobile.dropFirst()]
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Without letter case, accents and width, and composed (NFC); letters with a stroke become those without. U+0000
    /// is left out, because it ends C strings.
    static func folded(_ text: String) -> String {
        if text.utf8.contains(0) {
            return folded(String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" })))
        }
        // Most texts need no more, and folding by Foundation costs far more.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        let folded = text.folding(options: options, locale: nil)
        return folded.precomposedStringWithCanonicalMapping.unicodeScalars.reduce(into: "") { output, scalar in
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
}
