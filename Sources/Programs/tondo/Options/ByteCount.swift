import ArgumentParser
import TondoText

/// An amount of memory: `512MB`, `1.5GiB`, `800000000`. MB are millions, MiB are 2^20.
struct ByteCount: ExpressibleByArgument, Sendable {
    let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        guard let bytes = ByteAmount.bytes(argument), bytes > 0 else { return nil }
        self.bytes = bytes
    }

    /// In the largest unit without a remainder: `512MB`, `1GiB`.
    var defaultValueDescription: String { ByteAmount.exactText(bytes) }
}
