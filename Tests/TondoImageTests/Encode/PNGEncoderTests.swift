import Testing

@testable import TondoImage

@Suite struct PNGEncoderTests {
    private static let sizes = [
        (1, 1), (1, 40), (40, 1), (2, 2), (3, 3), (16, 16), (17, 31), (128, 128), (500, 40), (40, 500),
    ]

    private func isRestored(_ pixels: [UInt8], _ width: Int, _ height: Int) -> Bool {
        let reader = PNGReader(PNGEncoder.encode(pixels: pixels, width: width, height: height))
        return reader.pixels() == pixels && reader.filteredRows(width: width, height: height) != nil
    }

    @Test(arguments: TestImage.allCases)
    func `libpng and zlib restore every picture of every size`(image: TestImage) {
        for (width, height) in Self.sizes {
            let pixels = image.pixels(width: width, height: height)
            #expect(isRestored(pixels, width, height), "\(image) of \(width) x \(height)")
        }
    }

    @Test(arguments: TestImage.allCases)
    func `libpng and zlib restore pictures of many blocks`(image: TestImage) {
        #expect(isRestored(image.pixels(width: 500, height: 300), 500, 300))
    }

    @Test func `libpng and zlib restore the widest rows`() {
        #expect(isRestored(TestImage.photograph.pixels(width: 3072, height: 20), 3072, 20))
    }

    @Test func `Matches as far as the window are restored`() {
        // Rows of 8189 bytes: four rows back is 32756 bytes, five is too far.
        let row = TestImage.random.pixels(width: 2047, height: 1)
        let others = TestImage.random.pixels(width: 2047, height: 4).dropFirst(row.count)
        let pixels = row + others + row + others + row
        #expect(isRestored(pixels, 2047, 9))
    }

    @Test func `A distance of exactly the window is restored`() {
        // A row of 32765 bytes; pixels 8192 apart in it are 32768 bytes apart.
        let part = TestImage.random.pixels(width: 8192, height: 1)
        #expect(isRestored(part + part, 16_384, 1))
    }

    @Test func `Every filter is chosen somewhere`() throws {
        var used: Set<UInt8> = []
        for image in TestImage.allCases {
            let pixels = image.pixels(width: 96, height: 96)
            let reader = PNGReader(PNGEncoder.encode(pixels: pixels, width: 96, height: 96))
            let rows = try #require(reader.filteredRows(width: 96, height: 96))
            for row in 0..<96 { used.insert(rows[row * 385]) }
        }
        #expect(used == [0, 1, 2, 3, 4])
    }

    @Test func `Two runs give the same bytes`() {
        let pixels = TestImage.circle.pixels(width: 144, height: 144)
        let once = PNGEncoder.encode(pixels: pixels, width: 144, height: 144)
        #expect(once == PNGEncoder.encode(pixels: pixels, width: 144, height: 144))
    }

    @Test func `Noise is stored with next to no overhead`() {
        let pixels = TestImage.random.pixels(width: 300, height: 300)
        #expect(PNGEncoder.encode(pixels: pixels, width: 300, height: 300).count < 361_000)
    }

    @Test func `A transparent picture takes few bytes`() {
        let pixels = TestImage.transparent.pixels(width: 512, height: 512)
        #expect(PNGEncoder.encode(pixels: pixels, width: 512, height: 512).count < 1200)
    }

    @Test func `The chunks are in order and have right checksums`() {
        let bytes = PNGEncoder.encode(
            pixels: [1, 2, 3, 255], width: 1, height: 1, text: [("Title", "Ada"), ("Comment", "x")])
        let chunks = PNGReader(bytes).chunks
        #expect(chunks.map(\.type) == ["IHDR", "sRGB", "tEXt", "tEXt", "IDAT", "IEND"])
        #expect(chunks.allSatisfy { $0.crcIsRight })
    }

    @Test func `Text that is added later is read with the first one, and the pixels stay`() {
        let pixels: [UInt8] = [1, 2, 3, 255]
        let png = PNGEncoder.encode(pixels: pixels, width: 1, height: 1, text: [("Title", "Ada")])
        let added = PNGEncoder.adding(text: [("Comment", "x")], to: png)
        let both = PNGEncoder.encode(pixels: pixels, width: 1, height: 1, text: [("Comment", "x"), ("Title", "Ada")])
        #expect(added.count == both.count && PNGReader(added).pixels() == pixels)
        #expect(added.prefix(33) == png.prefix(33) && added.suffix(png.count - 33) == png.suffix(png.count - 33))
    }

    @Test func `The header contains size and format`() {
        let bytes = PNGEncoder.encode(pixels: [UInt8](repeating: 9, count: 24), width: 3, height: 2)
        #expect(PNGReader(bytes).chunks[0].data == [0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0])
    }

    @Test func `The sRGB intent is perceptual`() {
        let bytes = PNGEncoder.encode(pixels: [0, 0, 0, 0], width: 1, height: 1)
        #expect(PNGReader(bytes).chunks[1].data == [0])
    }

    @Test(arguments: [(0, 0), (0, 1), (1, 0), (-1, -1), (16_385, 1), (1, .max)])
    func `A picture of no size, or of one that is too large, is refused`(width: Int, height: Int) {
        #expect(PNGEncoder.refusal(of: 0, width: width, height: height) == "no size of a PNG")
    }

    @Test(arguments: [0, 3, 5, 8]) func `A picture with missing pixels, or too many, is refused`(bytes: Int) {
        #expect(PNGEncoder.refusal(of: bytes, width: 1, height: 1) == "not four bytes a pixel")
        #expect(PNGEncoder.refusal(of: 4, width: 1, height: 1) == nil)
    }

    /// The encoder's working memory is of the size it was before, so the allocator hands it out again as it was left.
    @Test(arguments: [TestImage.photograph, .circle])
    func `What was in memory before leaves no trace in the bytes`(image: TestImage) {
        for side in stride(from: 90, through: 150, by: 4) {
            let pixels = image.pixels(width: side, height: side)
            let outputs = Set(
                [UInt8(0), 1, 0x55, 0xFF].map { left in
                    let size = (4 * side + 1) * side + 2 * DeflateTokenizer.slack
                    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
                    memory.initialize(repeating: left, count: size)
                    memory.deallocate()
                    return PNGEncoder.encode(pixels: pixels, width: side, height: side)
                })
            #expect(outputs.count == 1, "\(side) x \(side)")
        }
    }
}
