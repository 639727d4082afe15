import Foundation
import Testing
import TondoTestSupport

@testable import TondoImage

@Suite struct AvatarRendererTests {
    private static let samples = Fixture.root.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("assets/samples")

    private func sample(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.samples.appendingPathComponent(name)))
    }

    @Test func `A picture is the same whether its companions are wanted too or not`() throws {
        let renderer = AvatarRenderer(styles: [Style(size: 48), Style(size: 200)])
        try sample("ada.jpg").withUnsafeBytes { bytes in
            let together = try renderer.draw(Photo(bytes)).canvases
            _ = try renderer.draw(Photo(bytes), styles: [0]) { canvas, _ in
                #expect(canvas.bytes == together[0].bytes)
            }
        }
    }

    @Test func `A canvas is handed over before the next one is drawn`() throws {
        let styles = [Style(size: 24), Style(size: 24, scale: 2), Style(size: 16)]
        try sample("ada.jpg").withUnsafeBytes { bytes in
            var sides: [Int] = []
            struct Enough: Error {}
            #expect(throws: Enough.self) {
                _ = try AvatarRenderer(styles: styles).draw(Photo(bytes), styles: [2, 1, 0]) { canvas, _ in
                    sides.append(canvas.side)
                    if sides.count == 2 { throw Enough() }
                }
            }
            #expect(sides == [16, 48])
        }
    }

    @Test func `A photo that is decoded at another scale says so`() throws {
        try sample("ada.jpg").withUnsafeBytes { bytes in
            let alone = AvatarRenderer(styles: [Style(size: 48)])
            let together = AvatarRenderer(styles: [Style(size: 48), Style(size: 300)])
            let scales = try [alone, together].map {
                $0.decodeDenominator(for: try PhotoGeometry(probing: bytes), crop: nil)
            }
            #expect(scales == [8, 1])
        }
    }

    @Test(arguments: ["ada.jpg", "chidi.jpg", "dora.jpg", "emi.jpg", "farid.png", "greta.jpg"])
    func `Drawing twice gives the same bytes`(_ name: String) throws {
        let bytes = try sample(name)
        let style = Style(size: 64, state: .selected, ring: .suited(to: 64))
        #expect(
            try Rendering.avatar(bytes, style).canvases[0].bytes == Rendering.avatar(bytes, style).canvases[0].bytes)
    }

    /// The bounds for 1024 px portraits at 128 px, here on the drawn samples: full-size decode, then Lanczos3,
    /// against the scaled decode that is really used.
    @Test(arguments: ["ada.jpg", "bo.jpg", "chidi.jpg", "dora.jpg", "emi.jpg", "greta.jpg", "hana.jpg"])
    func `A scaled decode looks like a full one`(_ name: String) throws {
        let bytes = try sample(name)
        let grid = Grid(side: 128, inset: 0)
        let disc = DiscCoverage(side: 128, radius: 63)
        let images = try bytes.withUnsafeBytes { bytes in
            try [128.0, 1000].map { side in
                try PreparedPhoto(photo: Photo(bytes), side: side, limits: Limits(), transforms: ColorTransforms())
                    .image(for: grid)
            }
        }
        var (square, count) = (0.0, 0.0)
        for y in 0..<128 {
            for x in disc.covered(y: y) {
                let difference = images[0].pixels[y * 128 + x] - images[1].pixels[y * 128 + x]
                square += Double((difference * difference).sum() - difference.w * difference.w)
                count += 3
            }
        }
        let psnr = 10 * log10(255 * 255 / (square / count))
        #expect(psnr >= 41, "\(psnr) dB")
    }

    @Test func `A contact's crop is what is shown`() throws {
        // The crop's bottom left quarter, then its centre square.
        try sample("ada.jpg").withUnsafeBytes { bytes in
            let crop = CropRectangle(x: 0, y: 0, width: 512, height: 512)
            let renderer = AvatarRenderer(styles: [Style(size: 64)])
            let cropped = try renderer.draw(Photo(bytes, crop: crop))
            #expect(cropped.canvases[0].bytes != (try renderer.draw(Photo(bytes))).canvases[0].bytes)
        }
    }

    /// 40 x 8 pixels, of which these columns are visible.
    @Test(arguments: [([], "corrupt"), ([0], "draws"), ([20], "draws")])
    func `A photo is refused only if none of its pixels is visible`(columns: [Int], outcome: String) {
        let pixels = (0..<320).flatMap { [255, 255, 255, columns.contains($0 % 40) ? 255 : 0] as [UInt8] }
        let found = Rendering.outcome(PNGEncoder.encode(pixels: pixels, width: 40, height: 8))
        #expect(found.code == outcome)
        #expect(outcome == "draws" || found.message.contains("visible"))
    }
}
