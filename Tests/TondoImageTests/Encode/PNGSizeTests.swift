import Testing

@testable import TondoImage

@Suite struct PNGSizeTests {
    private static let styles = [48, 128, 256].flatMap { size in
        Style.State.allCases.map { Style(size: size, state: $0, ring: .suited(to: size)) }
    }

    @Test func `Avatars take at most 105 % of what libpng needs at level 6 with all filters`() throws {
        var (ours, theirs) = (0, 0)
        for name in Sample.names {
            let drawing = try Sample.bytes(name).withUnsafeBytes {
                try AvatarRenderer(styles: Self.styles).draw(Photo($0))
            }
            for canvas in drawing.canvases {
                ours += PNGEncoder.encode(pixels: canvas.bytes, width: canvas.side, height: canvas.side).count
                theirs += LibpngWriter.size(ofEncoding: canvas.bytes, side: canvas.side)
            }
        }
        #expect(theirs > 100_000)
        #expect(Double(ours) <= 1.05 * Double(theirs), "\(ours) and \(theirs) bytes")
    }
}
