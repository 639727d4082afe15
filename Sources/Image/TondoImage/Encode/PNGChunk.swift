import libdeflate

/// The frames of chunks: size, type, data, CRC (PNG third edition 5.3).
enum PNGChunk {
    // Types as big-endian numbers.
    static let imageHeader: UInt32 = 0x4948_4452
    static let standardColors: UInt32 = 0x7352_4742
    static let text: UInt32 = 0x7445_5874
    static let imageData: UInt32 = 0x4944_4154
    static let imageEnd: UInt32 = 0x4945_4E44
    static let palette: UInt32 = 0x504C_5445
    static let transparency: UInt32 = 0x7452_4E53
    static let exif: UInt32 = 0x6558_4966
    /// Colours by the numbers of ITU-T H.273, see `PNGColors`.
    static let codedColors: UInt32 = 0x6349_4350
    // An animation (PNG third edition 11.3.6): acTL, fcTL, fdAT.
    static let animationControl: UInt32 = 0x6163_544C
    static let frameControl: UInt32 = 0x6663_544C
    static let frameData: UInt32 = 0x6664_4154
    /// CgBI, see there.
    static let apple: UInt32 = 0x4367_4249

    /// A whole chunk.
    static func bytes(type: UInt32, data: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: data.count + 12) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            // The capacity covers the data and the twelve bytes around it.
            (start + 8).initialize(from: data, count: data.count)
            count = close(type: type, size: data.count, at: start) - start
        }
    }

    /// Frames `size` bytes of data that are at `start` + 8 already; returns the end of the chunk.
    static func close(type: UInt32, size: Int, at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        put(UInt32(size), at: start)
        put(type, at: start + 4)
        put(Checksum.crc32(start + 4, count: size + 4), at: start + 8 + size)
        return start + 12 + size
    }

    /// A number's four bytes, highest first (PNG third edition 7.1).
    static func bigEndian(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value &>> (24 - 8 * $0)) }
    }

    private static func put(_ value: UInt32, at target: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(target).storeBytes(of: value.bigEndian, as: UInt32.self)
    }
}

/// The two checksums of a PNG, by libdeflate: their values do not depend on its version.
enum Checksum {
    /// CRC-32 as in PNG third edition 5.5.
    static func crc32(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt32 { libdeflate_crc32(0, bytes, count) }

    /// Adler-32 as in RFC 1950 section 2.2.
    static func adler32(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt32 { libdeflate_adler32(1, bytes, count) }
}
