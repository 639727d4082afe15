import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct PhotosListTests {
    private let book: PhotoBook

    init() throws { book = try PhotoBook() }

    @Test func `Each photo has a line, and contacts without one are counted`() throws {
        let outcome = try book.run("ls", "book.vcf")
        #expect(outcome.status == 1)
        #expect(
            outcome.lines.map { $0.replacing("\t", with: " ") } == [
                "NAME SIDES BYTES FORMAT FROM ID", "Ada 41 x 41 2.1 kB jpeg inline ada",
                "Bo 41 x 41 2.1 kB jpeg file bo",
                "Carl - - - remote carl", "Dora - - unreadable file dora",
            ])
        #expect(
            outcome.error == """
                tondo: Dora: cannot be read: no such file or directory
                4 photos, 1 of them cannot be read, 4.2 kB; 1 contact without one\n
                """)
    }

    @Test func `On a terminal that shows images each line has its avatar above it`() throws {
        let words = ["photos", "ls", "book.vcf", "--preview"]
        let shell = #"TERM=xterm-kitty exec "$@" >&2"#
        let shown = try RunningTondo(words, in: book.folder, shell: shell, terminal: 80).finish().error
        #expect(shown.components(separatedBy: "\u{1B}_Gf=100").count - 1 == 2)
        #expect(shown.contains("Ada  41 x 41  2.1 kB  jpeg  inline  ada") && shown.contains("4 photos, 1 of them"))
    }

    @Test func `Elsewhere there is no preview, and the list`() throws {
        let outcome = try book.run("ls", "book.vcf", "--preview")
        #expect(outcome.error.contains("no preview: standard output is not a terminal") && outcome.lines.count == 5)
    }

    @Test func `JSON has the sides as they are shown, and the reason of what cannot be read`() throws {
        let lines = try book.run("ls", "book.vcf", "--json").json()
        #expect(lines.compactMap { $0["id"] as? String } == ["ada", "bo", "carl", "dora"])
        #expect(lines[0]["width"] as? Int == 41 && lines[0]["bytes"] as? Int == book.photo.count)
        #expect(lines[2]["bytes"] == nil && lines[2]["error"] == nil)
        let error = lines[3]["error"] as? [String: String]
        #expect(error == ["reason": "cannot be read: no such file or directory"])
    }

    @Test func `A photo on its side is as high as it is shown`() throws {
        try book.folder.add("Tests/Fixtures/decodes-like-reference/webp-exif-6.webp", as: "photos/bo.jpg")
        let stored = try Repository.data("Tests/Fixtures/decodes-like-reference/webp-exif-6.webp")
        let line = try book.run("ls", "book.vcf", "--json").json()[1]
        #expect(line["bytes"] as? Int == stored.count)
        #expect(line["width"] as? Int == 51 && line["height"] as? Int == 36)
    }

    @Test func `Only larger photos are listed, and smaller ones are not counted as missing`() throws {
        let outcome = try book.run("ls", "book.vcf", "--over", "1MB", "--json")
        // What cannot be read may be larger.
        #expect(try outcome.json().compactMap { $0["id"] as? String } == ["dora"])
    }

    @Test func `A book without photos lists nothing`() throws {
        try book.folder.write(Data(SmallBook.ada.utf8), to: "plain.vcf")
        let outcome = try book.run("ls", "plain.vcf")
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        #expect(outcome.error == "0 photos, 0 B; 1 contact without one\n")
    }
}
