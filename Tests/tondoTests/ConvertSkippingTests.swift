import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ConvertSkippingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.add(Repository.small, as: "ada.jpg")
        try folder.add(Repository.smallPNG, as: "bo.png")
        #expect(try run().text.hasPrefix("2 photos converted to 2 avatars in "))
    }

    private func run(_ words: String...) throws -> Outcome {
        try RunningTondo(["convert", "ada.jpg", "bo.png", "--size", "16", "-o", "out"] + words, in: folder).finish()
    }

    private func modified(_ name: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: folder.pathString + "/" + name)[.modificationDate] as? Date
    }

    @Test func `A second run skips what is there and says so`() throws {
        let before = try modified("out/ada.png")
        let outcome = try run()
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("2 photos skipped (already converted) in "))
        #expect(try modified("out/ada.png") == before)
    }

    @Test func `Force draws again`() throws {
        #expect(try run("--force").text.hasPrefix("2 photos converted to 2 avatars in "))
    }

    @Test func `Another style draws again`() throws {
        #expect(try run("--background", "white").text.hasPrefix("2 photos converted to 2 avatars in "))
    }

    @Test func `A changed photo is drawn again, the other is skipped`() throws {
        try folder.add(Repository.sample, as: "ada.jpg")
        #expect(try run().text.hasPrefix("1 photo converted to 1 avatar, 1 photo skipped (already converted) in "))
    }

    @Test func `A renamed photo's picture is recognised by its recipe`() throws {
        let image = try folder.data("out/ada.png")
        try folder.write(image, to: "out/eve.png")
        try folder.add(Repository.small, as: "eve.jpg")
        let outcome = try Tondo.run("convert", "eve.jpg", "--size", "16", "-o", "out", in: folder)
        #expect(outcome.text.hasPrefix("1 photo skipped"))
    }

    @Test(arguments: [("png", 1), ("png", 30), ("webp", 1), ("webp", 30)])
    func `An avatar that is cut off is drawn again`(_ format: String, _ missing: Int) throws {
        _ = try run("--format", format)
        let whole = try folder.data("out/ada.\(format)")
        try folder.write(whole.dropLast(missing), to: "out/ada.\(format)")
        #expect(try run("--format", format).text.hasPrefix("1 photo converted to 1 avatar, 1 photo skipped"))
        #expect(try folder.data("out/ada.\(format)") == whole)
    }

    @Test func `A damaged recipe is drawn again`() throws {
        var image = try folder.data("out/ada.png")
        let recipe = try #require(image.range(of: Data("photo=sha256:".utf8)))
        image[recipe.upperBound] ^= 1
        try folder.write(image, to: "out/ada.png")
        #expect(try run().text.hasPrefix("1 photo converted to 1 avatar, 1 photo skipped"))
    }

    @Test func `An output folder inside the input folder is not converted itself`() throws {
        let first = try Tondo.run("convert", ".", "-r", "--size", "16", "-o", "out", "--force", in: folder)
        let second = try Tondo.run("convert", ".", "-r", "--size", "16", "-o", "./out/../out", in: folder)
        #expect(first.text.hasPrefix("2 photos converted to 2 avatars in "))
        #expect(second.text.hasPrefix("2 photos skipped (already converted) in "))
    }
}
