import Foundation
import Testing

@testable import TondoImage

@Suite struct WebPEncoderTests {
    private static let text = (keyword: "tondo-recipe", value: "photo=sha256:00 side=96")
    private static let webp = AvatarFormat.webp(quality: 85)

    private static func canvas(_ name: String = "ada.jpg", _ style: Style = Style(size: 96)) throws -> Canvas {
        try Rendering.avatar(Sample.bytes(name), style).canvases[0]
    }

    private static func decoded(_ file: [UInt8], side: Int) throws -> [UInt8] {
        try file.withUnsafeBytes { try Canvas(showing: Photo($0), longestSide: side).bytes }
    }

    /// dB of the visible pixels.
    private static func psnr(_ one: [UInt8], _ other: [UInt8]) -> Double {
        var (sum, count) = (0.0, 0.0)
        for at in stride(from: 0, to: one.count, by: 4) where other[at + 3] > 0 {
            for channel in 0..<3 {
                let difference = Double(one[at + channel]) - Double(other[at + channel])
                sum += difference * difference
                count += 1
            }
        }
        return 10 * log10(255 * 255 * count / max(sum, 1e-9))
    }

    /// Single samples are flat drawings, which PNG stores in few bytes, or have edges that no photo has.
    @Test func `The samples have a quarter of the bytes of PNG, 33 dB, and the same alpha`() throws {
        var (bytes, pngBytes, psnrs) = (0, 0, [Double]())
        for name in Sample.names {
            let canvas = try Self.canvas(name)
            let file = try Self.webp.encode(canvas, texts: [Self.text])
            bytes += file.count
            pngBytes += try AvatarFormat.png.encode(canvas, texts: [Self.text]).count
            let pixels = try Self.decoded(file, side: canvas.side)
            psnrs.append(Self.psnr(pixels, canvas.bytes))
            let isExact = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == canvas.bytes[$0] }
            #expect(isExact, "\(name)")
        }
        #expect(4 * bytes <= pngBytes, "\(bytes) of \(pngBytes) bytes")
        #expect(psnrs.reduce(0, +) / Double(psnrs.count) >= 33 && psnrs.allSatisfy { $0 >= 32 }, "\(psnrs) dB")
    }

    @Test func `Alpha is exact in the lowest quality, too`() throws {
        let canvas = try Self.canvas("ada.jpg", Style(size: 64, state: .selected, ring: .suited(to: 64)))
        let pixels = try Self.decoded(
            AvatarFormat.webp(quality: 1).encode(canvas, texts: [Self.text]), side: canvas.side)
        let isExact = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == canvas.bytes[$0] }
        #expect(isExact)
    }

    @Test func `A higher quality is nearer, and larger`() throws {
        let canvas = try Self.canvas()
        let files = try [30, 85, 100].map { try AvatarFormat.webp(quality: $0).encode(canvas, texts: [Self.text]) }
        let psnrs = try files.map { Self.psnr(try Self.decoded($0, side: canvas.side), canvas.bytes) }
        #expect(psnrs == psnrs.sorted() && Set(psnrs).count == 3)
        #expect(files.map(\.count) == files.map(\.count).sorted())
    }

    @Test func `Equal canvases have equal bytes`() throws {
        let canvas = try Self.canvas()
        #expect(try Self.webp.encode(canvas, texts: [Self.text]) == Self.webp.encode(canvas, texts: [Self.text]))
    }

    @Test func `The text is read back, from the head of the file alone, too`() throws {
        let file = try Self.webp.encode(Self.canvas(), texts: [Self.text])
        for part in [file, Array(file.prefix(200))] {
            #expect(part.withUnsafeBytes { AvatarText.value(of: "tondo-recipe", in: $0) } == Self.text.value)
        }
        #expect(file.withUnsafeBytes { AvatarText.value(of: "other", in: $0) } == nil)
        #expect(file.prefix(60).withUnsafeBytes { AvatarText.value(of: "tondo-recipe", in: $0) } == nil)
    }

    @Test func `An opaque square has no alpha, and its form is known`() throws {
        var style = Style(size: 40)
        style.shape = .square
        let file = try Self.webp.encode(Self.canvas("ada.jpg", style), texts: [Self.text])
        #expect(file.firstRange(of: Array("ALPH".utf8)) == nil)
        #expect(file.withUnsafeBytes { Self.webp.isForm($0, side: 40, texts: [Self.text]) })
    }

    @Test(arguments: [1, 2, 3, 96]) func `A file of the encoder has its form, and others have not`(side: Int) throws {
        let canvas = try Self.canvas("ada.jpg", Style(size: side))
        let file = try Self.webp.encode(canvas, texts: [Self.text])
        func isForm(_ file: [UInt8], _ side: Int, _ text: (keyword: String, value: String)) -> Bool {
            file.withUnsafeBytes { Self.webp.isForm($0, side: side, texts: [text]) }
        }
        #expect(isForm(file, side, Self.text))
        #expect(!isForm(file, side + 1, Self.text))
        #expect(!isForm(file, side, (Self.text.keyword, "other")))
        #expect(!isForm(file + [0, 0], side, Self.text))
        #expect(try !isForm(AvatarFormat.png.encode(canvas, texts: [Self.text]), side, Self.text))
        for count in 0..<file.count { #expect(!isForm(Array(file[..<count]), side, Self.text), "\(count) bytes") }
    }

    @Test func `The recipe's words name quality and library, and those of PNG are as ever`() {
        #expect(AvatarFormat.png.canonicalText == "format=png")
        let text = AvatarFormat.webp(quality: 70).canonicalText
        #expect(text.hasPrefix("format=webp quality=70 encoder=libwebp-"))
        #expect(text.split(separator: "-").last?.split(separator: ".").count == 3)
    }
}
