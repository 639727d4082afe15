import Testing
import TondoTestSupport

@testable import TondoImage

/// Damage beside the picture data of a PNG is called what it is.
@Suite struct MetadataWarningTests {
    private func warnings(_ name: String) throws -> [String] {
        let fixture = try #require(Fixture.all(in: "broken").first { $0.name == name })
        return try Rendering.avatar(fixture.bytes, Style(size: 32)).warnings.map(\.description)
    }

    @Test(arguments: [
        "png-icc-noise.png", "png-icc-not-zlib.png", "png-icc-of-cmyk.png", "png-icc-of-gray.png",
        "png-icc-tag-count-huge.png", "png-icc-truncated.png",
    ])
    func `A bad iCCP chunk is an ignored colour profile`(_ name: String) throws {
        let warnings = try warnings(name)
        #expect(warnings.count == 1)
        #expect(warnings.allSatisfy { $0.hasPrefix("colour profile ignored: ") }, "\(warnings)")
    }

    @Test func `A tEXt chunk with a wrong checksum is ignored`() throws {
        let warnings = try warnings("png-crc-text.png")
        #expect(warnings.count == 1)
        #expect(warnings.allSatisfy { $0.hasPrefix("ignored: tEXt: ") }, "\(warnings)")
    }
}
