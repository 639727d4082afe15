import Testing
import TondoTestSupport

@testable import TondoImage

/// The fast path gives what libpng alone gives, or leaves the picture to it.
@Suite struct PNGFastPathTests {
    @Test(arguments: Fixture.all(in: "decodes-like-reference") + Fixture.all(in: "colour"))
    func drawsAFixtureAsLibpngDoes(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes
        #expect(PNGOutcome.tondo(bytes) == PNGOutcome.libpng(bytes))
    }

    @Test(arguments: Fixture.all(in: "broken"))
    func leavesBrokenFilesToLibpng(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes
        #expect(PNGOutcome.tondo(bytes) == PNGOutcome.libpng(bytes))
    }

    @Test(arguments: [0, 2, 3, 4, 6], 0...4)
    func undoesEveryFilterOfEveryColorType(type: UInt8, filter: UInt8) {
        for width in [1, 2, 3, 5, 16, 37] {
            let file = PNGFile(width: width, height: 9, type: type).filters { $0 < 2 ? UInt8($0) : filter }
            expectFast(file.bytes)
        }
    }

    @Test(arguments: [0, 2, 3, 4, 6]) func drawsPartsOfThePicture(type: UInt8) {
        let bytes = PNGFile(width: 21, height: 13, type: type).filters { UInt8($0 % 5) }.bytes
        for region in [
            PixelRectangle(x: 0, y: 0, width: 1, height: 1), PixelRectangle(x: 20, y: 12, width: 1, height: 1),
            PixelRectangle(x: 4, y: 0, width: 13, height: 13), PixelRectangle(x: 0, y: 5, width: 21, height: 3),
        ] {
            expectFast(bytes, region: region)
        }
    }

    @Test func drawsTransparentPalettesAndIndicesBeyondThem() {
        var file = PNGFile(width: 24, height: 24, type: 3).filters { _ in 0 }
        file.palette = (0..<60).map { UInt8($0 * 4) }
        expectFast(file.bytes)
        file.transparency = [0, 100, 200]
        expectFast(file.bytes)
    }

    @Test func takesDataInManyChunksAndEmptyOnes() {
        var file = PNGFile(width: 12, height: 8, type: 6)
        for size in [1, 7, 100] {
            file.chunkSize = size
            expectFast(file.bytes)
        }
        file.emptyChunks = 2
        expectFast(file.bytes)
    }

    @Test(arguments: [
        PNGFile(width: 8, height: 8, type: 2, depth: 16), PNGFile(width: 8, height: 8, type: 0, depth: 4),
        PNGFile(width: 8, height: 8, type: 3, depth: 2), PNGFile(width: 8, height: 8, type: 6, interlace: 1),
        PNGFile(width: 8, height: 8, type: 2, transparency: [0, 1, 0, 2, 0, 3]),
        PNGFile(width: 8, height: 8, type: 0, transparency: [0, 77]),
    ])
    func leavesOtherKindsToLibpng(_ file: PNGFile) {
        #expect(PNGOutcome.fast(file.bytes) == nil)
        #expect(PNGOutcome.tondo(file.bytes) == PNGOutcome.libpng(file.bytes))
    }

    @Test func leavesUnusualDataToLibpng() {
        let file = PNGFile(width: 8, height: 8, type: 6)
        let short = Array(file.rows.dropLast())
        let changes: [(inout PNGFile) -> Void] = [
            { $0.rows = short }, { $0.rows.append(0) }, { $0.rows[33] = 5 }, { $0.rows[7 * 33] = 9 },
            { $0.zlibHeader = [0x78, 0xBB] }, { $0.zlibHeader = [0x79, 0x01] },
            { $0.checksumChange = 1 }, { $0.tail = [1, 2, 3] }, { $0.type = 3 }, { $0.palette = [] },
        ]
        for change in changes {
            var changed = file
            change(&changed)
            #expect(PNGOutcome.fast(changed.bytes) == nil)
            #expect(PNGOutcome.tondo(changed.bytes) == PNGOutcome.libpng(changed.bytes))
        }
    }

    @Test func leavesASecondRunOfDataToLibpng() {
        let file = PNGFile(width: 8, height: 8, type: 6)
        for late in [[], [1, 2, 3] as [UInt8]] {
            var bytes = Array(file.bytes.dropLast(12))
            bytes += PNGFile.chunk("tEXt", Array("a\0b".utf8)) + PNGFile.chunk("IDAT", late) + PNGFile.chunk("IEND", [])
            #expect(PNGOutcome.fast(bytes) == nil)
            #expect(PNGOutcome.tondo(bytes) == PNGOutcome.libpng(bytes))
        }
    }

    @Test func warnsLikeLibpngOfBadChunksBehindTheData() {
        let file = PNGFile(width: 8, height: 8, type: 6)
        for type in ["tEXt", "gAMA", "PLTE", "IHDR", "tRNS", "zTXt", "iCCP", "abCd", "ABCD"] {
            for damage in [0, 1] {
                var chunk = PNGFile.chunk(type, Array("a\0b".utf8))
                chunk[chunk.count - 1] ^= UInt8(damage)
                let bytes = Array(file.bytes.dropLast(12)) + chunk + PNGFile.chunk("IEND", [])
                #expect(PNGOutcome.tondo(bytes) == PNGOutcome.libpng(bytes))
            }
        }
    }

    @Test(arguments: [2, 3, 6]) func everyPrefixHasLibpngsOutcome(type: UInt8) {
        let bytes = PNGFile(width: 5, height: 4, type: type).bytes
        for count in 8..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            #expect(PNGOutcome.tondo(prefix) == PNGOutcome.libpng(prefix))
            // All pixels and their checksum are there once only the chunk's checksum and IEND are missing.
            if count >= 45 { #expect(PNGOutcome.tondo(prefix).isTruncated == (count < bytes.count - 16)) }
        }
    }

    @Test(arguments: [2, 3, 6], [false, true])
    func everyChangedByteHasLibpngsOutcome(type: UInt8, repairsChecksums: Bool) {
        let bytes = PNGFile(width: 5, height: 4, type: type).filters { UInt8($0 + 1) }.bytes
        for i in bytes.indices {
            for change in [1, 2, 4, 8, 16, 32, 64, 128, 255] as [UInt8] {
                var changed = bytes
                changed[i] ^= change
                if repairsChecksums { PNGFile.repairChecksums(&changed) }
                #expect(PNGOutcome.tondo(changed) == PNGOutcome.libpng(changed), "byte \(i) ^ \(change)")
            }
        }
    }

    @Test func staysWithinTheMemoryLimit() throws {
        let bytes = PNGFile(width: 64, height: 64, type: 6).bytes
        let header = try bytes.withUnsafeBytes { try ImageHeader(probing: $0) }
        let plan = DecodePlan(header: header, crop: nil, side: 64)
        let needed = header.decodeMemory(plan)
        #expect(needed > 64 * 64 * 12)
        #expect(header.unpacksAtOnce(plan, budget: needed))
        #expect(!header.unpacksAtOnce(plan, budget: needed - 1))
        #expect(header.decodeMemory(plan, budget: needed - 1) < needed)
        var limits = Limits()
        limits.maxMemory = needed - 1
        #expect(PNGOutcome.fast(bytes, limits: limits) == nil)
        #expect(PNGOutcome.tondo(bytes, limits: limits) == PNGOutcome.libpng(bytes))
    }

    private func expectFast(_ bytes: [UInt8], region: PixelRectangle? = nil) {
        let fast = PNGOutcome.fast(bytes, region: region)
        #expect(fast != nil)
        #expect(fast == PNGOutcome.libpng(bytes, region: region))
    }
}
