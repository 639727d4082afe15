import Foundation
import Testing
import TondoTestSupport

@testable import TondoImage

@Suite struct ScanSelectionTests {
    private func ranges(_ name: String, denominator: Int) throws -> (read: Int, of: Int, dcOnly: UInt32) {
        let file = Fixture.root.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("assets/samples/\(name)")
        return try [UInt8](Data(contentsOf: file)).withUnsafeBytes { bytes in
            let header = try ImageHeader(probing: bytes)
            let selection = try ScanSelection(bytes: bytes, header: header, denominator: denominator, limits: Limits())
            return (selection.ranges.reduce(0) { $0 + $1.count }, bytes.count, selection.dcOnly)
        }
    }

    @Test func `At full size every scan is read`() throws {
        let (read, all, dcOnly) = try ranges("dora.jpg", denominator: 1)
        #expect(read == all && dcOnly == 0)
    }

    @Test func `At an eighth the AC scans of luma are left out`() throws {
        let (read, all, dcOnly) = try ranges("dora.jpg", denominator: 8)
        #expect(read < all / 2)
        #expect(dcOnly & 1 == 1)
    }

    @Test func `A limit on scans is a limit`() throws {
        var limits = Limits()
        limits.maxScans = 2
        let file = Fixture.root.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("assets/samples/dora.jpg")
        let bytes = [UInt8](try Data(contentsOf: file))
        #expect(throws: RenderError(stage: .decode, error: .tooManyScans)) {
            try Rendering.avatar(bytes, Style(size: 32), limits: limits)
        }
        limits.maxScans = 1000
        limits.maxBlockVisits = 1000
        #expect(throws: RenderError(stage: .decode, error: .tooManyScans)) {
            try Rendering.avatar(bytes, Style(size: 32), limits: limits)
        }
    }

    @Test func `A sequential picture may scan a component only once`() throws {
        // SOI, a frame of one gray component, and one or two empty scans of it.
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0]
        for (scans, isFine) in [(1, true), (2, false)] {
            let bytes = [0xFF, 0xD8] + frame + Array(repeatElement(scan, count: scans).joined()) + [0xFF, 0xD9]
            try bytes.withUnsafeBytes { bytes in
                let header = try ImageHeader(probing: bytes)
                let result = Result {
                    try ScanSelection(bytes: bytes, header: header, denominator: 1, limits: Limits())
                }
                #expect(((try? result.get()) != nil) == isFine)
            }
        }
    }
}
