import ArgumentParser
import TondoSettings

/// An amount of memory: `512MB`, `1.5GiB`, `800000000`. MB are millions, MiB are 2^20.
struct ByteCount: ExpressibleByArgument, Sendable {
    let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        guard let bytes = ByteAmount.bytes(argument), bytes > 0 else { return nil }
        self.bytes = bytes
    }

    /// In the largest unit without a remainder: `512MB`, `1GiB`.
    var defaultValueDescription: String {
        let units = [("GB", 1_000_000_000), ("GiB", 1 << 30), ("MB", 1_000_000), ("MiB", 1 << 20), ("kB", 1_000)]
        let unit = units.first { bytes % $0.1 == 0 } ?? ("B", 1)
        return "\(bytes / unit.1)\(unit.0)"
    }
}
