import Foundation
import Testing

@testable import TondoImage

@Suite struct MappedBytesTests {
    /// Trailing bytes make the photo as long as files that are mapped; whether one really is depends on the kernel.
    @Test func `A long photo is decoded alike whether it is mapped or not`() throws {
        let samples = Fixture.root.deletingLastPathComponent().deletingLastPathComponent()
        let photo = try Data(contentsOf: samples.appendingPathComponent("assets/samples/ada.jpg"))
        let bytes = photo + Data(count: Limits.mappedFrom)
        let header = try bytes.withUnsafeBytes { try ImageHeader(probing: $0) }
        let plan = DecodePlan(header, crop: nil, side: 128)
        #expect(plan.denominator == 4)
        // The first is how mapped files are decoded, whose coefficients are never read on their own.
        let images = try bytes.withUnsafeBytes { bytes in
            let whole = try Decoded.decode(
                bytes, ScanSelection(wholeFile: bytes), header: header, plan: plan, limits: Limits())
            let chosen = try Decoded.decode(bytes, header: header, plan: plan, limits: Limits(), isMapped: false)
            return [whole, chosen].map { Array(UnsafeBufferPointer(start: $0.pixels.bytes, count: $0.pixels.count)) }
        }
        #expect(images[0] == images[1])
    }
}
