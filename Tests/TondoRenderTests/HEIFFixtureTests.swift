import Foundation
import Testing
import TondoImage
import TondoTestSupport

@testable import TondoRender

/// HEIC and AVIF through the built `tondo-render-heif`, one test a file of `Tests/Fixtures/heif`.
@Suite struct HEIFFixtureTests {
    @Test(arguments: Fixture.all(in: "heif").map(\.name))
    func `It is drawn as it was before it was coded, or refused as stated`(_ name: String) throws {
        let fixture = try #require(Fixture.all(in: "heif").first { $0.name == name })
        let photo = try fixture.bytes
        let (code, message, warnings) = outcome(photo, try Workers("tondo-render"))
        let allowed = try #require(fixture.expectation.outcome).values
        #expect(allowed.contains(code), "\(message)")
        if let text = fixture.expectation.says { #expect(message.lowercased().contains(text.lowercased())) }
        guard allowed == ["draws"], code == "draws" else { return }
        let file = try #require(fixture.expectedImage)
        let header = try photo.withUnsafeBytes { try ImageHeader(probing: $0) }
        var style = Style(size: min(header.width, header.height))
        style.shape = .square
        let drawn = try canvas(of: Workers("tondo-render", styles: [style]).draw(photo, format: header.format), style)
        let expected = try canvas(of: [UInt8](Data(contentsOf: file)), style)
        let difference = Difference(drawn, expected)
        if let limit = fixture.expectation.mae { #expect(difference.meanAbsoluteError <= limit) }
        if let limit = fixture.expectation.psnr { #expect(difference.psnr >= limit) }
        #expect(name.contains("icc-noise") || warnings.isEmpty, "\(warnings)")
    }

    /// The thumbnails of the fixtures show the picture in opposite colours.
    @Test(arguments: ["heic-thumbnail.heic", "avif-thumbnail-irot-1.avif", "heic-icc-p3-thumbnail.heic"])
    func `A thumbnail that covers the avatar is drawn, upright and in its colours`(_ name: String) throws {
        let fixture = try #require(Fixture.all(in: "heif").first { $0.name == name })
        let file = try #require(fixture.expectedImage)
        let photo = try fixture.bytes
        let header = try photo.withUnsafeBytes { try ImageHeader(probing: $0) }
        for (size, isThumbnail) in [(48, true), (64, true), (65, false)] {
            var style = Style(size: size)
            style.shape = .square
            let drawn = try canvas(
                of: Workers("tondo-render", styles: [style]).draw(photo, format: header.format), style)
            var expected = try canvas(of: [UInt8](Data(contentsOf: file)), style)
            if isThumbnail {
                for index in expected.indices where index % 4 != 3 { expected[index] = 255 - expected[index] }
            }
            let difference = Difference(drawn, expected)
            // Opposite colours of another colour space are not quite those of the drawing.
            #expect(difference.psnr > (name.contains("p3") ? 20 : 26), "\(size)")
        }
    }

    /// At 1/2, 1/4 and 1/8, in fixtures whose last pixels are not whole, and whose shown part begins somewhere.
    @Test(
        arguments: ["avif-plain.avif", "heic-odd.heic", "heic-clap-irot-1.heic", "avif-grid-cropped.avif"], [18, 10, 5])
    func `A picture that is averaged while it is decoded is the same`(_ name: String, _ size: Int) throws {
        let fixture = try #require(Fixture.all(in: "heif").first { $0.name == name })
        let file = try #require(fixture.expectedImage)
        let photo = try fixture.bytes
        let header = try photo.withUnsafeBytes { try ImageHeader(probing: $0) }
        var style = Style(size: size)
        style.shape = .square
        let drawn = try canvas(of: Workers("tondo-render", styles: [style]).draw(photo, format: header.format), style)
        let expected = try canvas(of: [UInt8](Data(contentsOf: file)), style)
        #expect(Difference(drawn, expected).psnr > 28)
    }

    @Test func `One worker draws the next photo after each that fails`() throws {
        let workers = try Workers("tondo-render")
        let whole = try Repository.data("Tests/Fixtures/heif/heic-plain.heic")
        for name in ["heic-cut-at-50.heic", "heic-other-size.heic", "heic-no-decoder-configuration.heic"] {
            let broken = try Repository.data("Tests/Fixtures/heif/" + name)
            #expect(workers.draw([UInt8](broken), format: .heic).error != nil)
            #expect(workers.draw([UInt8](whole), format: .heic).error == nil)
        }
        #expect(workers.workers.counters(of: .heif).started == 1)
    }

    @Test func `A damaged picture shows nothing of the photos before it`() throws {
        let before = try [UInt8](Repository.data("Tests/Fixtures/heif/heic-grid.heic"))
        let used = try Workers("tondo-render")
        for fixture in Fixture.all(in: "heif") where fixture.expectation.outcome?.values.count ?? 0 > 1 {
            let photo = try fixture.bytes
            guard let header = try? photo.withUnsafeBytes({ try ImageHeader(probing: $0) }) else { continue }
            _ = used.draw(before, format: .heic)
            let fresh = try Workers("tondo-render").draw(photo, format: header.format)
            #expect(used.draw(photo, format: header.format) == fresh, "\(fixture.name)")
        }
        #expect(used.workers.counters.crashed == 0)
    }

    @Test func `All fixtures are found`() { #expect(Fixture.all(in: "heif").count > 150) }

    /// "draws" or the code of the error, which the header alone may give.
    private func outcome(
        _ photo: [UInt8], _ workers: Workers
    ) -> (code: String, message: String, warnings: [Warning]) {
        do {
            let header = try photo.withUnsafeBytes { try ImageHeader(probing: $0) }
            let drawing = workers.draw(photo, format: header.format)
            guard let error = drawing.error else { return ("draws", "", drawing.warnings) }
            return (error.error.code, "\(error)", [])
        } catch { return ((error as? ImageError)?.code ?? "", "\(error)", []) }
    }

    private func canvas(of drawing: Workers.Drawing, _ style: Style) throws -> [UInt8] {
        try canvas(of: try #require(drawing.pngs.first), style)
    }

    /// R, G, B, A of a picture that has this size already.
    private func canvas(of png: [UInt8], _ style: Style) throws -> [UInt8] {
        try png.withUnsafeBytes { try AvatarRenderer(styles: [style]).draw(Photo($0)).canvases[0].bytes }
    }
}

/// How far two pictures are apart, colours multiplied by alpha; samples in 0...255.
struct Difference {
    var meanAbsoluteError: Double
    /// dB.
    var psnr: Double

    init(_ a: [UInt8], _ b: [UInt8]) {
        var (absolute, square) = (0.0, a.count == b.count ? 0.0 : .infinity)
        for index in 0..<min(a.count, b.count) {
            let difference = Self.sample(a, index) - Self.sample(b, index)
            absolute += abs(difference)
            square += difference * difference
        }
        meanAbsoluteError = absolute / Double(a.count)
        psnr = 10 * log10(255 * 255 / max(square / Double(a.count), 1e-9))
    }

    private static func sample(_ pixels: [UInt8], _ index: Int) -> Double {
        index % 4 == 3 ? Double(pixels[index]) : Double(pixels[index]) * Double(pixels[index | 3]) / 255
    }
}
