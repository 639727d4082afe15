internal import TondoText

/// The 256 bits of a SHA-256.
///
/// ```swift
/// print(SHA256Digest(of: "ada@example.org".utf8).hexadecimal)
/// ```
package struct SHA256Digest: Hashable, Sendable {
    /// In big-endian order: the first bit of the digest is the highest one of the first quarter.
    package let quarters: SIMD4<UInt64>

    package static let byteCount = 32

    package init(_ quarters: SIMD4<UInt64>) { self.quarters = quarters }

    /// The digest of bytes that are in memory as a whole.
    package init(of bytes: some Sequence<UInt8>) {
        var hash = SHA256()
        hash.update(bytes)
        self = hash.finish()
    }

    /// `bytes`: 32 of them.
    package init(loading bytes: UnsafeRawBufferPointer) {
        func quarter(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        quarters = SIMD4(quarter(0), quarter(1), quarter(2), quarter(3))
    }

    /// 32 bytes.
    package var bytes: [UInt8] {
        (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: quarters[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
    }

    /// 64 lower-case digits.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 2 * Self.byteCount) { buffer in
            // The buffer has room for the 64 digits.
            guard let start = buffer.baseAddress else { return 0 }
            writeHexadecimal(to: start)
            return 2 * Self.byteCount
        }
    }

    /// Writes the 64 digits, without a final zero.
    package func writeHexadecimal(to target: UnsafeMutablePointer<UInt8>) {
        for index in 0..<8 {
            // Eight digits at once: a byte for each.
            var digits = quarters[index / 2] >> (index % 2 == 0 ? 32 : 0) & 0xFFFF_FFFF
            digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
            digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
            digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
            let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
            let text = digits + 0x3030_3030_3030_3030 + letters * UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
            UnsafeMutableRawPointer(target + 8 * index).storeBytes(of: text.bigEndian, as: UInt64.self)
        }
    }
}

extension SHA256Digest: Comparable {
    /// As their hexadecimal digits.
    package static func < (left: SHA256Digest, right: SHA256Digest) -> Bool {
        for index in 0..<4 where left.quarters[index] != right.quarters[index] {
            return left.quarters[index] < right.quarters[index]
        }
        return false
    }
}
