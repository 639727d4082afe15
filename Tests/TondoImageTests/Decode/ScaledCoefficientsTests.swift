import Testing
import TondoTestSupport

@testable import TondoImage

@Suite struct ScaledCoefficientsTests {
    @Test(arguments: [
        "gray", "gray-sampling-2x2", "sampling-444", "sampling-422", "sampling-440", "size-17x33-444",
        "size-41x25-422", "cmyk-adobe-inverted", "ycck-adobe-inverted", "rgb-adobe-transform-0",
    ])
    func `At an eighth the pixels are exactly those that libjpeg reads`(_ name: String) throws {
        let bytes = try file(name)
        let scaled = try #require(ScaledOutcome(scaling: bytes, denominator: 8))
        let original = ScaledOutcome(bytes, denominator: 8)
        #expect(scaled == original)
        #expect(!original.pixels.isEmpty)
    }

    @Test(arguments: [
        "restart-every-mcu", "restart-every-row", "baseline-quality-100", "extended", "extended-16-bit-quantisation",
        "fill-bytes-before-markers", "many-app-segments", "second-jpeg-behind", "sampling-420", "sampling-411",
        "sampling-410", "sampling-1x3", "sampling-3x1", "sampling-3x2", "sampling-441", "sampling-2x2-1x2-2x1",
        "sampling-2x2-2x1-1x1", "sampling-2x1-1x1-2x1", "sampling-all-2x2-not-reduced", "size-33x17-420",
        "size-41x41-420",
    ])
    func `Whatever the sampling, the brightness at an eighth is kept`(_ name: String) throws {
        let bytes = try file(name)
        let outcome = try #require(ScaledOutcome(scaling: bytes, denominator: 8))
        let original = ScaledOutcome(bytes, denominator: 8)
        #expect(outcome.summary == original.summary)
        #expect(outcome.pixels.count == original.pixels.count)
        for (one, other) in zip(outcome.luma, original.luma) {
            if let one, let other { #expect(abs(one - other) <= 2) }
        }
    }

    @Test(arguments: [
        "progressive", "arithmetic", "gray-arithmetic", "gray-progressive", "scans-not-interleaved",
        "scans-luma-then-chroma", "junk-before-markers",
    ])
    func `Only plain sequential Huffman files are read`(_ name: String) throws {
        #expect(ScaledOutcome(scaling: try file(name), denominator: 8) == nil)
    }

    @Test(arguments: [1, 2])
    func `Above a quarter of the size nothing is read`(_ denominator: Int) throws {
        #expect(ScaledOutcome(scaling: try file("sampling-444"), denominator: denominator) == nil)
    }

    @Test(arguments: [
        "bad-codes", "dht-in-scan", "eoi-in-the-middle", "hole-in-scan", "no-ac-table",
        "restart-all-alike", "restart-missing", "restart-out-of-order", "restart-unannounced", "zeros-in-scan",
        "portrait-cut-at-50", "huffman-overfull", "scan-with-table-7", "component-ids-alike",
    ])
    func `A damaged file is left to the decoder`(_ name: String) throws {
        #expect(ScaledOutcome(scaling: try file("jpeg-" + name, in: "broken"), denominator: 8) == nil)
    }

    @Test(arguments: ["broken", "decodes-like-reference", "orientation", "colour"], [4, 8])
    func `Every file ends as it does in libjpeg`(_ folder: String, denominator: Int) throws {
        for fixture in Fixture.all(in: folder) {
            compare(try fixture.bytes, denominator: denominator, "\(fixture.testDescription)")
        }
    }

    /// `codes`: of one bit in each table, of an end of block and a DC of zero.
    private func oneBlock(codes: UInt8) -> [UInt8] {
        let table: [UInt8] = [codes] + [UInt8](repeating: 0, count: 15 + Int(codes))
        let quantisation: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        let head: [UInt8] = [0xFF, 0xC4, 0, UInt8(table.count + 3)]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9]
        var file: [UInt8] = [0xFF, 0xD8]
        for part in [quantisation, frame, head, [0x00], table, head, [0x10], table, scan] { file += part }
        return file
    }

    @Test func `Tables with a code of ones alone, which libjpeg refuses, are left to it`() {
        #expect(ScaledOutcome(scaling: oneBlock(codes: 1), denominator: 8)?.summary == "draws []")
        #expect(ScaledOutcome(scaling: oneBlock(codes: 2), denominator: 8) == nil)
        #expect(ScaledOutcome(oneBlock(codes: 2), denominator: 8).summary == "corrupt")
    }

    @Test func `Coefficients of another shape are refused`() throws {
        let (wide, high) = (try file("size-33x17-420"), try file("size-17x33-420"))
        for (bytes, other) in [(wide, high), (high, wide)] {
            #expect(ScaledOutcome(scaling: bytes, denominator: 8)?.summary == "draws []")
            #expect(ScaledOutcome(scaling: other, drawnAs: bytes, denominator: 8)?.summary == "corrupt")
        }
    }

    @Test(arguments: ["size-17x33-420", "restart-every-row", "gray"])
    func `Every prefix ends as it does in libjpeg`(_ name: String) throws {
        let bytes = try file(name)
        for count in 2..<bytes.count {
            compare(Array(bytes[..<count]), denominator: 8, "\(name), \(count) bytes")
        }
    }

    @Test(arguments: ["size-17x33-420", "restart-every-row", "baseline-optimised"], [4, 8])
    func `Every single changed byte ends as it does in libjpeg`(_ name: String, denominator: Int) throws {
        let bytes = try file(name)
        for offset in 2..<bytes.count {
            for mask: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
                var changed = bytes
                changed[offset] ^= mask
                compare(changed, denominator: denominator, "\(name), byte \(offset) ^ \(mask)")
            }
        }
    }

    private func compare(_ bytes: [UInt8], denominator: Int, _ what: Comment) {
        guard let outcome = ScaledOutcome(scaling: bytes, denominator: denominator) else { return }
        #expect(outcome.summary == ScaledOutcome(bytes, denominator: denominator).summary, what)
    }

    private func file(_ name: String, in folder: String = "decodes-like-reference") throws -> [UInt8] {
        let fixture = Fixture.all(in: folder).first { $0.name == name + ".jpg" }
        return try #require(fixture, "\(name)").bytes
    }
}
