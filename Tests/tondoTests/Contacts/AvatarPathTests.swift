import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct AvatarPathTests {
    private let book: SmallBook

    init() throws {
        let family = SmallBook.bo.replacing("END:VCARD", with: "EMAIL:carl@example.org\r\nEND:VCARD")
        book = try SmallBook(SmallBook.ada + family + SmallBook.carl)
    }

    private func run(_ words: String..., cache: String = "cache") throws -> Outcome {
        let places = ["--book", "book.vcf", "--cache-dir", cache, "--sandbox", "off"]
        return try RunningTondo(["avatar"] + words + places, in: book.folder).finish()
    }

    @Test(arguments: ["ada", "Ada Lovelace", "ADA@example.org"])
    func `The path is that of a PNG file of this size`(word: String) throws {
        let outcome = try run(word, "--size", "32", "--scale", "2")
        #expect(outcome.status == 0, "\(outcome.error)")
        let path = outcome.text.trimmingCharacters(in: .newlines)
        let bytes = try Data(
            contentsOf: URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: book.folder.pathString)))
        #expect(bytes.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]) && bytes[19] == 64)
        #expect(try run(word, "--size", "32", "--scale", "2").text == outcome.text)
    }

    @Test func `Of several contacts with an address, the one with a photo is shown`() throws {
        let line = try #require(try run("carl@example.org", "--json").json().first)
        #expect(line["id"] as? String == "carl" && line["kind"] as? String == "photo")
    }

    @Test func `A photo that cannot be drawn is reported, and something is shown instead`() throws {
        try book.folder.write(Data("no picture".utf8), to: "photos/carl.jpg")
        let outcome = try run("carl", "--json")
        #expect(outcome.status == 0 && outcome.error.contains("Carl Åberg: "), "\(outcome.error)")
        let kind = try outcome.json().first?["kind"] as? String
        #expect(kind == "initials" || kind == "silhouette")
    }

    @Test func `A cache that cannot be made is the reason why there is no path`() throws {
        let outcome = try run("ada", cache: "/proc/nowhere")
        #expect(outcome.status == 74 && outcome.text.isEmpty)
        #expect(outcome.error.contains("tondo: /proc/nowhere: the avatar's file would be in the cache"))
    }

    @Test func `A contact that the book does not have is status 1`() throws {
        let outcome = try run("nobody@example.org")
        #expect(outcome.status == 1 && outcome.text.isEmpty)
        #expect(outcome.error.contains("nobody@example.org: no such contact"))
    }
}
