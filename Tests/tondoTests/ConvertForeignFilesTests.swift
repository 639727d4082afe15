import Foundation
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import tondo

/// Files that Tondo did not make are not replaced.
@Suite struct ConvertForeignFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.add(Repository.small, as: "ada.jpg")
        try folder.add(Repository.small, as: "bo.jpg")
    }

    private func run(_ words: String...) throws -> Outcome {
        try RunningTondo(["convert", "--size", "16"] + words, in: folder).finish()
    }

    @Test func `A picture beside the photo stays, and the photo fails with the reason`() throws {
        try folder.add(Repository.smallPNG, as: "ada.png")
        let before = try folder.data("ada.png")
        let outcome = try run("ada.jpg", "bo.jpg", "-o", ".")
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("ada.png exists and is not an avatar that Tondo made"))
        #expect(outcome.error.contains("--force"))
        #expect(outcome.text.contains("1 photo converted to 1 avatar, 1 failed"))
        #expect(try folder.data("ada.png") == before)
        #expect(try !folder.data("bo.png").isEmpty)
    }

    @Test func `One output file is no exception, and its code is for scripts`() throws {
        try folder.write(Data("notes".utf8), to: "out.webp")
        let outcome = try run("ada.jpg", "-o", "out.webp", "--json")
        #expect(outcome.status == 1)
        #expect(outcome.text.contains(#""code":"file-foreign""#))
        #expect(try folder.data("out.webp") == Data("notes".utf8))
    }

    @Test func `A pipe is not replaced`() throws {
        #expect(mkfifo(folder.path.string + "/out.png", 0o600) == 0)
        let outcome = try run("ada.jpg", "-o", "out.png")
        #expect(outcome.status == 1 && outcome.error.contains("out.png exists and is not an avatar"))
        #expect(FileStatus(folder.path.appending("out.png"))?.kind == .other)
    }

    @Test func `Force replaces it`() throws {
        try folder.add(Repository.smallPNG, as: "ada.png")
        let before = try folder.data("ada.png")
        #expect(try run("ada.jpg", "-o", ".", "--force").status == 0)
        #expect(try folder.data("ada.png") != before)
    }

    @Test func `An avatar of another style, and an empty file, are replaced as ever`() throws {
        #expect(try run("ada.jpg", "-o", ".").status == 0)
        let before = try folder.data("ada.png")
        try folder.write(Data(), to: "bo.png")
        #expect(try run("ada.jpg", "bo.jpg", "-o", ".", "--size", "20").status == 0)
        #expect(try folder.data("ada.png") != before)
        #expect(try !folder.data("bo.png").isEmpty)
    }
}
