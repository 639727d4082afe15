import Foundation
import Testing
import TondoTestSupport

@testable import TondoImage

/// One test a file of `Tests/Fixtures`: dropping a file in adds a test.
@Suite struct FixtureTests {
    @Test(arguments: [
        ("decodes-like-reference", 100), ("orientation", 40), ("colour", 50), ("unsupported", 25), ("refused", 15),
        ("broken", 120),
    ])
    func `Every folder of fixtures is found`(_ folder: String, atLeast: Int) {
        #expect(Fixture.all(in: folder).count >= atLeast)
    }

    @Test(arguments: Fixture.all(in: "decodes-like-reference"))
    func `It decodes like an independent decoder`(_ fixture: Fixture) throws { try compare(fixture) }

    @Test(arguments: Fixture.all(in: "orientation"))
    func `It comes out upright`(_ fixture: Fixture) throws { try compare(fixture) }

    @Test(arguments: Fixture.all(in: "colour"))
    func `Its colour comes out in sRGB`(_ fixture: Fixture) throws {
        let (image, _) = try Rendering.square(fixture.bytes)
        let wanted = try #require(fixture.expectation.srgb)
        let middle = image.pixels[image.side / 2 * image.side + image.side / 2]
        for (channel, value) in wanted.enumerated() {
            #expect(abs(Double(middle[channel]) - value) <= (fixture.expectation.tolerance ?? 2), "channel \(channel)")
        }
    }

    @Test(arguments: Fixture.all(in: "unsupported"))
    func `It is refused by name`(_ fixture: Fixture) throws { try judge(fixture) }

    @Test(arguments: Fixture.all(in: "refused"))
    func `It is refused before anything is allocated`(_ fixture: Fixture) throws { try judge(fixture) }

    @Test(arguments: Fixture.all(in: "broken"))
    func `Its damage has the stated outcome`(_ fixture: Fixture) throws { try judge(fixture) }

    private func judge(_ fixture: Fixture) throws {
        let (code, message, warnings) = Rendering.outcome(try fixture.bytes)
        let allowed = try #require(fixture.expectation.outcome).values
        #expect(allowed.contains(code), "\(message)")
        if let text = fixture.expectation.says { #expect(message.lowercased().contains(text.lowercased())) }
        if fixture.expectation.warning == true { #expect(!warnings.isEmpty) }
        if allowed == ["draws"], code == "draws", fixture.expectedImage != nil { try compare(fixture) }
    }

    private func compare(_ fixture: Fixture) throws {
        let file = try #require(fixture.expectedImage)
        let expected = try #require(PNGReader([UInt8](Data(contentsOf: file))).pixels())
        let (image, warnings) = try Rendering.square(fixture.bytes)
        try #require(image.pixels.count * 4 == expected.count)
        let difference = ImageDifference(image, expected: expected)
        if let limit = fixture.expectation.mae { #expect(difference.meanAbsoluteError <= limit) }
        if let limit = fixture.expectation.psnr { #expect(difference.psnr >= limit) }
        if fixture.expectation.warning == true { #expect(!warnings.isEmpty) }
    }
}
