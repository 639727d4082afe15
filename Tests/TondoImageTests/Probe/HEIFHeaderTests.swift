import Testing
import TondoTestSupport

@testable import TondoImage

/// What is read of HEIC and AVIF files without libheif. Whole pictures are compared in `HEIFFixtureTests`.
@Suite struct HEIFHeaderTests {
    private func header(_ name: String) throws -> ImageHeader {
        try [UInt8](Repository.data("Tests/Fixtures/heif/" + name)).withUnsafeBytes { try ImageHeader(probing: $0) }
    }

    @Test(arguments: [("heic-plain.heic", ImageHeader.Format.heic), ("avif-plain.avif", .avif)])
    func `The items state the format, whatever the brands`(_ name: String, _ format: ImageHeader.Format) throws {
        #expect(try header(name).format == format)
        let general = name.replacing("plain", with: "general-brand")
        #expect(try header(general).format == format)
        #expect(try header(name).orientedSize == (96, 64))
    }

    @Test(arguments: [
        ("irot-1", Orientation.left), ("irot-2", .down), ("irot-3", .right), ("imir-0", .downMirrored),
        ("imir-1", .upMirrored), ("irot-1-imir-0", .leftMirrored), ("irot-1-imir-1", .rightMirrored),
        ("irot-3-exif-6", .right), ("exif-6-alone", .up),
    ])
    func `Rotation and mirroring count, and EXIF does not`(_ name: String, _ orientation: Orientation) throws {
        let header = try header("heic-\(name).heic")
        #expect(header.orientation == orientation)
        #expect(header.orientedSize == (orientation.transposes ? (64, 96) : (96, 64)))
    }

    @Test func `Transformations one after the other are one`() {
        let all = (1...8).compactMap { Orientation(rawValue: $0) }
        for first in all {
            for second in all {
                let both = first.followed(by: second).apply(to: Array(0..<9), side: 3)
                #expect(both == second.apply(to: first.apply(to: Array(0..<9), side: 3), side: 3))
            }
        }
    }

    @Test func `A crop is the size of the picture, of which the decoder knows the whole`() throws {
        let header = try header("heic-clap-irot-1.heic")
        #expect(header.orientedSize == (40, 61))
        let image = try #require(header.heif)
        #expect((image.x, image.y, image.width, image.height) == (20, 10, 96, 64))
    }

    @Test func `A thumbnail counts if it shows the same in the same orientation`() throws {
        #expect(try header("heic-thumbnail.heic").heif?.thumbnail?.width == 64)
        #expect(try header("heic-thumbnail-irot-1.heic").heif?.thumbnail?.width == 64)
        #expect(try header("heic-thumbnail-not-turned.heic").heif?.thumbnail == nil)
        #expect(try header("heic-plain.heic").heif?.thumbnail == nil)
    }

    /// The sizes of cameras, in the place of those of a fixture.
    @Test(arguments: [
        ((7_008, 4_672), (1_616, 1_080), true), ((7_008, 4_672), (320, 212), true), ((4_032, 3_024), (320, 240), true),
        ((7_008, 4_672), (320, 209), false), ((6_000, 4_000), (160, 120), false),
        ((4_000, 3_000), (1_920, 1_080), false),
    ])
    func `A thumbnail whose sides were rounded counts, and a cut does not`(
        _ size: (width: Int, height: Int), _ small: (width: Int, height: Int), _ counts: Bool
    ) throws {
        var photo = [UInt8](try Repository.data("Tests/Fixtures/heif/heic-thumbnail.heic"))
        func bytes(_ size: (width: Int, height: Int)) -> [UInt8] {
            [size.width, size.height].flatMap { [UInt8(0), 0, UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        }
        for (stored, new) in [((128, 128), size), ((64, 64), small)] {
            photo.replace(
                Array("ispe".utf8) + [0, 0, 0, 0] + bytes(stored), with: Array("ispe".utf8) + [0, 0, 0, 0] + bytes(new))
        }
        let header = try photo.withUnsafeBytes { try ImageHeader(probing: $0) }
        #expect(header.width == size.width)
        #expect(header.heif?.thumbnail?.width == (counts ? small.width : nil))
    }

    /// 428 MB of 33 million pixels were measured.
    @Test func `The photo of a camera with 10 bits is within the memory that is allowed`() throws {
        var header = ImageHeader(format: .heic, width: 7_008, height: 4_672)
        header.heif = HEIFImage(width: 7_008, height: 4_672)
        header.heif?.isDeep = true
        let needed = header.decodeMemory(DecodePlan(header: header, crop: nil, side: 512))
        #expect((460_000_000...Limits().maxMemory).contains(needed), "\(needed)")
    }

    @Test func `A thumbnail is decoded if it has all pixels of the avatar`() throws {
        let geometry = try header("heic-thumbnail.heic").geometry
        #expect(DecodePlan.denominator(geometry, crop: nil, side: 64) == DecodePlan.thumbnail)
        #expect(DecodePlan.denominator(geometry, crop: nil, side: 65) == 1)
        // Without a thumbnail it is averaged.
        let plain = try header("heic-grid.heic").geometry
        #expect(DecodePlan.denominator(plain, crop: nil, side: 16) == 4)
        #expect(DecodePlan.denominator(try header("heic-alpha.heic").geometry, crop: nil, side: 8) == 1)
        // A quarter of the picture has a quarter of the thumbnail.
        let crop = CropRectangle(x: 0, y: 0, width: 64, height: 64)
        #expect(DecodePlan.denominator(geometry, crop: crop, side: 32) == DecodePlan.thumbnail)
        #expect(DecodePlan.denominator(geometry, crop: crop, side: 33) == 1)
    }

    @Test func `The square of a thumbnail is the one of the picture`() throws {
        let crop = CropRectangle(x: 64, y: 64, width: 64, height: 64)
        let plan = DecodePlan(header: try header("heic-thumbnail.heic"), crop: crop, side: 20)
        #expect(plan.region == PixelRectangle(x: 32, y: 0, width: 32, height: 32))
        #expect(plan.box == DecodePlan.Box(x: 0, y: 0, side: 32))
    }

    @Test(arguments: ["heic-thumbnail.heic", "avif-alpha.avif", "heic-grid-in-header.heic", "avif-icc-p3.avif"])
    func `Any part of a file has a header or an error`(_ name: String) throws {
        let bytes = try [UInt8](Repository.data("Tests/Fixtures/heif/" + name))
        let whole = try header(name)
        // Byte by byte in the tables, and then in steps through the pictures.
        for count in Array(0..<min(1_200, bytes.count)) + Array(stride(from: 1_200, to: bytes.count, by: 61)) {
            let part = bytes[..<count].withUnsafeBytes { bytes in try? ImageHeader(probing: bytes) }
            if let part { #expect(part == whole) }
        }
    }

    @Test func `Changed bytes of a header give a header or an error`() throws {
        var random = SplitMix64(7)
        for name in ["heic-thumbnail.heic", "avif-alpha.avif", "heic-clap-irot-1.heic"] {
            let bytes = try [UInt8](Repository.data("Tests/Fixtures/heif/" + name))
            for _ in 0..<1_000 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    changed[Int.random(in: 0..<min(bytes.count, 1_500), using: &random)] = .random(
                        in: 0...255, using: &random)
                }
                changed.withUnsafeBytes { bytes in
                    guard let header = try? ImageHeader(probing: bytes), (try? Limits().check(header)) != nil else {
                        return
                    }
                    let plan = DecodePlan(header: header, crop: nil, side: 48)
                    #expect(plan.region.width > 0 && plan.region.height > 0)
                    #expect(header.decodeMemory(plan) > 0)
                }
            }
        }
    }

    @Test func `A process without libheif names the format`() throws {
        for (name, format) in [("heic-plain.heic", "HEIC"), ("avif-plain.avif", "AVIF")] {
            let outcome = Rendering.outcome([UInt8](try Repository.data("Tests/Fixtures/heif/" + name)))
            #expect(outcome.message == "unsupported: \(format) (decoded in a confined process only)")
        }
    }

    @Test func `The first profile counts, however often it is named`() throws {
        let profile = [UInt8](repeating: 7, count: 3_000_000)
        let box = [UInt8]("colrprof".utf8) + profile
        let boxes = [HEIFBoxes.Box](
            repeating: .init(type: HEIFBoxes.code("colr"), payload: 4..<box.count), count: 255)
        let properties = try box.withUnsafeBytes { try HEIFProperties(boxes, bytes: $0) }
        #expect(properties.profile == .icc(profile))
    }
}
