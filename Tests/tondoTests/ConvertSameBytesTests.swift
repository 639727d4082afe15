import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ConvertSameBytesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.add(Repository.small, as: "in/ada.jpg")
        try folder.add(Repository.smallPNG, as: "in/bo.png")
        try folder.add("assets/samples/farid.png", as: "in/farid.png")
    }

    private func images(below name: String) throws -> [String: Data] {
        try Dictionary(
            folder.files(below: name).map { ($0, try folder.data(name + "/" + $0)) }, uniquingKeysWith: { $1 })
    }

    @Test func `Bytes are the same over jobs and runs`() throws {
        for (output, jobs) in [("one", "1"), ("two", "2"), ("eight", "8"), ("again", "8")] {
            let words = [
                "convert", "in", "--size", "16,40", "--state", "normal,selected", "--jobs", jobs, "-o", output,
            ]
            #expect(try RunningTondo(words, in: folder).finish().status == 0)
        }
        let expected = try images(below: "one")
        #expect(expected.count == 12)
        for output in ["two", "eight", "again"] { #expect(try images(below: output) == expected) }
    }

    /// Small photos are decoded at full scale for each of these sizes.
    @Test func `Bytes are the same whether sizes are drawn alone or together`() throws {
        let states = ["--state", "normal,selected"]
        #expect(
            try RunningTondo(["convert", "in/ada.jpg", "--size", "24,32,40", "-o", "all"] + states, in: folder)
                .finish().status == 0)
        for size in ["24", "32", "40"] {
            _ = try RunningTondo(["convert", "in/ada.jpg", "--size", size, "-o", "alone"] + states, in: folder)
                .finish()
        }
        #expect(try images(below: "alone") == images(below: "all"))
    }

    @Test func `Both states of one run keep the photo in its place`() throws {
        _ = try Tondo.run(
            "convert", "in/ada.jpg", "--size", "40", "--state", "normal,selected", "--ring-color", "#00000000", "-o",
            "out", in: folder)
        // A ring that cannot be seen: only the recipes differ.
        let normal = try folder.data("out/ada-40@1x-normal.png")
        let selected = try folder.data("out/ada-40@1x-selected.png")
        #expect(imageData(normal) == imageData(selected))
    }

    private func imageData(_ png: Data) -> Data? {
        png.range(of: Data("IDAT".utf8)).map { png[$0.lowerBound...] }
    }
}
