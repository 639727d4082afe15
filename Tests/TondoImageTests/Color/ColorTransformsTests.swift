import Testing
import TondoTestSupport

@testable import TondoImage

@Suite struct ColorTransformsTests {
    private static let image = FloatImage(
        side: 4,
        pixels: (0..<16).map { index in
            let i = Float(index)
            return SIMD4(i * 17, 255 - i * 11, (i * 53).truncatingRemainder(dividingBy: 256), 255)
        })

    private func profile(_ name: String) throws -> [UInt8] {
        let fixture = try #require(
            Fixture.all(in: "decodes-like-reference").first { $0.name == name })
        let header = try fixture.bytes.withUnsafeBytes { try ImageHeader(probing: $0) }
        guard case .icc(let bytes) = header.profile else { throw ColorTransform.Failure(reason: "\(name) has none") }
        return bytes
    }

    /// Display P3 with nine different reds: the first number of rXYZ, whose position the tag table contains.
    private func nineProfiles() throws -> [EmbeddedProfile] {
        let original = try profile("icc-p3-v4.jpg")
        let tags = (0..<Int(original[131])).map { 132 + $0 * 12 }
        let entry = try #require(tags.first { Array(original[$0..<$0 + 4]) == Array("rXYZ".utf8) })
        let offset = original[entry + 4..<entry + 8].reduce(0) { $0 << 8 | Int($1) }
        return (0..<9).map { number in
            var bytes = original
            bytes[offset + 10] = UInt8(0x50 + number * 12)
            return .icc(bytes)
        }
    }

    private func convert(_ profile: EmbeddedProfile, by transforms: ColorTransforms) throws -> [SIMD4<Float>] {
        let transform = try transforms.transform(for: profile, space: .rgb)
        return ColorConversion.convert(transform).convert(Self.image).pixels
    }

    @Test func `Nine profiles of equal length are each converted as if alone, over and over`() throws {
        let profiles = try nineProfiles()
        let wanted = try profiles.map { try convert($0, by: ColorTransforms()) }
        #expect(Set(wanted).count == 9)
        let shared = ColorTransforms()
        for index in [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 4, 8, 1, 1, 7, 2, 0, 3, 6, 5, 8, 4] {
            #expect(try convert(profiles[index], by: shared) == wanted[index], "profile \(index)")
        }
    }

    @Test func `A profile known from gray pictures is still refused for colour ones`() throws {
        let gray = EmbeddedProfile.icc(try profile("icc-gray.jpg"))
        let shared = ColorTransforms()
        #expect(try shared.transform(for: gray, space: .gray).channels == 1)
        #expect(throws: ColorTransform.Failure.self) { try shared.transform(for: gray, space: .rgb) }
    }

    @Test func `A profile known from colour pictures is still refused for inks`() throws {
        let color = try nineProfiles()[0]
        let shared = ColorTransforms()
        #expect(try shared.transform(for: color, space: .rgb).channels == 3)
        #expect(throws: ColorTransform.Failure.self) { try shared.transform(for: color, space: .cmyk) }
    }
}
