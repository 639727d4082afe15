import Testing

@testable import TondoImage

/// Data that a simple packer made: single indices and their repetition, blocks of any length.
@Suite struct GIFImageDataTests {
    /// Codes of `width` bits, the first one lowest, in blocks of `block` bytes.
    private func packed(_ codes: [(code: Int, width: Int)], block: Int) -> [UInt8] {
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        for (code, width) in codes {
            (bits, count) = (bits | code << count, count + width)
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
        var blocks: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: block) {
            let part = bytes[start..<min(start + block, bytes.count)]
            blocks += [UInt8(part.count)] + part
        }
        return blocks + [0]
    }

    /// As many as there are, at most `count`.
    private func unpacked(_ bytes: [UInt8], codeSize: Int, count: Int) throws -> [UInt8] {
        var target = [UInt8](repeating: 0, count: count + GIFImageData.slack)
        let unpacked = try bytes.withUnsafeBytes { bytes in
            try target.withUnsafeMutableBufferPointer { target in
                var data = GIFImageData(bytes: bytes, at: 0)
                let start = try #require(target.baseAddress)
                return try data.unpack(codeSize: codeSize, into: start, count: count)
            }
        }
        return Array(target.prefix(unpacked))
    }

    /// A clear code before every second index: each code has nine bits.
    private func codes(of indices: [UInt8]) -> [(code: Int, width: Int)] {
        indices.enumerated().flatMap { place, index in
            (place & 1 == 0 ? [(code: 256, width: 9)] : []) + [(code: Int(index), width: 9)]
        }
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9, 15, 16, 17, 64, 254, 255])
    func `Blocks may end anywhere`(length: Int) throws {
        var random = UInt32(7)
        let indices = (0..<2_000).map { _ -> UInt8 in
            random = random &* 1_664_525 &+ 1_013_904_223
            return UInt8(random >> 24)
        }
        let bytes = packed(codes(of: indices), block: length)
        #expect(try unpacked(bytes, codeSize: 8, count: indices.count) == indices)
    }

    /// Each code is the one that the code before it makes: 1, 2, 3 ... indices, at a distance of its own length.
    @Test func `A code may stand for what it writes itself`() throws {
        var codes = [(code: 4, width: 3), (code: 1, width: 3)]
        var next = 6
        for _ in 0..<40 {
            codes.append((code: next, width: next < 7 ? 3 : next.bitWidth - next.leadingZeroBitCount))
            next += 1
        }
        let count = 41 * 42 / 2
        let ones = [UInt8](repeating: 1, count: count)
        #expect(try unpacked(packed(codes, block: 255), codeSize: 2, count: count) == ones)
    }

    @Test func `What follows the last index is not read`() throws {
        let bytes = packed(codes(of: [UInt8](repeating: 3, count: 200)), block: 255)
        #expect(try unpacked(bytes.dropLast(), codeSize: 8, count: 200) == [UInt8](repeating: 3, count: 200))
    }

    /// Behind them is the byte that ends the blocks.
    @Test(arguments: [1, 2, 8, 9, 100])
    func `Data that end early give fewer indices`(missing: Int) throws {
        let bytes = packed(codes(of: [UInt8](repeating: 3, count: 200)), block: 255)
        let indices = try unpacked(Array(bytes.dropLast(missing + 1)), codeSize: 8, count: 200)
        #expect(!indices.isEmpty && indices.count < 200 && indices.allSatisfy { $0 == 3 })
    }

    /// 4 x 12 pixels, six bits each; the square has the rows 4 to 7. `missing`: indices at the end.
    @Test(arguments: [(0, nil), (4, true), (16, true), (20, false), (30, false)] as [(Int, Bool?)])
    func `Data that end behind the square are drawn with a warning`(missing: Int, isDrawn: Bool?) {
        let codes = (0..<48 - missing).flatMap { _ in [(code: 4, width: 3), (code: 1, width: 3)] }
        let screen = Array("GIF89a".utf8) + [4, 0, 12, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
        let file = screen + [0x2C, 0, 0, 0, 0, 4, 0, 12, 0, 0, 2] + packed(codes, block: 255) + [0x3B]
        let outcome = Rendering.outcome(file)
        #expect(outcome.code == (isDrawn == false ? "truncated" : "draws"))
        #expect(outcome.warnings == (isDrawn == true ? [.cutShort] : []))
    }
}
