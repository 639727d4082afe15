import Testing
import TondoTestSupport

@testable import TondoImage

/// Files whose end is damaged, or whose first frame is not their default image.
@Suite struct PNGDecoderTests {
    private static let kinds = [
        PNGFile(width: 9, height: 7, type: 2), PNGFile(width: 9, height: 7, type: 3),
        PNGFile(width: 9, height: 7, type: 6),
        PNGFile(width: 9, height: 7, type: 0, depth: 4), PNGFile(width: 9, height: 7, type: 2, depth: 16),
        PNGFile(width: 8, height: 8, type: 6, interlace: 1),
    ]

    /// IEND, and the checksum of the chunk before it.
    private static let end = 12 + 4

    private func pixels(_ bytes: [UInt8]) -> [UInt8]? {
        if case .draws(let pixels, _, _, _) = PNGOutcome.tondo(bytes) { pixels } else { nil }
    }

    private func warnings(_ bytes: [UInt8]) -> [String]? {
        if case .draws(_, _, _, let warnings) = PNGOutcome.tondo(bytes) { warnings.map(\.description) } else { nil }
    }

    @Test(arguments: Self.kinds) func `A picture whose end is missing is drawn with a warning`(_ file: PNGFile) {
        let bytes = file.bytes
        #expect(warnings(bytes) == [])
        for missing in 1...Self.end {
            let cut = Array(bytes.dropLast(missing))
            #expect(pixels(cut) == pixels(bytes), "\(missing) bytes are missing")
            #expect(warnings(cut)?.count == 1 && warnings(cut)?[0].contains("end") == true)
        }
    }

    @Test(arguments: Self.kinds) func `Pixels whose checksum is incomplete are truncated`(_ file: PNGFile) {
        let bytes = file.bytes
        for missing in Self.end + 1...Self.end + 12 {
            #expect(PNGOutcome.tondo(Array(bytes.dropLast(missing))).isTruncated, "\(missing) bytes are missing")
        }
    }

    @Test(arguments: Self.kinds) func `A missing checksum of the pixels counts only if one of a chunk is wrong`(
        _ file: PNGFile
    ) {
        var short = file
        for size in 0..<4 {
            short.checksumSize = size
            #expect(pixels(short.bytes) == pixels(file.bytes))
            #expect(warnings(short.bytes) == ["ignored: a wrong or missing checksum of the picture data"])
        }
        var bytes = short.bytes
        bytes[bytes.count - 13] ^= 1
        #expect(pixels(bytes) == nil && !PNGOutcome.tondo(bytes).isTruncated)
        short.rows.removeLast()
        #expect(pixels(short.bytes) == nil)
    }

    @Test(arguments: Self.kinds, [false, true]) func `Chunks that may be ignored may have any name`(
        _ file: PNGFile, isBehindData: Bool
    ) {
        func bytes(_ type: UInt32) -> [UInt8] {
            var bytes = file.bytes
            let place = isBehindData ? bytes.count - 12 : 33
            bytes.insert(contentsOf: PNGChunk.bytes(type: type, data: [1, 2]), at: place)
            return bytes
        }
        // ab1d, {Bcd, a byte beyond ASCII.
        for type: UInt32 in [0x6162_3164, 0x7B42_6364, 0xE142_6364] {
            #expect(pixels(bytes(type)) == pixels(file.bytes) && warnings(bytes(type)) == [])
        }
        // AB1D, [bcd, ABCD: decoders have to know them.
        for type: UInt32 in [0x4142_3144, 0x5B62_6364, 0x4142_4344] { #expect(pixels(bytes(type)) == nil) }
    }

    @Test(arguments: Self.kinds) func `Pixels whose checksum is wrong are not drawn if the end is missing`(
        _ file: PNGFile
    ) {
        var damaged = file
        damaged.checksumChange = 1
        #expect(PNGOutcome.tondo(Array(damaged.bytes.dropLast(12))).isTruncated)
    }

    @Test(arguments: Self.kinds) func `A wrong checksum of a chunk counts only if that of the pixels is wrong`(
        _ file: PNGFile
    ) {
        var bytes = file.bytes
        bytes[bytes.count - 13] ^= 1
        #expect(pixels(bytes) == pixels(file.bytes))
        #expect(warnings(bytes)?.count == 1)
        var damaged = file
        damaged.checksumChange = 1
        bytes = damaged.bytes
        bytes[bytes.count - 13] ^= 1
        #expect(pixels(bytes) == nil && !PNGOutcome.tondo(bytes).isTruncated)
    }

    @Test(arguments: Self.kinds) func `A wrong checksum of the pixels counts only if one of a chunk is wrong, too`(
        _ file: PNGFile
    ) {
        var wrong = file
        wrong.checksumChange = 1
        #expect(warnings(wrong.bytes)?.count == 1)
        for size in [1 << 16, 2, 1] {
            wrong.chunkSize = size
            #expect(pixels(wrong.bytes) == pixels(file.bytes))
        }
        // The checksum of the first chunk of data.
        var bytes = wrong.bytes
        bytes[(file.palette == nil ? 33 : 33 + 12 + 768) + 8 + 1] ^= 1
        #expect(pixels(bytes) == nil)
    }

    @Test func `Data may go farther back than the window that they declare`() throws {
        // Equal rows of 804 bytes, noise each of them.
        let row = TestImage.random.pixels(width: 201, height: 1)
        let right = PNGEncoder.encode(pixels: row + row + row, width: 201, height: 3)
        var bytes = right
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: "IDAT".utf8) })
        #expect(bytes[name + 4] >> 4 > 1)
        bytes.replaceSubrange(name + 4..<name + 6, with: [0x08, 0x1D])
        PNGFile.repairChecksums(&bytes)
        #expect(PNGOutcome.fast(bytes) == PNGOutcome.tondo(right))
        #expect(PNGOutcome.libpng(bytes) == PNGOutcome.tondo(right))
    }

    @Test func `Rewriting a file counts towards the limit of memory`() throws {
        let bytes = PNGFile(width: 64, height: 64, type: 6).bytes
        func needed(_ bytes: [UInt8]) throws -> Int {
            let header = try bytes.withUnsafeBytes { try ImageHeader(probing: $0) }
            return header.decodeMemory(DecodePlan(header: header, crop: nil, side: 64))
        }
        #expect(try needed(Array(bytes.dropLast(12))) >= needed(bytes) + bytes.count)
    }

    /// The default image is noise; the frame is the picture of `part`.
    private func animation(_ part: PNGFile, at place: (x: Int, y: Int), on canvas: PNGFile) -> [UInt8] {
        func numbers(_ values: Int...) -> [UInt8] { values.flatMap { PNGChunk.bigEndian($0) } }
        var chunks = PNGFile.chunk("fcTL", numbers(0, part.width, part.height, place.x, place.y) + [0, 1, 0, 10, 0, 0])
        var reader = part.bytes.withUnsafeBytes { bytes in
            var (reader, data) = (PNGChunks(bytes), [UInt8]())
            while let chunk = reader.next() {
                if chunk.type == PNGChunk.imageData { data += chunk.payload }
            }
            return data
        }
        reader.insert(contentsOf: numbers(1), at: 0)
        chunks += PNGFile.chunk("fdAT", reader)
        let whole = canvas.bytes
        return Array(whole[..<33]) + PNGFile.chunk("acTL", numbers(1, 0)) + whole[33..<whole.count - 12] + chunks
            + whole.suffix(12)
    }

    @Test func `A frame that covers the canvas is the picture`() {
        let (frame, canvas) = (PNGFile(width: 12, height: 12, type: 2), PNGFile(width: 12, height: 12, type: 2))
        var other = canvas
        other.rows = other.rows.map { $0 == 0 ? 0 : ~$0 }
        let bytes = animation(frame, at: (0, 0), on: other)
        #expect(pixels(bytes) == pixels(frame.bytes))
        #expect(pixels(bytes) != pixels(other.bytes))
    }

    @Test func `A smaller frame lies in its place`() throws {
        let frame = PNGFile(width: 5, height: 3, type: 2)
        let drawn = try #require(pixels(animation(frame, at: (6, 8), on: PNGFile(width: 12, height: 12, type: 2))))
        let single = PNGOutcome.libpng(frame.bytes, region: PixelRectangle(x: 0, y: 0, width: 5, height: 3))
        guard case .draws(let wanted, _, _, _) = single else { return #expect(Bool(false), "\(single)") }
        for y in 0..<12 {
            for x in 0..<12 {
                let isInside = 6..<11 ~= x && 8..<11 ~= y
                let place = ((y - 8) * 5 + x - 6) * 4
                let pixel = Array(drawn[(y * 12 + x) * 4..<(y * 12 + x) * 4 + 4])
                #expect(pixel == (isInside ? Array(wanted[place..<place + 4]) : [0, 0, 0, 0]))
            }
        }
    }

    @Test func `A frame whose data are cut off is truncated`() {
        let frame = PNGFile(width: 12, height: 12, type: 2)
        let bytes = animation(frame, at: (0, 0), on: frame)
        #expect(warnings(bytes) == [])
        let complete = Array(bytes.dropLast(Self.end))
        #expect(pixels(complete) == pixels(frame.bytes) && warnings(complete)?.count == 1)
        #expect(PNGOutcome.tondo(Array(bytes.dropLast(Self.end + 6))).isTruncated)
    }
}
