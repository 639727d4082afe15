import Testing

@testable import TondoImage

/// A transparent photo whose hidden pixels have a colour, through the whole pipeline.
@Suite struct HiddenColorTests {
    /// Red that is transparent at the left, green at the right.
    private func photo() -> [UInt8] {
        var file = PNGFile(width: 90, height: 90, type: 6)
        let row: [UInt8] = (0..<90).flatMap { $0 < 45 ? [255, 0, 0, 0] : [0, 200, 0, 255] }
        file.rows = (0..<90).flatMap { _ in [0] + row }
        return file.bytes
    }

    @Test(arguments: [Style(size: 40), Style(size: 90), Style(size: 64, state: .selected, ring: .suited(to: 64))])
    func `Colours are 0 wherever alpha is 0`(_ style: Style) throws {
        let bytes = try Rendering.avatar(photo(), style).canvases[0].bytes
        let middle = (style.side / 2 * style.side + style.side / 4) * 4
        #expect(bytes[middle + 3] == 0)
        var colored = 0
        for i in stride(from: 0, to: bytes.count, by: 4) where bytes[i + 3] == 0 {
            if bytes[i..<i + 3].contains(where: { $0 != 0 }) { colored += 1 }
        }
        #expect(colored == 0)
    }

    @Test func `Hidden colours do not shine through at an edge`() throws {
        let bytes = try Rendering.avatar(photo(), Style(size: 40)).canvases[0].bytes
        let red = stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] }
        #expect(red.max() == 0)
    }
}
