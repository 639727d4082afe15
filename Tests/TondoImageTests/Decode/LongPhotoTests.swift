import Foundation
import Testing
import TondoTestSupport

@testable import TondoImage

@Suite struct LongPhotoTests {
    /// Trailing bytes make the photo as long as that.
    @Test func `The coefficients of a long photo are not read on their own`() throws {
        let samples = Fixture.root.deletingLastPathComponent().deletingLastPathComponent()
        let photo = try Data(contentsOf: samples.appendingPathComponent("assets/samples/ada.jpg"))
        let bytes = photo + Data(count: Limits.scaledBelow)
        let header = try bytes.withUnsafeBytes { try ImageHeader(probing: $0) }
        let plan = DecodePlan(header: header, crop: nil, side: 128)
        #expect(plan.denominator == 4)
        let images = try bytes.withUnsafeBytes { bytes in
            let whole = try Decoded.decode(
                Photo(bytes), selection: ScanSelection(wholeFile: bytes), header: header, plan: plan, limits: Limits())
            let chosen = try Decoded.decode(Photo(bytes), header: header, plan: plan, limits: Limits())
            return [whole, chosen].map { Array(UnsafeBufferPointer(start: $0.pixels.bytes, count: $0.pixels.count)) }
        }
        #expect(images[0] == images[1])
    }
}
