import Foundation
import Testing
import TondoTestSupport

@testable import TondoImage

/// Photos that are stored as they are, without what is written beside the picture.
@Suite struct StorablePhotoTests {
    private static let bounds = StorablePhoto.Bounds(maxSide: 4_000, maxBytes: 10_000_000)

    private func store(
        _ bytes: [UInt8], within bounds: StorablePhoto.Bounds = bounds
    ) throws(StorablePhoto.Obstacle) -> StorablePhoto {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(StorablePhoto.Obstacle) in try StorablePhoto(plain: bytes, within: bounds) }
        }
        return try result.get()
    }

    private func obstacle(_ bytes: [UInt8], within bounds: StorablePhoto.Bounds = bounds) -> StorablePhoto.Obstacle? {
        do throws(StorablePhoto.Obstacle) {
            _ = try store(bytes, within: bounds)
            return nil
        } catch { return error }
    }

    private static func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Repository.data(name)) }

    private static let fixtures: [String] = {
        let folder = "Tests/Fixtures/decodes-like-reference"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Repository.path(folder))) ?? []
        return names.sorted().filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") }.map { "\(folder)/\($0)" }
    }()

    /// Texts that only metadata have.
    private static let marks = [
        "Exif\0", "http://ns.adobe.com", "Photoshop", "MPF\0", "ICC_PROFILE", "tEXt", "iTXt", "zTXt", "eXIf", "tIME",
    ].map { Array($0.utf8) }

    @Test func `There are fixtures that can be stored`() throws {
        #expect(try Self.fixtures.count { obstacle(try Self.bytes($0)) == nil } > 20)
    }

    @Test(arguments: fixtures) func `What is stored shows the same pixels, and has no metadata`(_ name: String) throws {
        let bytes = try Self.bytes(name)
        // Nothing of this one is visible, so it is not drawn.
        guard obstacle(bytes) == nil, !name.hasSuffix("outside-the-square.expected.png") else { return }
        let stored = try store(bytes)
        #expect(stored.removed >= 0 && stored.bytes.count + stored.removed == bytes.count)
        #expect(Self.marks.allSatisfy { stored.bytes.firstRange(of: $0) == nil })
        #expect(try store(stored.bytes).bytes == stored.bytes)
        let renderer = AvatarRenderer(styles: [Style(size: 96)])
        let canvases = try [bytes, stored.bytes].map { bytes in
            try bytes.withUnsafeBytes { try renderer.draw(Photo($0)).canvases[0].bytes }
        }
        #expect(canvases[0] == canvases[1])
    }

    /// A few bytes each, of which every one would take as long as a large table, or as the whole picture.
    @Test func `Files of thousands of tables, scans or headers are refused`() throws {
        let jpeg = try store(try Self.bytes(Repository.small)).bytes
        let tables = [0xFF, 0xC4, 0xF0, 0x02] + [UInt8](repeating: 0, count: 0xF000)
        #expect(try store(jpeg[..<2] + tables + jpeg[2...]).bytes.count == jpeg.count + tables.count)
        #expect(obstacle(jpeg[..<2] + tables + tables + jpeg[2...]) != nil)

        let start = try #require(jpeg.indices.last { jpeg[$0...].starts(with: [0xFF, 0xDA]) })
        let scan = jpeg[start..<(jpeg.count - 2)]
        #expect(try store(jpeg.dropLast(2) + scan + [0xFF, 0xD9]).bytes.count == jpeg.count + scan.count)
        #expect(obstacle(jpeg.dropLast(2) + repeatElement(scan, count: 1_000).joined() + [0xFF, 0xD9]) != nil)

        let name = try #require(Self.fixtures.first { $0.hasSuffix(".png") && (try? store(Self.bytes($0))) != nil })
        let png = try store(try Self.bytes(name)).bytes
        // The signature has 8 bytes, the header 25, and the end 12.
        #expect(obstacle(png.dropLast(12) + png[8..<33] + png.suffix(12)) == .damaged("the PNG has two headers"))
    }

    @Test func `Segments with places, thumbnails and comments go, and pictures behind the end`() throws {
        let plain = try store(try Self.bytes(Repository.small)).bytes
        func segment(_ marker: UInt8, _ content: String) -> [UInt8] {
            [0xFF, marker, 0, UInt8(content.utf8.count + 2)] + content.utf8
        }
        let extra = [
            segment(0xE1, "Exif\0\0GPS"), segment(0xE1, "http://ns.adobe.com/xap/1.0/\0<x>"), segment(0xE2, "MPF\0x"),
            segment(0xED, "Photoshop 3.0\0"), segment(0xFE, "by me"), segment(0xE0, "JFXX\0\u{10}"),
        ]
        let file = plain[..<2] + extra.flatMap(\.self) + plain[2...] + [0xFF, 0xD8] + Array("MotionPhoto".utf8)
        let stored = try store(Array(file))
        #expect(stored.bytes == plain)
        #expect(stored.removed == file.count - plain.count)
    }

    @Test(arguments: fixtures.filter { $0.hasSuffix(".jpg") })
    func `Bytes behind the last code of a JPEG go, before its end and before a restart`(_ name: String) throws {
        // One fixture is a PNG under another name.
        guard let plain = try? store(try Self.bytes(name)).bytes, plain.starts(with: [0xFF, 0xD8]) else { return }
        let hidden = Array("GPS 52N 13E".utf8)
        #expect(try store(plain.dropLast(2) + hidden + [0xFF, 0xD9]).bytes == plain)
        let scan = plain.indices.first { plain[$0...].starts(with: [0xFF, 0xDA]) } ?? 0
        let restart = plain.indices.first { $0 > scan && plain[$0...].starts(with: [0xFF, 0xD0]) }
        if let restart { #expect(try store(plain[..<restart] + hidden + plain[restart...]).bytes == plain) }
    }

    @Test(arguments: ["jpeg-hole-in-scan", "jpeg-bad-codes", "jpeg-eoi-in-the-middle"])
    func `A JPEG whose codes end too early or make no sense is drawn again`(_ name: String) throws {
        let bytes = try Self.bytes("Tests/Fixtures/broken/\(name).jpg")
        #expect(obstacle(bytes) == .damaged("the JPEG has no end, is damaged, or is no ordinary one"))
    }

    @Test func `A thumbnail in JFIF goes, and the rest of it stays`() throws {
        let plain = try store(try Self.bytes(Repository.small)).bytes
        let jfif: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        #expect(Array(plain[2..<20]) == jfif)
        let thumbnail: [UInt8] = [0xFF, 0xE0, 0, 19] + jfif[4..<16] + [1, 1, 9, 9, 9]
        #expect(try store(plain[..<2] + thumbnail + plain[20...]).bytes == plain)
    }

    @Test func `Bytes behind the picture of a PNG go, in its chunk and in further ones`() throws {
        let pixels = (0..<30 * 20).flatMap { (index: Int) -> [UInt8] in [UInt8(index % 251), UInt8(index % 7), 3, 255] }
        let plain = PNGEncoder.encode(pixels: pixels, width: 30, height: 20)
        #expect(try store(plain).bytes == plain)
        var file = Array(plain[..<8])
        plain.withUnsafeBytes { bytes in
            var chunks = PNGChunks(bytes)
            while let chunk = chunks.next() {
                let extra = chunk.type == PNGChunk.imageData ? ["GPS 52N", "Exif 13E"].map { Array($0.utf8) } : []
                file += PNGChunk.bytes(type: chunk.type, data: Array(chunk.payload) + (extra.first ?? []))
                for data in extra.dropFirst() { file += PNGChunk.bytes(type: chunk.type, data: data) }
            }
        }
        let stored = try store(file)
        #expect(stored.bytes == plain && stored.removed == file.count - plain.count)
    }

    @Test func `A PNG whose picture is shorter or longer than it says is drawn again`() throws {
        let plain = PNGEncoder.encode(pixels: [UInt8](repeating: 90, count: 30 * 20 * 4), width: 30, height: 20)
        for height: UInt8 in [19, 21] {
            var header = Array(plain[16..<29])
            header[7] = height
            let file = plain[..<8] + PNGChunk.bytes(type: PNGChunk.imageHeader, data: header) + plain[33...]
            #expect(obstacle(Array(file)) == .damaged("the PNG's picture is not whole"))
        }
    }

    @Test func `A PNG that states too small a window for its picture is drawn again`() throws {
        var file = PNGEncoder.encode(pixels: [UInt8](repeating: 90, count: 30 * 20 * 4), width: 30, height: 20)
        let name = try #require(file.indices.first { file[$0...].starts(with: "IDAT".utf8) })
        file.replaceSubrange(name + 4..<name + 6, with: [0x08, 0x1D])
        PNGFile.repairChecksums(&file)
        #expect(obstacle(file) == .damaged("the PNG's picture is not whole"))
    }

    @Test func `A photo over a bound is refused with both numbers`() throws {
        let bytes = try Self.bytes(Repository.small)
        #expect(
            obstacle(bytes, within: .init(maxSide: 40, maxBytes: 1_000_000)) == .side(width: 41, height: 41, limit: 40))
        guard case .bytes(_, 100)? = obstacle(bytes, within: .init(maxSide: 41, maxBytes: 100)) else {
            Issue.record("not refused for its bytes")
            return
        }
    }

    @Test(arguments: [
        ("Tests/Fixtures/colour/cmyk-no-profile-skin.jpg", "is not in sRGB: CMYK"),
        ("Tests/Fixtures/colour/adobe-red.jpg", "is not in sRGB: a profile"),
        ("Tests/Fixtures/colour/adobe-red.png", "is not in sRGB: a profile"),
        ("Tests/Fixtures/colour/cicp-p3.png", "is not in sRGB: cICP"),
        ("Tests/Fixtures/colour/chrm-p3-red.png", "is not in sRGB: cHRM"),
        (Repository.bmp, "unsupported: BMP image (save it as JPEG or PNG)"),
        ("assets/samples/chidi.jpg", "is stored turned, by its EXIF orientation"),
        (Repository.truncated, "is damaged: the JPEG has no end, is damaged, or is no ordinary one"),
    ]) func `What would have to be drawn again is refused`(_ name: String, _ reason: String) throws {
        #expect(obstacle(try Self.bytes(name)).map { "\($0)" } == reason)
    }

    @Test func `A JPEG that ends anywhere is refused`() throws {
        let bytes = try store(try Self.bytes(Repository.small)).bytes
        for count in stride(from: 0, to: bytes.count, by: 7) { #expect(obstacle(Array(bytes[..<count])) != nil) }
    }
}
