import CJPEG
import CKernels
import Testing
import TondoTestSupport

@testable import TondoImage

/// Samples that are made here are those that libjpeg makes of the same coefficients.
@Suite struct ScaledSamplesTests {
    @Test(
        arguments: [
            "gray", "gray-sampling-2x2", "sampling-444", "sampling-420", "size-17x33-444", "size-33x17-420",
            "size-41x41-420",
            "extended-16-bit-quantisation", "baseline-quality-100",
        ], [4, 8])
    func `They are made here where each component has one a pixel`(_ name: String, denominator: Int) throws {
        let photo = try #require(ReadPhoto(reading: try file(name), denominator: denominator))
        #expect(photo.made(byLibrary: false).isMadeHere)
        try photo.compareRegions()
    }

    @Test(
        arguments: [
            "sampling-422", "sampling-440", "cmyk-adobe-inverted", "ycck-adobe-inverted", "rgb-adobe-transform-0",
        ],
        [4, 8])
    func `libjpeg makes all others`(_ name: String, denominator: Int) throws {
        let photo = try #require(ReadPhoto(reading: try file(name), denominator: denominator))
        #expect(!photo.made(byLibrary: false).isMadeHere)
        try photo.compareRegions()
    }

    @Test(arguments: ["decodes-like-reference", "orientation", "colour"], [4, 8])
    func `Every picture is libjpeg's`(_ folder: String, denominator: Int) throws {
        for fixture in Fixture.all(in: folder) {
            // The coefficients of some are not read here.
            guard let photo = ReadPhoto(reading: try fixture.bytes, denominator: denominator) else { continue }
            #expect(
                photo.made(byLibrary: false).pixels == photo.made(byLibrary: true).pixels, "\(fixture.testDescription)")
        }
    }

    @Test(arguments: ["sampling-444", "sampling-420", "gray"], [4, 8])
    func `Random coefficients give libjpeg's picture`(_ name: String, denominator: Int) throws {
        let photo = try #require(ReadPhoto(reading: try file(name), denominator: denominator))
        var random = SplitMix64(11)
        // Small ones, large ones, and some that no picture has.
        for most in [3, 30, 300, 2000, 32767] {
            for plane in photo.coefficients.planes {
                for index in 0..<plane.shape.count {
                    plane.values[index] = Int16.random(in: -Int16(most)...Int16(most), using: &random)
                }
            }
            let (own, other) = (photo.made(byLibrary: false), photo.made(byLibrary: true))
            #expect(own.pixels == other.pixels, "up to \(most)")
            #expect(!own.pixels.isEmpty)
            if most == 3 { #expect(own.isMadeHere) }
            if most == 32767 { #expect(!own.isMadeHere) }
        }
    }

    @Test(arguments: [0, 1]) func `Two samples of eight coefficients are libjpeg's`(_ seed: Int) throws {
        // Progressive files with halved chroma have all coefficients of it.
        let read = try #require(ReadPhoto(reading: try file("sampling-420"), denominator: 8))
        let photo = ReadPhoto(
            bytes: read.bytes, header: read.header, plan: read.plan,
            coefficients: try #require(
                ScaledCoefficients(
                    shapes: read.header.coefficientShapes(sides: [1, 8, 8]),
                    headerCount: read.coefficients.headerCount)))
        var random = SplitMix64(UInt64(seed))
        for plane in photo.coefficients.planes {
            for index in 0..<plane.shape.count where seed == 0 || Int.random(in: 0..<9, using: &random) == 0 {
                plane.values[index] = Int16.random(in: -20...20, using: &random)
            }
        }
        let own = photo.made(byLibrary: false)
        #expect(own.isMadeHere)
        #expect(own.pixels == photo.made(byLibrary: true).pixels)
    }

    @Test func `A coefficient that no picture has is noted, whatever its place`() {
        let quantizers = [UInt16](repeating: 1, count: 64)
        for size in [1, 2, 4] {
            for index in 0..<size * size {
                for (value, isKnown) in [(2047, true), (2048, false), (-2048, true), (-2049, false)] {
                    var values = [Int16](repeating: 0, count: 3 * size * size)
                    values[size * size + index] = Int16(value)
                    #expect(Self.isKnown(values, quantizers, size: size) == isKnown, "\(value) at \(index)")
                }
            }
        }
    }

    private static func isKnown(_ values: [Int16], _ quantizers: [UInt16], size: Int) -> Bool {
        let count = values.count / size / size
        var samples = [UInt8](repeating: 0, count: count * size * size)
        return values.withUnsafeBufferPointer { values in
            quantizers.withUnsafeBufferPointer { quantizers in
                var blocks = ckernels_blocks(
                    values: values.baseAddress, count: count, side: size, quantizers: quantizers.baseAddress,
                    size: size)
                return ckernels_samples(&blocks, &samples, count * size) != 0
            }
        }
    }

    private func file(_ name: String) throws -> [UInt8] {
        let fixture = Fixture.all(in: "decodes-like-reference").first { $0.name == name + ".jpg" }
        return try #require(fixture, "\(name)").bytes
    }
}

/// A photo with its coefficients, of which pictures are made.
private struct ReadPhoto {
    let bytes: [UInt8]
    let header: ImageHeader
    let plan: DecodePlan
    let coefficients: ScaledCoefficients

    struct Made {
        var pixels: [UInt8] = []
        var isMadeHere = false
    }

    init(bytes: [UInt8], header: ImageHeader, plan: DecodePlan, coefficients: ScaledCoefficients) {
        self.bytes = bytes
        self.header = header
        self.plan = plan
        self.coefficients = coefficients
    }

    init?(reading bytes: [UInt8], denominator: Int) {
        guard let (header, plan) = try? ScaledOutcome.plan(bytes, denominator: denominator),
            let coefficients = bytes.withUnsafeBytes({ ScaledCoefficients(bytes: $0, header: header, plan: plan) })
        else { return nil }
        self.init(bytes: bytes, header: header, plan: plan, coefficients: coefficients)
    }

    /// No pixels: an error. `region`: nil for that of the plan.
    func made(byLibrary: Bool, region: PixelRectangle? = nil) -> Made {
        let region = region ?? plan.region
        var (range, requested) = (cjpeg_range(offset: 0, count: coefficients.headerCount), coefficients.requested)
        return bytes.withUnsafeBufferPointer { bytes in
            withUnsafePointer(to: &range) { range in
                requested.withUnsafeMutableBufferPointer { requested in
                    var (request, result) = (cjpeg_request(), cjpeg_result())
                    request.bytes = bytes.baseAddress
                    (request.ranges, request.range_count) = (range, 1)
                    request.coefficients = UnsafePointer(requested.baseAddress)
                    request.coefficients_count = requested.count
                    request.by_library = byLibrary ? 1 : 0
                    request.denominator = UInt32(plan.denominator)
                    (request.x, request.y) = (UInt32(region.x), UInt32(region.y))
                    (request.width, request.height) = (UInt32(region.width), UInt32(region.height))
                    request.max_memory = 1 << 26
                    guard cjpeg_decode(&request, &result) == CJPEG_OK, let pixels = result.pixels else { return Made() }
                    defer { pixels.deallocate() }
                    let count = region.width * region.height * 4
                    return Made(
                        pixels: Array(UnsafeBufferPointer(start: pixels, count: count)),
                        isMadeHere: result.by_library == 0)
                }
            }
        }
    }

    /// The whole picture, and parts at its edges and within.
    func compareRegions() throws {
        let (width, height) = (plan.region.width, plan.region.height)
        for (x, y, right, bottom) in [
            (0, 0, width, height), (1, 2, width, height), (0, 0, 1, 1), (width - 1, height - 1, width, height),
            (width / 3, 1, width - 1, height - 1), (3, height / 2, width, height / 2 + 1),
        ] {
            let region = PixelRectangle(
                x: plan.region.x + x, y: plan.region.y + y, width: max(right - x, 1), height: max(bottom - y, 1))
            let (own, other) = (made(byLibrary: false, region: region), made(byLibrary: true, region: region))
            #expect(own.pixels == other.pixels, "\(region)")
        }
    }
}
