import Foundation

/// A gray picture as a baseline 4:2:0 JPEG of three components, at least as small as it can be (ITU-T T.81 annex F).
enum FlatJPEG {
    /// `side`: pixels, a multiple of 16. `isWordy`: as many and as long codes as the format allows, 10 bytes a block
    /// instead of 2 bits.
    static func bytes(side: Int, isWordy: Bool = false) -> Data {
        var file = Data([0xFF, 0xD8])
        file += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        let size = [UInt8(side >> 8), UInt8(side & 255)]
        file += segment(0xC0, [8] + size + size + [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])
        // DC: a difference of 0. AC: end of block and, when wordy, sixteen zeros.
        file += segment(0xC4, [0x00] + lengths(isWordy ? 16 : 1, count: 1) + [0])
        file += segment(0xC4, [0x10] + lengths(isWordy ? 16 : 1, count: isWordy ? 2 : 1) + (isWordy ? [0, 0xF0] : [0]))
        file += segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
        let blocks = side / 16 * (side / 16) * 6
        if isWordy {
            let block: [UInt8] = [0, 0, 0, 1, 0, 1, 0, 1, 0, 0]
            let row = Data((0..<side / 16 * 6).flatMap { _ in block })
            for _ in 0..<side / 16 { file += row }
        } else {
            file += Data(count: (blocks * 2 + 7) / 8)
        }
        return file + [0xFF, 0xD9]
    }

    /// How many codes there are of each length 1...16.
    private static func lengths(_ length: Int, count: UInt8) -> [UInt8] { (1...16).map { $0 == length ? count : 0 } }

    private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> Data {
        let length = payload.count + 2
        return Data([0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload)
    }
}
