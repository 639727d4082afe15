/// A gray progressive JPEG of many scans that each visit every 8 x 8 block and say nothing (ITU-T T.81 annex G).
enum ScanBomb {
    /// Pixels; 66,666 blocks as `ImageHeader.blocks(of:)` counts them.
    static let size = (width: 1953, height: 2153)

    /// `scans`: one of DCs, all 0, then AC scans that are empty.
    static func bytes(scans: Int) -> [UInt8] {
        let blocks = (size.width + 7) / 8 * ((size.height + 7) / 8)
        var file: [UInt8] = [0xFF, 0xD8]
        file += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        file += segment(
            0xC2,
            [8, UInt8(size.height >> 8), UInt8(size.height & 255), UInt8(size.width >> 8), UInt8(size.width & 255)]
                + [1, 1, 0x11, 0])
        // One code of one bit each: DC 0 is a difference of 0, AC 0xE0 ends 2^14 blocks and as many more as 14 bits say.
        file += segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0x00])
        file += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0xE0])
        file += segment(0xDA, [1, 1, 0x00, 0, 0, 0]) + [UInt8](repeating: 0, count: (blocks + 7) / 8)
        let runs = (blocks + 16383) / 16384
        let empty = segment(0xDA, [1, 1, 0x00, 1, 63, 0]) + [UInt8](repeating: 0, count: (runs * 15 + 7) / 8)
        for _ in 1..<scans { file += empty }
        return file + [0xFF, 0xD9]
    }

    private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let length = payload.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
    }
}
