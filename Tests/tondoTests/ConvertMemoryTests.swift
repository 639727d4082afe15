import Foundation
import Testing
import TondoTestSupport

@testable import tondo

/// Peak memory of converting 100 megapixels. A release build takes at most 40 MB; the program of a debug build is larger
/// by itself, so what the picture adds to a small one is bounded here.
@Suite struct ConvertMemoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Bytes at the peak, when the photo is drawn and the program waits for its second input.
    private func peak(_ photo: String) throws -> Int {
        let running = try RunningTondo(
            ["convert", photo, "-", "--jobs", "1", "--json", "--force", "-o", "out"], in: folder)
        try running.wait(forOutput: "\n")
        let peak = try running.peakMemory
        let line = try #require(try running.finish().json().first)
        #expect(line["input"] as? String == photo)
        #expect(line["status"] as? String == "done")
        return peak
    }

    @Test func `100 megapixels take little more memory than a small photo`() throws {
        try folder.write(FlatJPEG.bytes(side: 10_000), to: "large.jpg")
        try folder.write(FlatJPEG.bytes(side: 16), to: "small.jpg")
        let (large, small) = try (peak("large.jpg"), peak("small.jpg"))
        #expect(large - small < 25_000_000, "\(large) and \(small) bytes")
    }

    @Test func `A long file of 100 megapixels takes its length and little more than a small photo`() throws {
        let bytes = FlatJPEG.bytes(side: 10_000, isWordy: true)
        #expect(bytes.count > 16 << 20)
        try folder.write(bytes, to: "large.jpg")
        try folder.write(FlatJPEG.bytes(side: 16), to: "small.jpg")
        let (large, small) = try (peak("large.jpg"), peak("small.jpg"))
        #expect(large - small < bytes.count + 25_000_000, "\(large) and \(small) bytes")
    }
}
