import Foundation
import Testing
import TondoTestSupport

@testable import TondoImage

/// Avatars that must keep every byte: pictures drawn before are not drawn again as long as the renderer's version is the
/// same. `TONDO_MAKE_GOLDENS=1 swift test --filter GoldenTests` makes the goldens again.
@Suite struct GoldenTests {
    private static let folder = Fixture.root.appendingPathComponent("golden")
    private static let styles = [
        ("96", Style(size: 96)),
        ("48@2x-selected", Style(size: 48, scale: 2, state: .selected, ring: .suited(to: 48))),
        ("33-background", Style(size: 33, background: RGBA(red: 250, green: 220, blue: 60))),
    ]

    @Test(arguments: ["rgb", "rgba"], Self.styles)
    func `An avatar keeps every byte`(_ photo: String, _ named: (name: String, style: Style)) throws {
        let source = Self.folder.appendingPathComponent("\(photo).png")
        let canvas = try Rendering.avatar([UInt8](Data(contentsOf: source)), named.style).canvases[0]
        let drawn = PNGEncoder.encode(pixels: canvas.bytes, width: canvas.side, height: canvas.side)
        let golden = Self.folder.appendingPathComponent("\(photo)-\(named.name).golden.png")
        if ProcessInfo.processInfo.environment["TONDO_MAKE_GOLDENS"] != nil { try Data(drawn).write(to: golden) }
        let isKept = try [UInt8](Data(contentsOf: golden)) == drawn
        #expect(
            isKept, "if the drawing was meant to change, see the README.md of the goldens")
    }
}
