/// Reads byte amounts: `512MB`, `1.5 GiB`, `800000000`. MB are millions, MiB are 2^20; letter case does not matter.
package enum ByteAmount {
    /// Whole bytes; nil for other text, or for an overflow.
    package static func bytes(_ text: some StringProtocol) -> Int? {
        let digits = text.prefix { isDigit($0) }
        var rest = text.dropFirst(digits.count)
        var decimals: String?
        if rest.first == "." {
            let found = rest.dropFirst().prefix { isDigit($0) }
            (decimals, rest) = (String(found), rest.dropFirst(1 + found.count))
        }
        let unit = String(rest.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        guard let number = Int(digits), let factor = units[unit.lowercased()],
            let part = decimals.map({ part($0, of: factor) }) ?? 0
        else { return nil }
        let (whole, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        let (bytes, isOver) = whole.addingReportingOverflow(part)
        return isTooLarge || isOver ? nil : bytes
    }

    private static func isDigit(_ character: Character) -> Bool { "0"..."9" ~= character }

    /// The whole bytes that the `decimals` behind a point mean. A byte has no parts, and nine decimals are precise
    /// enough.
    private static func part(_ decimals: String, of factor: Int) -> Int? {
        guard factor > 1, 1...9 ~= decimals.count, let number = Int(decimals) else { return nil }
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        return isTooLarge ? nil : product / decimals.reduce(1) { power, _ in power * 10 }
    }

    private static let units = [
        "": 1, "b": 1, "k": 1_000, "kb": 1_000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
        "gb": 1_000_000_000, "tb": 1_000_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]
}
