import Testing

@testable import TondoImage

@Suite struct LimitsTests {
    private func header(_ format: ImageHeader.Format, _ width: Int, _ height: Int) -> ImageHeader {
        ImageHeader(format: format, width: width, height: height)
    }

    @Test func `Sides and areas have a limit`() {
        let limits = Limits()
        #expect(throws: Never.self) { try limits.check(header(.jpeg, 65_500, 3_000)) }
        #expect(throws: ImageError.self) { try limits.check(header(.jpeg, 65_501, 1)) }
        #expect(throws: ImageError.self) { try limits.check(header(.png, 14_143, 14_143)) }
        #expect(throws: Never.self) { try limits.check(header(.png, 14_142, 14_142)) }
        #expect(throws: ImageError.corrupt("width or height is zero")) { try limits.check(header(.png, 0, 5)) }
    }

    @Test func `A progressive picture counts its full buffers`() {
        var photo = header(.jpeg, 8_000, 8_000)
        photo.sampling = Array(repeating: .init(identifier: 1, horizontal: 1, vertical: 1), count: 3)
        let plan = DecodePlan(header: photo, crop: nil, side: 128)
        #expect(photo.decodeMemory(plan) < 40_000_000)
        photo.isBuffered = true
        #expect(photo.decodeMemory(plan) > 8_000 * 8_000 * 3 * 2)
    }

    @Test func `An interlaced picture counts its full buffer, a plain one what is kept`() {
        var image = header(.png, 12_000, 400)
        let plan = DecodePlan(header: image, crop: nil, side: 128)
        #expect(image.decodeMemory(plan, budget: 2_000_000) < 2_000_000)
        image.isBuffered = true
        #expect(image.decodeMemory(plan, budget: 2_000_000) >= 12_000 * 400 * 4)
    }
}
