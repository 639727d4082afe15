internal import Crypto
internal import TondoText

/// The name of an avatar: the SHA-256 (FIPS 180-4) of its recipe. Made only from a recipe or from exactly 64 lower-case
/// hexadecimal digits, so a key can never be a path.
package struct CacheKey: Hashable, Sendable {
    // Big-endian quarters of the digest.
    private let a, b, c, d: UInt64

    package init(recipe: String) {
        var recipe = recipe
        let digest = recipe.withUTF8 { SHA256.hash(data: UnsafeRawBufferPointer($0)) }
        self = digest.withUnsafeBytes { CacheKey(loading: $0) }
    }

    /// 32 bytes.
    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(loading: bytes)
    }

    package init?(_ hexadecimal: some StringProtocol) { self.init(digits: hexadecimal.utf8) }

    /// 64 lower-case digits.
    init?(digits: some Collection<UInt8>) {
        guard digits.count == 2 * Self.byteCount else { return nil }
        var digits = digits.makeIterator()
        func quarter() -> UInt64? {
            var value: UInt64 = 0
            for _ in 0..<16 {
                guard let digit = digits.next(), !(0x41...0x46 ~= digit), let bits = Hex.value(of: digit) else {
                    return nil
                }
                value = value << 4 | UInt64(bits)
            }
            return value
        }
        guard let a = quarter(), let b = quarter(), let c = quarter(), let d = quarter() else { return nil }
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    private init(loading bytes: UnsafeRawBufferPointer) {
        func quarter(_ offset: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        (a, b, c, d) = (quarter(0), quarter(8), quarter(16), quarter(24))
    }

    static let byteCount = 32

    /// 32 bytes.
    var bytes: [UInt8] {
        withUnsafeBytes(of: (a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian)) { Array($0) }
    }

    /// The seed of an entry's checksum, so that one entry's bytes count as damage under another's name.
    var seed: UInt64 { a }

    /// The number of its folder among the 256 folders of `objects`.
    var shard: UInt8 { UInt8(truncatingIfNeeded: a >> 56) }

    /// 64 lower-case digits.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 64) { buffer in
            // The buffer has room for the 64 digits.
            guard let start = buffer.baseAddress else { return 0 }
            writeHexadecimal(to: start)
            return 64
        }
    }

    /// Appends the 64 digits.
    package func appendHexadecimal(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { digits in
            guard let start = digits.baseAddress else { return }
            writeHexadecimal(to: start)
            bytes.append(contentsOf: UnsafeBufferPointer(digits))
        }
    }

    /// Writes the 64 digits, without a final zero.
    func writeHexadecimal(to target: UnsafeMutablePointer<UInt8>) {
        write(a, to: target)
        write(b, to: target + 16)
        write(c, to: target + 32)
        write(d, to: target + 48)
    }

    private func write(_ quarter: UInt64, to target: UnsafeMutablePointer<UInt8>) {
        for digit in 0..<16 {
            let value = UInt8(truncatingIfNeeded: quarter >> UInt64(60 - 4 * digit)) & 0xF
            target[digit] = value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
    }
}

extension CacheKey: Comparable {
    package static func < (left: CacheKey, right: CacheKey) -> Bool {
        (left.a, left.b, left.c, left.d) < (right.a, right.b, right.c, right.d)
    }
}

extension CacheKey: CustomStringConvertible {
    package var description: String { hexadecimal }
}
