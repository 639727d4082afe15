import ArgumentParser

/// An amount of memory: `512MB`, `1GiB`, `800000000`. MB are millions, MiB are 2^20.
struct ByteCount: ExpressibleByArgument, Sendable {
    let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        let digits = argument.prefix { $0.isNumber && $0.isASCII }
        let unit = argument.dropFirst(digits.count).lowercased()
        guard let number = Int(digits), let factor = Self.units[unit] else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow, bytes > 0 else { return nil }
        self.bytes = bytes
    }

    var defaultValueDescription: String { "\(bytes / 1_000_000)MB" }

    private static let units = [
        "": 1, "b": 1, "k": 1_000, "kb": 1_000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
        "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
    ]
}
