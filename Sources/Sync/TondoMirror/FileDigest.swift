package import SystemPackage
internal import TondoDigest
internal import TondoFiles
internal import TondoText

/// The first 128 bits of a file's SHA-256: by them a mirror knows the bytes that it wrote.
package struct FileDigest: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The digest of a file that an earlier version wrote, or that a lost state listed.
    package static let unknown = FileDigest(high: 0, low: 0)

    /// False for the placeholder in lines of an earlier version: then only the file's own bytes count.
    package var isKnown: Bool { self != .unknown }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// For bytes in memory; `init(reading:)` needs no copy of a file.
    package init(_ bytes: [UInt8]) { self.init(SHA256Digest(of: bytes)) }

    /// Reads the file from its beginning, in pieces.
    init(reading file: FileDescriptor) throws {
        var hash = SHA256()
        var offset = 0
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try piece.withUnsafeMutableBytes { buffer in
                try file.read(fromAbsoluteOffset: Int64(offset), into: buffer)
            }
            if count == 0 { break }
            piece.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += count
        }
        self.init(hash.finish())
    }

    /// Links are not followed. Nil: there is no such file, or it cannot be read.
    package init?(ofFileAt path: FilePath) {
        let digest = try? path.withRegularFile(limit: .max, followingLinks: false) { file, _ in
            try FileDigest(reading: file)
        }
        guard let digest else { return nil }
        self = digest
    }

    private init(_ digest: SHA256Digest) {
        self.init(high: digest.quarters[0], low: digest.quarters[1])
    }

    /// At least 32 hexadecimal digits; further ones, of a whole SHA-256, count for nothing.
    package init?(_ text: String) {
        let digits = text.utf8.prefix(32)
        guard digits.count == 32, let high = Self.number(digits.prefix(16)), let low = Self.number(digits.suffix(16))
        else { return nil }
        self.init(high: high, low: low)
    }

    private static func number(_ digits: Substring.UTF8View) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            guard let value = Hex.value(of: digit) else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }

    /// 32 lower-case hexadecimal digits, as the lines of `state` and `journal` have them.
    package var text: String { Hex.text(high, digits: 16) + Hex.text(low, digits: 16) }
}

extension FileStatus {
    /// Size, time of change and inode in one number, which differs when another program wrote or replaced the file. It is no
    /// proof: only the digest is. Zero is none.
    var stamp: UInt64 {
        var stamp: UInt64 = 0
        func mix(_ value: UInt64) {
            stamp = (stamp ^ value) &* 0x9E37_79B9_7F4A_7C15
            stamp ^= stamp >> 29
        }
        mix(UInt64(bitPattern: Int64(size)))
        mix(UInt64(bitPattern: Int64(modified)))
        mix(inode)
        return max(stamp, 1)
    }
}
