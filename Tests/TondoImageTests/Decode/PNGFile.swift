@testable import TondoImage

/// A small PNG file made of noise, with any mistake one may want in it. The data are stored, not compressed.
struct PNGFile: Sendable {
    var width: Int
    var height: Int
    var type: UInt8
    var depth: UInt8 = 8
    var interlace: UInt8 = 0
    var palette: [UInt8]?
    var transparency: [UInt8]?
    /// Filtered rows. Noise is valid for every filter.
    var rows: [UInt8] = []
    var zlibHeader: [UInt8] = [0x78, 0x01]
    /// Added to the last byte of the Adler-32.
    var checksumChange: UInt8 = 0
    /// Bytes of the Adler-32 that are there.
    var checksumSize = 4
    /// Behind the zlib stream, in the last IDAT.
    var tail: [UInt8] = []
    /// Bytes of an IDAT.
    var chunkSize = 1 << 16
    /// IDATs without data, before and behind the others.
    var emptyChunks = 0

    init(
        width: Int, height: Int, type: UInt8, depth: UInt8 = 8, interlace: UInt8 = 0, transparency: [UInt8]? = nil
    ) {
        (self.width, self.height, self.type, self.depth) = (width, height, type, depth)
        (self.interlace, self.transparency) = (interlace, transparency)
        palette = type == 3 ? (0..<768).map { UInt8(truncatingIfNeeded: $0 * 37) } : nil
        let rowBytes = (width * Self.channels(type) * Int(depth) + 7) / 8
        var noise = Noise()
        rows = (0..<height).flatMap { _ in [0] + (0..<rowBytes).map { _ in noise.byte() } }
        if interlace == 1 {
            // A row of every Adam7 pass of 8 x 8 pixels: 1, 1, 2, 2, 4, 4 and 8 wide.
            let passes = [(1, 1), (1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4)]
            rows = passes.flatMap { pass in
                (0..<pass.1).flatMap { _ in [0] + Array(rows[1...pass.0 * Self.channels(type)]) }
            }
        }
    }

    private static func channels(_ type: UInt8) -> Int { type == 6 ? 4 : type == 2 ? 3 : type == 4 ? 2 : 1 }

    /// The same file with these filters, by the row's number.
    func filters(_ filter: (Int) -> UInt8) -> PNGFile {
        var copy = self
        for y in 0..<height { copy.rows[y * (rows.count / height)] = filter(y) }
        return copy
    }

    private var zlibStream: [UInt8] {
        let count = UInt16(rows.count)
        let stored = [1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)] + rows
        var checksum = Self.bigEndian(Checksum.adler32(rows, count: rows.count))
        checksum[3] &+= checksumChange
        return zlibHeader + stored + checksum.prefix(checksumSize) + tail
    }

    var bytes: [UInt8] {
        let size = Self.bigEndian(UInt32(width)) + Self.bigEndian(UInt32(height))
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += Self.chunk("IHDR", size + [depth, type, 0, 0, interlace])
        if let palette { file += Self.chunk("PLTE", palette) }
        if let transparency { file += Self.chunk("tRNS", transparency) }
        let empty = (0..<emptyChunks).flatMap { _ in Self.chunk("IDAT", []) }
        let data = zlibStream
        file += empty
        for start in stride(from: 0, to: data.count, by: chunkSize) {
            file += Self.chunk("IDAT", Array(data[start..<min(start + chunkSize, data.count)]))
        }
        return file + empty + Self.chunk("IEND", [])
    }

    static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + payload
        return bigEndian(UInt32(payload.count)) + checked + bigEndian(Checksum.crc32(checked, count: checked.count))
    }

    /// Makes the check sums of all whole chunks right.
    static func repairChecksums(_ bytes: inout [UInt8]) {
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard at + 12 + length <= bytes.count else { return }
            let checked = Array(bytes[at + 4..<at + 8 + length])
            bytes.replaceSubrange(
                at + 8 + length..<at + 12 + length, with: bigEndian(Checksum.crc32(checked, count: checked.count)))
            at += 12 + length
        }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
