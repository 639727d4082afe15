internal import TondoDigest
internal import TondoText

/// The name of an avatar: the SHA-256 (FIPS 180-4) of its recipe. Made only from a recipe or from exactly 64 lower-case
/// hexadecimal digits, so a key can never be a path.
package struct CacheKey: Hashable, Sendable {
    private let digest: SHA256Digest

    private init(_ digest: SHA256Digest) { self.digest = digest }

    /// The key of this exact text, which is not parsed: one other byte gives another key.
    package init(recipe: String) {
        self.init(SHA256Digest(of: recipe.utf8))
    }

    /// 32 bytes.
    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(SHA256Digest(loading: bytes))
    }

    /// Nil unless the text is exactly 64 lower-case hexadecimal digits, so that each key has one spelling.
    package init?(_ hexadecimal: some StringProtocol) { self.init(digits: hexadecimal.utf8) }

    /// 64 lower-case digits.
    init?(digits: some Collection<UInt8>) {
        guard digits.count == 2 * Self.byteCount else { return nil }
        var digits = digits.makeIterator()
        func quarter() -> UInt64? {
            var value: UInt64 = 0
            for _ in 0..<16 {
                // Upper-case digits have a value, too, but each key has one spelling.
                guard let digit = digits.next(), !(0x41...0x46 ~= digit), let bits = Hex.value(of: digit) else {
                    return nil
                }
                value = value << 4 | UInt64(bits)
            }
            return value
        }
        guard let a = quarter(), let b = quarter(), let c = quarter(), let d = quarter() else { return nil }
        self.init(SHA256Digest(SIMD4(a, b, c, d)))
    }

    static let byteCount = SHA256Digest.byteCount

    /// 32 bytes.
    var bytes: [UInt8] { digest.bytes }

    /// The seed of an entry's checksum, so that one entry's bytes count as damage under another's name.
    var seed: UInt64 { digest.quarters[0] }

    /// The number of its folder among the 256 folders of `objects`.
    var shard: UInt8 { UInt8(truncatingIfNeeded: digest.quarters[0] >> 56) }

    /// 64 lower-case digits.
    package var hexadecimal: String { digest.hexadecimal }

    /// Appends the 64 digits.
    package func appendHexadecimal(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { digits in
            guard let start = digits.baseAddress else { return }
            writeHexadecimal(to: start)
            bytes.append(contentsOf: UnsafeBufferPointer(digits))
        }
    }

    /// Writes the 64 digits, without a final zero.
    func writeHexadecimal(to target: UnsafeMutablePointer<UInt8>) { digest.writeHexadecimal(to: target) }
}

extension CacheKey: Comparable {
    package static func < (left: CacheKey, right: CacheKey) -> Bool { left.digest < right.digest }
}

extension CacheKey: CustomStringConvertible {
    package var description: String { hexadecimal }
}
