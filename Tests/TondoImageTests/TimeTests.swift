import Testing
import TondoTestSupport

@testable import TondoImage

/// Hostile files are answered within two seconds of processor time, here in a debug build.
@Suite struct TimeTests {
    @Test(arguments: Fixture.all(in: "broken") + Fixture.all(in: "refused") + Fixture.all(in: "heif"))
    func `A damaged file is answered within two seconds`(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes
        #expect(processorTime { _ = Rendering.outcome(bytes) } < 2)
    }

    @Test func `Scans that visit more blocks than any photo are too many`() {
        let bomb = ScanBomb.bytes(scans: 900)
        #expect(throws: RenderError(stage: .decode, error: .tooManyScans)) {
            try Rendering.avatar(bomb, Style(size: 200))
        }
    }

    @Test func `The most block visits that are allowed end within two seconds`() throws {
        let bomb = ScanBomb.bytes(scans: 899)
        let seconds = try processorTime { _ = try Rendering.avatar(bomb, Style(size: 200)) }
        #expect(seconds < 2)
    }
}
