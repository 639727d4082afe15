import Testing

@testable import TondoImage

@Suite struct OneDecodeTests {
    private static let styles = [48, 96, 144].flatMap { size in
        Style.State.allCases.map { Style(size: size, state: $0, ring: .suited(to: size)) }
    }

    /// The photo's bytes are overwritten while the first picture is handed over.
    @Test(arguments: ["ada.jpg", "dora.jpg", "farid.png"])
    func `All styles come from the decode before the first`(_ name: String) throws {
        let renderer = AvatarRenderer(styles: Self.styles)
        let photo = try Sample.bytes(name)
        let wanted = try photo.withUnsafeBytes { try renderer.draw(Photo($0)).canvases.map(\.bytes) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: photo.count, alignment: 1)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: photo)
        var drawn: [[UInt8]] = []
        _ = try renderer.draw(Photo(UnsafeRawBufferPointer(buffer)), styles: Array(Self.styles.indices)) { canvas, _ in
            for index in buffer.indices { buffer[index] = 0xA5 }
            drawn.append(canvas.bytes)
        }
        #expect(drawn == wanted)
    }
}
