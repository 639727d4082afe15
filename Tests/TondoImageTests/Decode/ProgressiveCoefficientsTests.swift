import Testing
import TondoTestSupport

@testable import TondoImage

/// The own reader of progressive scans against libjpeg: where it reads a file, all pixels and warnings are the same.
@Suite struct ProgressiveCoefficientsTests {
    private static let scales = [1, 2, 4, 8]

    @Test(arguments: [
        "progressive", "progressive-chroma-refined-first", "gray-progressive", "icc-p3-v2-progressive",
        "restart-progressive", "sampling-420-progressive", "sampling-440-progressive", "sampling-444-progressive",
        "size-41x25-progressive",
    ])
    func `At each scale the pixels are exactly those that libjpeg reads`(_ name: String) throws {
        let bytes = try file(name)
        for denominator in Self.scales {
            let own = try #require(ScaledOutcome(progressive: bytes, denominator: denominator))
            #expect(own == ScaledOutcome(bytes, denominator: denominator), "1/\(denominator)")
            #expect(!own.pixels.isEmpty)
        }
    }

    @Test(arguments: ["arithmetic-progressive", "restart-arithmetic-progressive", "sampling-420", "gray"])
    func `Only progressive Huffman files are read`(_ name: String) throws {
        #expect(ScaledOutcome(progressive: try file(name), denominator: 8) == nil)
    }

    @Test(arguments: ["broken", "decodes-like-reference", "orientation", "colour", "quality"])
    func `Every file ends as it does in libjpeg`(_ folder: String) throws {
        for fixture in Fixture.all(in: folder) { compare(try fixture.bytes, "\(fixture.testDescription)") }
    }

    @Test(arguments: ["progressive", "restart-progressive", "progressive-chroma-refined-first"])
    func `Every prefix ends as it does in libjpeg`(_ name: String) throws {
        let bytes = try file(name)
        for count in 2..<bytes.count {
            compare(Array(bytes[..<count]), "\(name), \(count) bytes", denominators: [Self.scales[count % 4]])
        }
    }

    @Test(arguments: ["progressive", "restart-progressive", "progressive-chroma-refined-first"])
    func `Every single changed byte ends as it does in libjpeg`(_ name: String) throws {
        let bytes = try file(name)
        for offset in 2..<bytes.count {
            for (index, mask) in ([0x01, 0x10, 0x80, 0xFF] as [UInt8]).enumerated() {
                var changed = bytes
                changed[offset] ^= mask
                // Each change at one scale, and each scale with each change in turn.
                let denominator = Self.scales[(offset + index) % 4]
                compare(changed, "\(name), byte \(offset) ^ \(mask), 1/\(denominator)", denominators: [denominator])
            }
        }
    }

    @Test(arguments: [[0xFF, 0xC2, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0], [0xFF, 0xDB, 0, 3, 0x10]] as [[UInt8]])
    func `Segments behind the scans that libjpeg refuses are left to it`(_ segment: [UInt8]) throws {
        var bytes = try file("progressive")
        try #require(bytes.suffix(2) == [0xFF, 0xD9])
        bytes.insert(contentsOf: segment, at: bytes.count - 2)
        #expect(ScaledOutcome(progressive: bytes, denominator: 8) == nil)
        #expect(ScaledOutcome(selecting: bytes, denominator: 8).summary == "corrupt")
    }

    @Test func `A scan whose components are in another order is left to libjpeg`() throws {
        var bytes = try file("progressive")
        let scans = bytes.indices.dropLast(12).filter { Array(bytes[$0..<$0 + 5]) == [0xFF, 0xDA, 0, 12, 3] }
        let last = try #require(scans.last)
        try #require(scans.count > 1)
        // Of three, the last two.
        let pairs = last + 7..<last + 11
        bytes.replaceSubrange(pairs, with: Array(bytes[pairs].suffix(2) + bytes[pairs].prefix(2)))
        #expect(ScaledOutcome(progressive: bytes, denominator: 8) == nil)
        #expect(ScaledOutcome(selecting: bytes, denominator: 8).summary == "corrupt")
    }

    @Test func `A first scan that nothing needs, and that libjpeg refuses, is left out`() throws {
        var bytes = try file("gray-progressive")
        let first = try #require(bytes.indices.dropLast(10).first { Array(bytes[$0..<$0 + 2]) == [0xFF, 0xDA] })
        // AC coefficients without their low 14 bits.
        bytes.insert(contentsOf: [0xFF, 0xDA, 0, 8, 1, bytes[first + 5], 0, 1, 63, 14, 0, 0], at: first)
        #expect(ScaledOutcome(selecting: bytes, denominator: 8).summary == "draws []")
        compare(bytes, "")
    }

    private func compare(_ bytes: [UInt8], _ what: Comment, denominators: [Int] = scales) {
        for denominator in denominators {
            guard let own = ScaledOutcome(progressive: bytes, denominator: denominator) else { continue }
            #expect(own == ScaledOutcome(selecting: bytes, denominator: denominator), what)
        }
    }

    private func file(_ name: String) throws -> [UInt8] {
        let fixture = Fixture.all(in: "decodes-like-reference").first { $0.name == name + ".jpg" }
        return try #require(fixture, "\(name)").bytes
    }
}
