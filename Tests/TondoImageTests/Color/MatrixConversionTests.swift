import Foundation
import Testing
import TondoTestSupport
import lcms2

@testable import TondoImage

/// The pipeline of Little CMS without its optimiser is the reference.
@Suite struct MatrixConversionTests {
    private typealias Curve = [UInt8]

    /// Parts in 255 that the worst colour of a lattice is off, dark ones included; nil: one of both refuses the profile.
    private func error(
        _ bytes: [UInt8], _ space: ColorTransform.Space = .rgb, of colors: [SIMD4<Float>]? = nil
    ) throws -> Float? {
        let colors = colors ?? Self.lattice(space)
        let reference = reference(bytes, space, of: colors)
        guard let transform = try? ColorTransform(profile: .icc(bytes), space: space) else {
            #expect(reference == nil)
            return nil
        }
        var pixels = colors
        transform.convert(&pixels)
        return try zip(pixels, #require(reference)).map { pair in
            let difference = pair.0 - pair.1
            return max(difference.max(), -difference.min())
        }.max()
    }

    private static func lattice(_ space: ColorTransform.Space) -> [SIMD4<Float>] {
        let steps: [Float] = [0, 1, 3, 6, 10, 17, 29, 43, 60, 85, 111, 128, 150, 177, 204, 230, 250, 255]
        if space == .gray { return (0...255).map { SIMD4(Float($0), Float($0), Float($0), 255) } }
        let fourth: [Float] = space == .cmyk ? [0, 20, 100, 255] : [255]
        return steps.flatMap { r in steps.flatMap { g in steps.flatMap { b in fourth.map { SIMD4(r, g, b, $0) } } } }
    }

    private func reference(
        _ bytes: [UInt8], _ space: ColorTransform.Space, of pixels: [SIMD4<Float>]
    ) -> [SIMD4<Float>]? {
        guard let source = cmsOpenProfileFromMem(bytes, UInt32(bytes.count)) else { return nil }
        defer { cmsCloseProfile(source) }
        let target = cmsCreate_sRGBProfile()
        defer { cmsCloseProfile(target) }
        let isOneGray = cmsGetColorSpace(source) == cmsSigGrayData
        let channels = space == .cmyk ? 4 : isOneGray ? 1 : 3
        let model = UInt32(space == .cmyk ? PT_CMYK : isOneGray ? PT_GRAY : PT_RGB)
        guard
            let handle = cmsCreateTransform(
                source, model << 16 | UInt32(channels) << 3 | 2, target, UInt32(PT_RGB) << 16 | 3 << 3 | 2,
                UInt32(INTENT_PERCEPTUAL), UInt32(cmsFLAGS_NOOPTIMIZE))
        else { return nil }
        defer { cmsDeleteTransform(handle) }
        let values = pixels.flatMap { pixel in (0..<channels).map { UInt16(pixel[$0]) * 257 } }
        var result = [UInt16](repeating: 0, count: pixels.count * 3)
        cmsDoTransform(handle, values, &result, UInt32(pixels.count))
        return pixels.indices.map { i in
            SIMD4(Float(result[i * 3]), Float(result[i * 3 + 1]), Float(result[i * 3 + 2]), 65535) / 257
        }
    }

    /// It takes the own way, and not Little CMS.
    private func isOwn(_ bytes: [UInt8]) -> Bool {
        guard let profile = cmsOpenProfileFromMem(bytes, UInt32(bytes.count)) else { return false }
        defer { cmsCloseProfile(profile) }
        return MatrixConversion(profile: profile) != nil
    }

    @Test func `Every profile of the fixtures is exact to one part in 255`() throws {
        var profiles: [[UInt8]: ColorTransform.Space] = [:]
        for fixture in Fixture.all(in: "decodes-like-reference") {
            guard let header = try? fixture.bytes.withUnsafeBytes({ try ImageHeader(probing: $0) }) else { continue }
            guard case .icc(let bytes) = header.profile else { continue }
            profiles[bytes] = fixture.name.contains("cmyk") ? .cmyk : header.isGray ? .gray : .rgb
        }
        #expect(profiles.count >= 7)
        for (bytes, space) in profiles {
            let error = try #require(try error(bytes, space))
            #expect(error <= 1, "\(bytes.count) bytes: \(error)")
            #expect(isOwn(bytes) == (space != .cmyk))
        }
    }

    /// Curves as profiles have them, and worse ones.
    private static let curves: [(name: String, bytes: Curve, isOwn: Bool)] = [
        ("sRGB", TestProfile.sRGB, true),
        ("Adobe RGB", TestProfile.sampled([563]), true),
        ("linear", TestProfile.sampled([]), true),
        ("gamma 1.8", TestProfile.parametric(0, [1.8]), true),
        ("Rec. 709", TestProfile.parametric(3, [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081]), true),
        ("L*", TestProfile.parametric(3, [3, 1 / 1.16, 0.16 / 1.16, 1 / 9.033, 0.08]), true),
        ("two samples", TestProfile.sampled([0, 65535]), true),
        ("samples up and down", TestProfile.sampled([0, 40000, 9000, 65535]), true),
        ("1,024 samples", TestProfile.sampled((0..<1024).map { UInt16($0 * $0 / 16) }), true),
        ("a black that is not black", TestProfile.sampled([3000, 20000, 65535]), false),
        ("a step", TestProfile.parametric(3, [2.2, 1, 0, 0.1, 0.5]), false),
        ("an offset", TestProfile.parametric(4, [2.2, 1, 0, 1, 0.1, 0.1, 0.05]), false),
        ("steep at black", TestProfile.parametric(0, [0.3]), false),
        ("steep at white", TestProfile.parametric(0, [120]), false),
        ("a negative base", TestProfile.parametric(2, [2.2, -1, 0.5, 0]), true),
        ("a factor of 0", TestProfile.parametric(1, [2.2, 0, 0.5]), true),
        ("more than white", TestProfile.parametric(0, [-1]), false),
        ("20,000 samples", TestProfile.sampled((0..<20000).map { UInt16($0 * 3) }), false),
    ]

    @Test(arguments: Self.curves, [2, 4])
    func `A profile with this curve is exact to one part in 255`(
        _ curve: (name: String, bytes: [UInt8], isOwn: Bool), _ version: UInt8
    ) throws {
        var color = TestProfile.displayP3(curve.bytes)
        color.version = version
        #expect(try error(color.bytes) ?? 0 <= 1)
        #expect(isOwn(color.bytes) == curve.isOwn)
        var gray = TestProfile(gray: curve.bytes)
        gray.version = version
        #expect(try error(gray.bytes, .gray) ?? 0 <= 1)
        #expect(isOwn(gray.bytes) == curve.isOwn)
    }
}

extension MatrixConversionTests {
    @Test func `Channels may have curves of their own`() throws {
        let profile = TestProfile(curves: [
            TestProfile.sRGB, TestProfile.sampled([512]), TestProfile.parametric(0, [1.8]),
        ])
        #expect(isOwn(profile.bytes))
        #expect(try #require(try error(profile.bytes)) <= 1)
        let mixed = TestProfile(curves: [TestProfile.sRGB, TestProfile.sampled([0, 9000, 65535]), TestProfile.sRGB])
        #expect(!isOwn(mixed.bytes))
        #expect(try #require(try error(mixed.bytes)) <= 1)
    }

    @Test func `Matrices without an inverse are fine, and enormous ones are left to Little CMS`() throws {
        let flat = TestProfile(
            curves: Array(repeating: TestProfile.sRGB, count: 3),
            colorants: Array(repeating: [0.32, 0.33, 0.27], count: 3))
        #expect(isOwn(flat.bytes))
        #expect(try #require(try error(flat.bytes)) <= 1)
        let large = TestProfile(
            curves: Array(repeating: TestProfile.sRGB, count: 3),
            colorants: [[30000, -20000, 5], [-32768, 32767, 7], [0, 1, 32767]])
        #expect(!isOwn(large.bytes))
        #expect(try #require(try error(large.bytes)) <= 1)
    }

    @Test(arguments: ["A2B0", "D2B0"])
    func `A profile that has a table, too, is left to Little CMS`(_ name: String) throws {
        var profile = TestProfile.displayP3(TestProfile.sRGB)
        profile.tags.append((name, TestProfile.sampled([7])))
        #expect(!isOwn(profile.bytes))
        _ = try error(profile.bytes)
    }

    /// Their steps for each pixel have no bound. The table is inexact in the dark, by which it is seen here.
    @Test func `Processing elements run for a table alone, and not for each pixel`() throws {
        var profile = TestProfile.displayP3(TestProfile.sRGB)
        profile.tags.append(("D2B0", TestProfile.elements))
        #expect(try #require(try error(profile.bytes)) > 2)
    }

    @Test func `Links, named colours and other connection spaces are left to Little CMS`() throws {
        for deviceClass in ["link", "nmcl", "abst"] {
            var profile = TestProfile.displayP3(TestProfile.sRGB)
            profile.deviceClass = deviceClass
            #expect(!isOwn(profile.bytes), "\(deviceClass)")
        }
        var gray = TestProfile(gray: TestProfile.sRGB)
        gray.connection = "Lab "
        #expect(!isOwn(gray.bytes))
        #expect(try #require(try error(gray.bytes, .gray)) <= 1)
    }

    @Test func `Damaged profiles are exact to one part in 255, or refused by both`() throws {
        var noise = Noise()
        var (own, other) = (0, 0)
        for round in 0..<Self.rounds {
            let curve = Self.curves[round % Self.curves.count].bytes
            let isGray = round % 5 == 0
            var bytes = isGray ? TestProfile(gray: curve).bytes : TestProfile.displayP3(curve).bytes
            for _ in 0...round % 3 {
                // Mostly the tags; the header is the same for all.
                let place = 128 + Int(noise.next() % UInt64(min(bytes.count - 128, 400)))
                bytes[noise.next() % 8 == 0 ? place - 128 : place] = noise.byte()
            }
            guard ICCProfile.problem(bytes) == nil else { continue }
            let colors = (0..<32).map { _ in
                let gray = Float(noise.byte())
                return isGray
                    ? SIMD4(gray, gray, gray, 255) : SIMD4(Float(noise.byte() / 8), Float(noise.byte()), gray, 255)
            }
            guard let error = try error(bytes, isGray ? .gray : .rgb, of: colors) else { continue }
            if isOwn(bytes) { own += 1 } else { other += 1 }
            #expect(error <= 1, "round \(round): \(error), own: \(isOwn(bytes))")
        }
        #expect(own * 10 > Self.rounds && other * 10 > Self.rounds)
    }

    private static let rounds = ProcessInfo.processInfo.environment["TONDO_PROFILES"].flatMap { Int($0) } ?? 500

    @Test func `A profile of sRGB changes no pixel, in colour and in gray`() throws {
        let gray = TestProfile(gray: TestProfile.sRGB)
        #expect(try ColorTransform(profile: .icc(gray.bytes), space: .gray).isIdentity)
        #expect(
            try !ColorTransform(profile: .icc(TestProfile.displayP3(TestProfile.sRGB).bytes), space: .rgb).isIdentity)
        let dark = TestProfile(gray: TestProfile.parametric(0, [1.8]))
        #expect(try !ColorTransform(profile: .icc(dark.bytes), space: .gray).isIdentity)
    }

    @Test func `Half a pixel has half the colour, and an empty one none`() throws {
        let transform = try ColorTransform(
            profile: .icc(TestProfile.displayP3(TestProfile.sRGB).bytes), space: .rgb)
        var pixels: [SIMD4<Float>] = [
            SIMD4(200, 120, 90, 255), SIMD4(100, 60, 45, 127.5), .zero, SIMD4(-9, 300, 1, 255),
        ]
        transform.convert(&pixels)
        let difference = pixels[0] / 2 - pixels[1]
        #expect((difference * difference).max() < 0.01)
        #expect(pixels[2] == .zero)
        #expect(pixels[3].min() >= 0 && pixels[3].max() <= 255)
    }
}
