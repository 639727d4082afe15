import Testing
import TondoTestSupport

@testable import TondoImage

/// The file that is passed to libheif.
@Suite struct HEIFPictureTests {
    /// The picture of a fixture as a file of its own, and what is read of both.
    private func extract(_ name: String) throws -> (whole: ImageHeader, file: [UInt8], alone: ImageHeader) {
        let bytes = try [UInt8](Repository.data("Tests/Fixtures/heif/" + name))
        return try bytes.withUnsafeBytes { bytes in
            let whole = try ImageHeader(probing: bytes)
            let content = try #require(whole.heif).picture.file(of: bytes)
            let file = content.header + content.parts.flatMap { Array(bytes[$0]) }
            return (whole, file, try file.withUnsafeBytes { try ImageHeader(probing: $0) })
        }
    }

    @Test(arguments: [
        "heic-plain.heic", "heic-grid.heic", "heic-grid-in-header.heic", "heic-8-byte-places.heic", "avif-plain.avif",
        "avif-alpha.avif", "heic-thumbnail.heic", "heic-clap-irot-1.heic", "avif-grid-cropped.avif", "heic-depth.heic",
    ])
    func `It holds the picture as it is coded and nothing else`(_ name: String) throws {
        let (whole, file, alone) = try extract(name)
        let (image, own) = (try #require(whole.heif), try #require(alone.heif))
        #expect((own.width, own.height) == (image.width, image.height) && alone.format == whole.format)
        #expect(alone.orientation == .up && own.alpha == nil && own.thumbnail == nil)
        #expect(own.picture.cells == image.picture.cells && own.tile == image.tile)
        #expect(own.picture.items.map(\.type) == image.picture.items.map(\.type))
        // The data are the last bytes, each once.
        let count = image.picture.items.reduce(0) { $0 + $1.data.reduce(0) { $0 + $1.count } }
        #expect(own.end == file.count && own.picture.items[0].data[0].lowerBound == file.count - count)
    }

    @Test func `The transparency is a picture of its own`() throws {
        let header = try extract("heic-alpha.heic").whole
        let alpha = try #require(header.heif?.alpha)
        #expect(alpha.shown == PixelRectangle(x: 0, y: 0, width: header.width, height: header.height))
        #expect(alpha.turn == .up && alpha.picture.isGray && alpha.picture.items.count == 1)
    }

    @Test func `Data that many tiles share are not read without end`() throws {
        var item = HEIFPicture.Item(type: HEIFBoxes.code("hvc1"), size: HEIFImage.Size(width: 64, height: 64))
        item.data = [0..<1_000_000]
        let picture = HEIFPicture(items: Array(repeating: item, count: 6))
        let bytes = [UInt8](repeating: 0, count: 1_000_000)
        #expect(throws: ImageError.corrupt("data that are used too often")) {
            try bytes.withUnsafeBytes { _ = try picture.file(of: $0) }
        }
    }

    @Test func `Places of zero width are no endless work`() throws {
        // One item of 65,535 parts, and all of them are empty.
        let table: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0xFF, 0xFF, 0, 2, 0, 0, 0xFF, 0xFF]
        try table.withUnsafeBytes { bytes in
            var places = try #require(HEIFLocations(ByteReader(bytes), file: 100, header: nil))
            #expect(places.count == 2)
            #expect(try places.next(keeping: [2]).parts.isEmpty)
            #expect(throws: ImageError.corrupt("data in too many parts")) { try places.next(keeping: [2]) }
        }
    }

    @Test func `Parts that follow each other are one`() throws {
        // Offsets and lengths of one byte: 10 + 5, 15 + 5, 40 + 2.
        let table: [UInt8] = [0, 0, 0, 0, 0x11, 0, 0, 1, 0, 7, 0, 0, 0, 3, 10, 5, 15, 5, 40, 2]
        try table.withUnsafeBytes { bytes in
            var places = try #require(HEIFLocations(ByteReader(bytes), file: 100, header: nil))
            #expect(try places.next(keeping: [7]).parts == [10..<20, 40..<42])
        }
    }
}
