import Testing
import TondoTestSupport

@testable import TondoImage

@Suite struct ScaledCoefficientsLanesTests {
    @Test(arguments: ["broken", "decodes-like-reference", "orientation", "colour"], [4, 8])
    func `Lanes read what one walk reads`(_ folder: String, denominator: Int) throws {
        for fixture in Fixture.all(in: folder) where fixture.name.hasSuffix(".jpg") {
            compare(try fixture.bytes, denominator: denominator, sizes: Self.sizes, "\(fixture.testDescription)")
        }
    }

    @Test(arguments: ["ada", "emi"], [4, 8])
    func `Nearly all of a photo is read in lanes`(_ name: String, denominator: Int) throws {
        let bytes = try Sample.bytes(name + ".jpg")
        let size = ScaledCoefficientsLanes.Size(spacing: 600...600)
        let coefficients = try #require(try read(bytes, denominator: denominator, lanes: size))
        let (columns, rows) = (coefficients.planes[1].shape.columns, coefficients.planes[1].shape.rows)
        #expect(coefficients.laneUnits * 10 > columns * rows * 8)
        compare(bytes, denominator: denominator, sizes: [size], "\(name)")
    }

    @Test func `Intervals between restart markers are read in lanes`() throws {
        let bytes = try file("restart-every-mcu")
        let coefficients = try #require(
            try read(bytes, denominator: 8, lanes: ScaledCoefficientsLanes.Size(spacing: 1...1)))
        #expect(coefficients.laneUnits > 0)
    }

    @Test(arguments: ["baseline-quality-100", "cmyk-adobe-inverted", "sampling-420", "gray"])
    func `Lanes may begin at any place`(_ name: String) throws {
        let bytes = try file(name)
        for spacing in 1...250 {
            let size = ScaledCoefficientsLanes.Size(spacing: spacing...spacing, batch: 1 + spacing % 3)
            compare(bytes, denominator: 8, sizes: [size], "\(name), \(spacing) bytes")
        }
    }

    @Test(arguments: ["baseline-quality-100", "restart-every-row", "baseline-optimised"], [4, 8])
    func `Lanes read damaged data as one walk does`(_ name: String, denominator: Int) throws {
        let bytes = try file(name)
        for offset in 2..<bytes.count {
            var changed = bytes
            changed[offset] ^= [0x01, 0x10, 0x80, 0xFF][offset % 4]
            compare(changed, denominator: denominator, sizes: [Self.sizes[offset % 3]], "\(name), byte \(offset)")
            if offset % 8 == 0 {
                let cut = Array(bytes[..<offset])
                compare(cut, denominator: denominator, sizes: [Self.sizes[0]], "\(name) to \(offset)")
            }
        }
    }

    @Test(arguments: ["baseline-quality-100", "sampling-420", "gray", "restart-every-row"])
    func `Random data are read as by one walk`(_ name: String) throws {
        let bytes = try file(name)
        var state: UInt64 = 1
        for count in 0..<300 {
            var changed = bytes
            // Behind the header, few bytes of which are not codes.
            for offset in bytes.count * 2 / 3..<bytes.count {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                changed[offset] = UInt8(truncatingIfNeeded: state >> 40) & (count % 2 == 0 ? 0x7F : 0xFE)
            }
            compare(changed, denominator: 8, sizes: [Self.sizes[count % 3]], "\(name), \(count)")
        }
    }

    @Test func `A damaged photo is read as by one walk`() throws {
        let bytes = try Sample.bytes("ada.jpg")
        var state: UInt64 = 3
        func number(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 40) % limit
        }
        for count in 0..<60 {
            var changed = bytes
            for _ in 0..<1 + count % 6 { changed[1000 + number(below: bytes.count - 1000)] ^= 1 << number(below: 8) }
            let least = 1 + number(below: count % 2 == 0 ? 20 : 600)
            let size = ScaledCoefficientsLanes.Size(
                spacing: least...least * (1 + number(below: 5)), batch: 1 + number(below: 20))
            compare(changed, denominator: 8, sizes: [size], "\(count)")
        }
    }

    @Test func `Lanes that never meet give way to one walk`() throws {
        let bytes = Self.unsynchronised(side: 256)
        let size = ScaledCoefficientsLanes.Size(spacing: 500...2000)
        let coefficients = try #require(try read(bytes, denominator: 8, lanes: size))
        #expect(coefficients.laneUnits < coefficients.planes[0].shape.columns * coefficients.planes[0].shape.rows / 5)
        compare(bytes, denominator: 8, sizes: [size], "codes of one length")
    }

    @Test func `A limit turns lanes off`() throws {
        let bytes = try Sample.bytes("ada.jpg")
        let (header, plan) = try ScaledOutcome.plan(bytes, denominator: 8)
        func isRead(inLanesFrom start: Int, plan: DecodePlan = plan, blockBytes: Int = 0) -> Bool {
            var limits = Limits()
            limits.lanesFrom = start
            limits.laneBlockBytes = blockBytes
            return ScaledCoefficientsLanes.Size(
                byteCount: bytes.count, header: header, plan: plan, limits: limits) != nil
        }
        #expect(isRead(inLanesFrom: bytes.count))
        #expect(!isRead(inLanesFrom: bytes.count + 1))
        #expect(!isRead(inLanesFrom: 0, blockBytes: 64))
        #expect(!isRead(inLanesFrom: 0, plan: try ScaledOutcome.plan(bytes, denominator: 4).plan))
        #expect(header.decodeMemory(plan) > ScaledCoefficientsLanes.memory)
    }

    @Test func `A picture that ends above the part to show is read by one walk`() throws {
        let bytes = try file("sampling-420")
        var (header, plan) = try ScaledOutcome.plan(bytes, denominator: 8)
        header.height = 0
        plan.region.height = 0
        let size = ScaledCoefficientsLanes.Size(spacing: 1...1)
        bytes.withUnsafeBytes { raw in
            #expect(ScaledCoefficients(bytes: raw, header: header, plan: plan, lanes: size)?.laneUnits == 0)
        }
    }

    private static let sizes = [
        ScaledCoefficientsLanes.Size(spacing: 1...4, batch: 1), ScaledCoefficientsLanes.Size(spacing: 7...7, batch: 3),
        ScaledCoefficientsLanes.Size(spacing: 30...90, batch: 16),
    ]

    /// A JPEG of three components whose codes have a byte each: who begins at the wrong byte stays wrong. `side`: pixels.
    private static func unsynchronised(side: Int) -> [UInt8] {
        let (high, low) = (UInt8(side >> 8), UInt8(side & 255))
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        bytes += [0xFF, 0xC0, 0, 17, 8, high, low, high, low, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
        // One code of four bits, for a value of four bits.
        for table: UInt8 in [0x00, 0x10] {
            bytes += [0xFF, 0xC4, 0, 20, table, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12) + [4]
        }
        bytes += [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0]
        // In turn above and below zero, so that no sum is out of range.
        for number in 0..<3 * (side / 8) * (side / 8) {
            bytes += [number / 3 % 2 == 0 ? 0x08 : 0x07] + (1..<64).map { UInt8((number * 7 + $0) & 15) }
        }
        return bytes + [0xFF, 0xD9]
    }

    private func read(
        _ bytes: [UInt8], denominator: Int, lanes: ScaledCoefficientsLanes.Size?
    ) throws -> ScaledCoefficients? {
        let (header, plan) = try ScaledOutcome.plan(bytes, denominator: denominator)
        return bytes.withUnsafeBytes { ScaledCoefficients(bytes: $0, header: header, plan: plan, lanes: lanes) }
    }

    private func compare(
        _ bytes: [UInt8], denominator: Int, sizes: [ScaledCoefficientsLanes.Size], _ what: Comment
    ) {
        // Without a header, there is nothing in either.
        let walk = (try? read(bytes, denominator: denominator, lanes: nil)).map(values)
        for size in sizes {
            let lanes = (try? read(bytes, denominator: denominator, lanes: size)).map(values)
            #expect(lanes == walk, what)
        }
    }

    private func values(_ coefficients: ScaledCoefficients) -> [[Int16]] {
        coefficients.planes.map { Array(UnsafeBufferPointer(start: $0.values, count: $0.shape.count)) }
    }

    private func file(_ name: String) throws -> [UInt8] {
        let fixture = Fixture.all(in: "decodes-like-reference").first { $0.name == name + ".jpg" }
        return try #require(fixture, "\(name)").bytes
    }
}
