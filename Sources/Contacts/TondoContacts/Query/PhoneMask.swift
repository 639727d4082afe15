/// Formats Russian mobile numbers as `+7 (000) 000-00-00`, and leaves all others unchanged: those, too, that have the digits of one
/// in the groups of another country.
package enum PhoneMask {
    /// Mobile numbers are the codes from 900 to 999 of the Russian numbering plan.
    package static func masked(_ phone: String) -> String {
        guard let digits = russianMobile(phone) else { return phone }
        let parts = [(1, 4), (4, 7), (7, 9), (9, 11)].map { part in
            String(digits.dropFirst(part.0).prefix(part.1 - part.0))
        }
        return "+7 (\(parts[0])) \(parts[1])-\(parts[2])-\(parts[3])"
    }

    /// Its eleven digits, 7 first; nil for another number, or for further text.
    static func russianMobile(_ phone: String) -> String? {
        guard mayBeRussian(phone.utf8) else { return nil }
        let text = phone.trimmed
        var number = text[...]
        if ASCII.has("tel:", in: text) { number = number.dropFirst(4) }
        number = number.drop(while: \.isWhitespace)
        let isInternational = number.first == "+"
        if isInternational { number = number.dropFirst() }
        guard number.unicodeScalars.allSatisfy({ isDigit($0) || isPunctuation($0) }) else { return nil }
        let digits = digits(of: number)
        func groups() -> [Int] { number.split { !$0.unicodeScalars.allSatisfy(isDigit) }.map(\.count) }
        switch digits.count {
        // Without a trunk digit or a country code, only the groups are Russian: 917-555-0123 is of New York, 98765 43210 of India.
        case 10 where !isInternational && digits.first == "9" && groups() == [3, 3, 2, 2]: return "7" + digits
        // (79) 98765-4321 is Brazilian.
        case 11 where digits.hasPrefix("79") && (isInternational || groups()[0] != 2): return digits
        case 11 where digits.hasPrefix("89") && !isInternational && groups()[0] != 2: return "7" + digits.dropFirst()
        default: return nil
        }
    }

    /// Whether its digits are those of such a number: spares the others the search for their punctuation.
    static func mayBeRussian(_ phone: some Sequence<UInt8>) -> Bool {
        var (count, first, second): (Int, UInt8, UInt8) = (0, 0, 0)
        for byte in phone where 0x30...0x39 ~= byte {
            count += 1
            if count == 1 { first = byte } else if count == 2 { second = byte }
        }
        let nine = UInt8(ascii: "9")
        return count == 10 && first == nine
            || count == 11 && (first == UInt8(ascii: "7") || first == UInt8(ascii: "8")) && second == nine
    }

    /// In ASCII, whatever digits the text has: Arabic, Devanagari, fullwidth ones of Japan.
    static func digits(of text: some StringProtocol) -> String {
        let digits = text.unicodeScalars.compactMap { SearchFold.digit(of: $0).map { UInt8(ascii: "0") + $0 } }
        return String(decoding: digits, as: UTF8.self)
    }

    /// A character of a phone number, but for the plus sign.
    static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        SearchFold.digit(of: scalar) != nil || isPunctuation(scalar)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// Blanks, brackets, dots, and all dashes.
    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return " ()-./\t\n\r\u{B}\u{C}".unicodeScalars.contains(scalar) }
        return scalar.properties.isWhitespace || (0x2010...0x2015).contains(scalar.value)
            || [0x2212, 0xFF0D, 0xFF08, 0xFF09].contains(scalar.value)
    }
}
