/// The code of a country at the beginning of a number (ITU-T E.164), and what is dialled before it.
enum CountryCode {
    /// The digits of a number from the code of its country on; nil for a number without one. The zero that only calls inside of
    /// the country need is left out, though many write it behind the code: `+49 (0) 30`.
    ///
    /// `number`: digits, with a plus sign before them if it has one.
    static func digits(of number: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let prefix = number.count < 13 ? nil : prefixes.first { number.starts(with: $0) }
        guard prefix != nil || number.first == UInt8(ascii: "+") || number.starts(with: "00".utf8) else { return nil }
        let digits =
            prefix.map { number.dropFirst($0.count) }
            ?? number.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "0") }
        let code = length(of: digits)
        guard digits.dropFirst(code).first == UInt8(ascii: "0") else { return digits }
        return digits.prefix(code) + digits.dropFirst(code).drop { $0 == UInt8(ascii: "0") }
    }

    static func digits(of number: String) -> String? {
        digits(of: Array(number.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What is dialled before a code in Australia, in North America, in Japan, and in Russia; elsewhere 00. Numbers inside of a
    /// country that begin so are shorter.
    private static let prefixes = ["0011", "011", "010", "810"].map { Array($0.utf8) }

    /// Digits of the code.
    static func length(of digits: some Collection<UInt8>) -> Int {
        if digits.first == UInt8(ascii: "1") || digits.first == UInt8(ascii: "7") { return 1 }
        return longCodes.contains(String(decoding: digits.prefix(2), as: UTF8.self)[...]) ? 3 : 2
    }

    /// The first two digits of codes with three.
    private static let longCodes = Set(
        "21 22 23 24 25 26 28 29 35 37 38 42 50 59 67 68 69 80 83 85 87 88 89 96 97 99".split(separator: " "))
}
