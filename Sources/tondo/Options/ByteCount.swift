import ArgumentParser

/// An amount of memory: `512MB`, `1.5GiB`, `800000000`. MB are millions, MiB are 2^20.
struct ByteCount: ExpressibleByArgument, Sendable {
    let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        let digits = argument.prefix { $0.isNumber && $0.isASCII }
        var unit = argument.dropFirst(digits.count)
        var fraction: Substring?
        if unit.first == "." {
            let decimals = unit.dropFirst().prefix { $0.isNumber && $0.isASCII }
            (fraction, unit) = (decimals, unit.dropFirst(1 + decimals.count))
        }
        guard let number = Int(digits), let factor = Self.units[unit.lowercased()],
            let part = fraction.map({ Self.part($0, of: factor) }) ?? 0
        else { return nil }
        let (whole, overflow) = number.multipliedReportingOverflow(by: factor)
        let (bytes, carry) = whole.addingReportingOverflow(part)
        guard !overflow, !carry, bytes > 0 else { return nil }
        self.bytes = bytes
    }

    /// In the largest unit that leaves no rest: `512MB`, `1GiB`.
    var defaultValueDescription: String {
        let units = [("GB", 1_000_000_000), ("GiB", 1 << 30), ("MB", 1_000_000), ("MiB", 1 << 20), ("kB", 1_000)]
        let unit = units.first { bytes % $0.1 == 0 } ?? ("B", 1)
        return "\(bytes / unit.1)\(unit.0)"
    }

    /// What the `decimals` behind a point mean, whole bytes. There are no parts of a byte, and nine decimals say enough.
    private static func part(_ decimals: Substring, of factor: Int) -> Int? {
        guard factor > 1, (1...9).contains(decimals.count), let number = Int(decimals) else { return nil }
        return number * factor / decimals.reduce(1) { power, _ in power * 10 }
    }

    private static let units = [
        "": 1, "b": 1, "k": 1_000, "kb": 1_000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
        "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
    ]
}
