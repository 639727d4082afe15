import Foundation
import Testing
import TondoTestSupport

@testable import tondo

/// The bytes of the files in a folder decide what they are.
@Suite struct ConvertFormatsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["jpeg-12-bit", "jpeg-12-bit-progressive", "jpeg-lossless", "jpeg-lossless-16-bit"])
    func `A JPEG that is not drawn fails without an extension, too`(_ name: String) throws {
        try folder.add("Tests/Fixtures/unsupported/\(name).jpg", as: "in/DSC0001")
        let outcome = try Tondo.run("convert", "in", "-o", "out", in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("tondo: in/DSC0001: unsupported: "))
        #expect(outcome.text.contains("1 failed"))
    }

    @Test func `A text without an extension is passed over`() throws {
        try folder.add(Repository.text, as: "in/NOTES")
        let outcome = try Tondo.run("convert", "in", "-o", "out", in: folder)
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        #expect(outcome.text.contains("1 other file ignored"))
    }
}
