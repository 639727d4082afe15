import Foundation
import Testing
import TondoTestSupport

@testable import tondo

/// `convert --format` and the names of its files.
@Suite struct ConvertOutputFormatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.add(Repository.small, as: "ada.jpg")
    }

    private func isWebP(_ name: String) throws -> Bool {
        let data = try folder.data(name)
        return data.prefix(4) == Data("RIFF".utf8) && data.dropFirst(8).prefix(8) == Data("WEBPVP8X".utf8)
    }

    @Test func `WebP files have their ending`() throws {
        let outcome = try Tondo.run("convert", "ada.jpg", "--format", "webp", in: folder)
        #expect(outcome.status == 0)
        #expect(try folder.files() == ["ada.jpg", "avatars/ada.webp"])
        #expect(try isWebP("avatars/ada.webp"))
    }

    @Test(arguments: ["x.webp", "x.WEBP"]) func `The name of the output chooses the format`(name: String) throws {
        #expect(try Tondo.run("convert", "ada.jpg", "-o", name, in: folder).status == 0)
        #expect(try isWebP(name))
    }

    @Test func `A name that contradicts the format is refused`() throws {
        let outcome = try Tondo.run("convert", "ada.jpg", "-o", "x.png", "--format", "webp", in: folder)
        #expect(outcome.status == 64 && outcome.error.contains("its name must end in .webp"))
        #expect(try folder.files() == ["ada.jpg"])
    }

    @Test func `An avatar that is there is skipped, one of another quality is drawn`() throws {
        func run(_ quality: String) throws -> String {
            try Tondo.run("convert", "ada.jpg", "--format", "webp", "--quality", quality, in: folder).text
        }
        #expect(try run("85").contains("1 photo converted"))
        #expect(try run("85").contains("1 photo skipped"))
        #expect(try run("40").contains("1 photo converted"))
    }

    @Test func `A photo is drawn in one format and not in the other of the cache`() throws {
        for (format, output, isCached) in [("webp", "one", false), ("png", "two", false), ("webp", "three", true)] {
            let outcome = try Tondo.run(
                "convert", "ada.jpg", "--format", format, "--cache-dir", "cache", "-o", output, in: folder)
            #expect(outcome.status == 0 && outcome.text.contains("(1 from the cache)") == isCached)
        }
        #expect(try folder.data("one/ada.webp") == folder.data("three/ada.webp"))
        let listed = try Tondo.run("cache", "ls", "--cache-dir", "cache", "--format", "webp", "--json", in: folder)
        #expect(listed.text.split(separator: "\n").count == 1 && listed.text.contains(#""format":"webp""#))
    }

    @Test(arguments: ["0", "101", "x"]) func `A quality outside its range is a usage error`(quality: String) throws {
        #expect(try Tondo.run("convert", "ada.jpg", "--quality", quality, in: folder).status == 64)
    }
}
