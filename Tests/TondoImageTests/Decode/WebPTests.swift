import Testing
import TondoTestSupport

@testable import TondoImage

@Suite struct WebPTests {
    /// One of `decodes-like-reference/`.
    private func file(_ name: String) throws -> [UInt8] {
        try [UInt8](Repository.data("Tests/Fixtures/decodes-like-reference/\(name).webp"))
    }

    private func header(_ bytes: [UInt8]) throws -> ImageHeader {
        try bytes.withUnsafeBytes { try ImageHeader(probing: $0) }
    }

    private func pixels(_ bytes: [UInt8], _ plan: DecodePlan) throws -> (pixels: [[Int]], layout: Pixels.Layout) {
        let header = try header(bytes)
        return try bytes.withUnsafeBytes { bytes in
            let decoded = try Decoded.decodeWebP(bytes, header: header, plan: plan).pixels
            let samples = (0..<decoded.count).map { Int(decoded.bytes[$0]) }
            return (stride(from: 0, to: samples.count, by: 4).map { Array(samples[$0..<$0 + 4]) }, decoded.layout)
        }
    }

    private func plan(_ header: ImageHeader, _ region: PixelRectangle, denominator: Int = 1) -> DecodePlan {
        var plan = DecodePlan(header: header, crop: nil, side: 10_000)
        (plan.region, plan.denominator) = (region, denominator)
        return plan
    }

    @Test(arguments: [
        "webp-lossy-51x36", "webp-lossy-36x51", "webp-lossless-51x36", "webp-lossy-alpha", "webp-lossless-alpha",
        "webp-alpha-filtered-horizontally", "webp-animated", "webp-animated-inside", "webp-animated-at-the-edge",
    ])
    func `A region has the pixels of the whole picture`(_ name: String) throws {
        let bytes = try file(name)
        let header = try header(bytes)
        let whole = try pixels(
            bytes, plan(header, PixelRectangle(x: 0, y: 0, width: header.width, height: header.height)))
        for x in [0, 1, 2, 7, header.width - 1] {
            for y in [0, 1, 5, header.height - 1] {
                for side in [1, 2, 9, 30] {
                    let region = PixelRectangle(
                        x: x, y: y, width: min(side, header.width - x), height: min(side + 1, header.height - y))
                    let part = try pixels(bytes, plan(header, region))
                    let expected = (0..<region.height).flatMap { row in
                        (0..<region.width).map { whole.pixels[(y + row) * header.width + x + $0] }
                    }
                    #expect(part.pixels == expected, "\(region)")
                    #expect(part.layout == .straight || expected.allSatisfy { $0[3] == 255 })
                }
            }
        }
    }

    /// libwebp averages in YCbCr and rounds there.
    @Test(arguments: ["webp-lossy-51x36", "webp-lossy-50x50", "webp-lossy-quality-100"], [2, 4, 8])
    func `A scaled picture has the averages of its blocks`(_ name: String, _ denominator: Int) throws {
        let bytes = try file(name)
        let header = try header(bytes)
        let whole = try pixels(
            bytes, plan(header, PixelRectangle(x: 0, y: 0, width: header.width, height: header.height)))
        let (columns, rows) = (
            (header.width + denominator - 1) / denominator, (header.height + denominator - 1) / denominator
        )
        let scaled = try pixels(
            bytes, plan(header, PixelRectangle(x: 0, y: 0, width: columns, height: rows), denominator: denominator))
        #expect(scaled.layout == .opaque)
        var (sum, count) = (0.0, 0)
        for y in 0..<header.height / denominator {
            for x in 0..<header.width / denominator {
                for channel in 0..<3 {
                    let block = (0..<denominator * denominator).map { place in
                        let (row, column) = (
                            y * denominator + place / denominator, x * denominator + place % denominator
                        )
                        return whole.pixels[row * header.width + column][channel]
                    }
                    let average = Double(block.reduce(0, +)) / Double(block.count)
                    sum += abs(average - Double(scaled.pixels[y * columns + x][channel]))
                    count += 1
                }
            }
        }
        #expect(sum / Double(count) < 2.5)
        // A last block that is not whole repeats the one before.
        if header.width % denominator > 0 { #expect(scaled.pixels[columns - 1] == scaled.pixels[columns - 2]) }
        if header.height % denominator > 0 {
            #expect(scaled.pixels.suffix(columns) == scaled.pixels.dropLast(columns).suffix(columns))
        }
    }

    @Test(arguments: [
        ("webp-lossy-51x36", true), ("webp-lossless-51x36", false), ("webp-lossy-alpha", false), ("webp-canvas", false),
        ("webp-animated-inside", false),
    ])
    func `Only opaque lossy pictures are scaled by the decoder`(_ name: String, _ isScalable: Bool) throws {
        let geometry = try header(file(name)).geometry
        #expect(geometry.isScalable == isScalable && geometry.format == .webp)
        #expect(PhotoGeometry(packed: try #require(geometry.packed)) == geometry)
        #expect(DecodePlan.denominator(geometry, crop: nil, side: 4) == (isScalable ? 4 : 1))
    }

    @Test func `A profile that is too large is not kept`() throws {
        func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] { name.utf8 + number(payload.count) + payload }
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        let canvas = try [UInt8](file("webp-canvas").dropFirst(12))
        for (count, isKept) in [(4_000_000, true), (4_000_002, false)] {
            let profile = [UInt8](repeating: 7, count: count)
            let body = "WEBP".utf8 + canvas.prefix(18) + chunk("ICCP", profile) + canvas.dropFirst(18)
            let header = try header(chunk("RIFF", Array(body)))
            #expect(header.profile == (isKept ? .icc(profile) : .broken("it is larger than 4 MB")))
        }
    }

    @Test func `The estimate of memory counts the alpha of a lossy picture`() throws {
        func needed(_ name: String) throws -> Int {
            let header = try header(file(name))
            return header.decodeMemory(DecodePlan(header: header, crop: nil, side: 10_000))
        }
        #expect(try needed("webp-lossy-alpha") >= needed("webp-lossy-51x36") + 51 * 36 * 7)
    }

    @Test func `A picture that needs too much memory is refused before it is decoded`() throws {
        var limits = Limits()
        limits.maxMemory = 1_000_000
        let header = try header(file("webp-lossless-51x36"))
        let plan = DecodePlan(header: header, crop: nil, side: 10)
        #expect(header.decodeMemory(plan) > limits.maxMemory)
        #expect(throws: ImageError.overMemory(needed: header.decodeMemory(plan), limit: limits.maxMemory)) {
            try limits.check(plan, of: header)
        }
    }
}
