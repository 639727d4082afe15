import Testing

@testable import TondoImage

@Suite struct PhotoGeometryTests {
    @Test(arguments: [ImageHeader.Format.jpeg, .png, .webp, .gif, .heic, .avif], [Orientation.up, .left])
    func `A geometry is the same after packing`(_ format: ImageHeader.Format, _ orientation: Orientation) throws {
        var header = ImageHeader(format: format, width: 65_500, height: 1)
        header.orientation = orientation
        #expect(try PhotoGeometry(packed: #require(header.geometry.packed)) == header.geometry)
    }

    @Test func `A geometry keeps the side of its thumbnail`() throws {
        var header = ImageHeader(format: .heic, width: 8_064, height: 6_048)
        header.orientation = .right
        header.heif = HEIFImage(width: 8_064, height: 6_048)
        header.heif?.thumbnail = HEIFImage.Thumbnail(picture: HEIFImage(width: 416, height: 312).picture)
        let packed = try #require(header.geometry.packed)
        let geometry = try #require(PhotoGeometry(packed: packed))
        #expect(geometry == header.geometry && geometry.thumbnail == 416 && geometry.isScalable)
    }

    @Test func `A side that does not fit is not packed`() {
        #expect(ImageHeader(format: .heic, width: 1 << 20, height: 1).geometry.packed == nil)
        #expect(ImageHeader(format: .png, width: 1 << 24, height: 1).geometry.packed == nil)
    }

    @Test func `Other bits are no geometry, such as those of another version`() throws {
        let packed = try #require(ImageHeader(format: .png, width: 5, height: 7).geometry.packed)
        for bits in [0, packed & ~(0xF << 60), packed ^ (1 << 61), packed | 0xF << 56, packed & ~(0xFF << 48)] {
            #expect(PhotoGeometry(packed: bits) == nil)
        }
    }
}
