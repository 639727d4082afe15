import ArgumentParser

/// A duration: `45s`, `90m` (minutes), `12h`, `30d`, `2w`, `1y` (365 days). The unit is required, since a bare number
/// is ambiguous.
struct Age: ExpressibleByArgument, Equatable, Sendable {
    let seconds: Int

    init?(argument: String) {
        let digits = argument.prefix { $0.isNumber && $0.isASCII }
        let unit = argument.dropFirst(digits.count).lowercased()
        guard let number = Int(digits), let factor = Self.units.first(where: { $0.name == unit })?.seconds
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        self.seconds = seconds
    }

    private static let units: [(name: String, seconds: Int)] = [
        ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800), ("y", 31_536_000),
    ]
}
