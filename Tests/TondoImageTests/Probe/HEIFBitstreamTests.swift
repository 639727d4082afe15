import Testing
import TondoTestSupport

@testable import TondoImage

/// The headers of coded pictures, of our own drawing.
@Suite struct HEIFBitstreamTests {
    /// By x265: 64 x 64 pixels of Display P3.
    private static let wide = """
        0103700000009000000000001ef000fcfdf8f800000f03600001001840010c01ffff03700000030090000003000003001eba0240\
        610001002b42010103700000030090000003000003001ea020810596ea4929ae6e181a0c0800000300c800000300084062000100\
        074401c172b02240
        """
    /// By x265: 65 x 65 pixels, coded as 72 x 72.
    private static let odd = """
        0103700000009000000000001ef000fcfdf8f800000f03600001001840010c01ffff03700000030090000003000003001eba0240\
        610001002b42010103700000030090000003000003001ea024812724996ea4929ae6e021a0c08000000c80000003008462000100\
        074401c172b02240
        """

    private func bytes(_ digits: String) -> [UInt8] {
        let values = digits.utf8.map { UInt8($0 < 97 ? $0 - 48 : $0 - 87) }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    private func bitstream(_ name: StaticString, _ content: [UInt8], data: [UInt8] = []) -> HEIFBitstream? {
        let box = HEIFBoxes.Box(type: HEIFBoxes.code(name), payload: 0..<content.count)
        let all = content + data
        return all.withUnsafeBytes { HEIFBitstream(configuration: box, data: content.count..<all.count, in: $0) }
    }

    @Test func `The colours and the size of HEVC are those of its sequence`() throws {
        let found = try #require(bitstream("hvcC", bytes(Self.wide)))
        #expect(found.size == HEIFImage.Size(width: 64, height: 64) && found.depth == 8 && !found.isGray)
        #expect(found.color == HEIFColor(primaries: 12, curve: 13, matrix: 6, isFullRange: true))
    }

    @Test func `The window of HEVC is what decoders give`() throws {
        let found = try #require(bitstream("hvcC", bytes(Self.odd)))
        #expect(
            found.canvas == HEIFImage.Size(width: 72, height: 72) && found.size == HEIFImage.Size(width: 66, height: 66)
        )
        #expect(found.window == PixelRectangle(x: 0, y: 0, width: 66, height: 66))
    }

    /// By libaom: 160 x 160 pixels of Display P3, and 64 x 64 gray ones with limited range.
    @Test(arguments: [
        ("81200000", "12000a09381de7e7d8430341a432a4", HEIFImage.Size(width: 160, height: 160), false, 12, true),
        ("81001c00", "12000a0918157ffdb6021a0c40321b", HEIFImage.Size(width: 64, height: 64), true, 1, false),
    ])
    func `The colours of AV1 are those of its data where the configuration has none`(
        _ configuration: String, _ data: String, _ size: HEIFImage.Size, _ isGray: Bool, _ primaries: Int,
        _ isFull: Bool
    ) throws {
        let found = try #require(bitstream("av1C", bytes(configuration), data: bytes(data)))
        #expect(found.size == size && found.isGray == isGray)
        #expect(found.color == HEIFColor(primaries: primaries, curve: 13, matrix: 6, isFullRange: isFull))
        // The configuration may hold the header, too.
        let whole = try #require(bitstream("av1C", bytes(configuration + data)))
        #expect(whole.color == found.color && whole.size == size)
    }

    @Test func `A header that is cut states nothing`() throws {
        let (hevc, av1) = (bytes(Self.wide), bytes("12000a09381de7e7d8430341a432a4"))
        for count in 0..<hevc.count { _ = bitstream("hvcC", Array(hevc.prefix(count))) }
        #expect(bitstream("hvcC", Array(hevc.prefix(60)))?.color == nil)
        for count in 0..<av1.count { _ = bitstream("av1C", [0x81, 0, 0, 0], data: Array(av1.prefix(count))) }
        #expect(bitstream("av1C", [0x81, 0, 0, 0], data: Array(av1.prefix(6)))?.color == nil)
    }

    @Test func `Changed headers are read to an end`() {
        var random = SplitMix64(11)
        for _ in 0..<2_000 {
            for (name, whole) in [
                ("hvcC" as StaticString, bytes(Self.odd)), ("av1C", bytes("8120000012000a09381de7e7")),
            ] {
                var changed = whole
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                let found = bitstream(name, changed)
                #expect(found?.size.map { $0.width > 0 && $0.height > 0 } != false)
            }
        }
    }
}
