import libdeflate

/// The two checksums of a PNG, by libdeflate: their values do not depend on its version.
enum Checksum {
    /// CRC-32 as in PNG third edition 5.5.
    static func crc32(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
        libdeflate_crc32(0, bytes, count)
    }

    /// Adler-32 as in RFC 1950 section 2.2.
    static func adler32(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
        libdeflate_adler32(1, bytes, count)
    }
}
