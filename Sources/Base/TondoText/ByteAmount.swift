/// Byte amounts of memory and files.
///
/// ```swift
/// print(ByteAmount.bytes("1.5 GiB") ?? 0)
/// print(ByteAmount.text(1_234_567))
/// ```
package enum ByteAmount {
    /// Reads `512MB`, `1.5 GiB`, `800000000`. MB are millions, MiB are 2^20; letter case does not matter. Whole bytes; nil
    /// for other text, or for an overflow.
    package static func bytes(_ text: some StringProtocol) -> Int? {
        let digits = text.prefix { isDigit($0) }
        var rest = text.dropFirst(digits.count)
        var decimals: String?
        if rest.first == "." {
            let found = rest.dropFirst().prefix { isDigit($0) }
            decimals = String(found)
            rest = rest.dropFirst(1 + found.count)
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
        "gb": 1_000_000_000, "t": 1_000_000_000_000, "tb": 1_000_000_000_000, "kib": 1 << 10, "mib": 1 << 20,
        "gib": 1 << 30, "tib": 1 << 40,
    ]

    /// `512 B`, `1.2 MB`: decimal units, at most three digits. Negative numbers are shown as 0.
    package static func text(_ count: Int) -> String {
        let count = max(count, 0)
        guard count >= 1000 else { return "\(count) B" }
        var thousand = 1000
        for unit in ["kB", "MB", "GB", "TB"] {
            if let number = threeDigits(count, in: thousand) { return "\(number) \(unit)" }
            thousand *= 1000
        }
        return "\((count / (thousand / 10) + 5) / 10) PB"
    }

    /// In the largest unit without a remainder: `512MB`, `1GiB`.
    package static func exactText(_ bytes: Int) -> String {
        let units = [("GB", 1_000_000_000), ("GiB", 1 << 30), ("MB", 1_000_000), ("MiB", 1 << 20), ("kB", 1_000)]
        let unit = units.first { bytes % $0.1 == 0 } ?? ("B", 1)
        return "\(bytes / unit.1)\(unit.0)"
    }

    /// `count / unit`, one decimal below 100; nil if it rounds to 1000 or more.
    private static func threeDigits(_ count: Int, in unit: Int) -> String? {
        let tenths = rounded(count, to: unit / 10)
        if tenths < 1000 { return "\(tenths / 10).\(tenths % 10)" }
        let whole = rounded(count, to: unit)
        return whole < 1000 ? "\(whole)" : nil
    }

    private static func rounded(_ number: Int, to unit: Int) -> Int {
        // Adding half a unit before dividing would overflow for the largest numbers.
        number / unit + (number % unit >= unit / 2 ? 1 : 0)
    }
}
