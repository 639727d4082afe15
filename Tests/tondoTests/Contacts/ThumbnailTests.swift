import Foundation
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import tondo

@Suite struct ThumbnailTests {
    private let book: SmallBook

    init() throws { book = try SmallBook(SmallBook.carl + SmallBook.ada) }

    /// `tondo thumbnail WORDS...`
    private func run(_ words: String..., shell: String? = nil) throws -> Outcome {
        try RunningTondo(["thumbnail"] + words + ["--sandbox", "off"], in: book.folder, shell: shell).finish()
    }

    /// The text of a tEXt chunk.
    private func attribute(_ name: String, of png: Data) throws -> String {
        let range = try #require(png.range(of: Data("tEXt\(name)\0".utf8)), "\(name)")
        let size = png[(range.lowerBound - 4)..<range.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        return String(decoding: png[range.upperBound..<(range.lowerBound + 4 + size)], as: UTF8.self)
    }

    @Test func `The first contact is drawn, with the attributes of the specification`() throws {
        let outcome = try run("--size", "256", "book.vcf", "thumbnail")
        #expect(outcome.status == 0 && outcome.text.isEmpty, "\(outcome.error)")
        let png = try book.folder.data("thumbnail")
        #expect(png.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]) && png[18] == 1 && png[19] == 0)
        let uri = try attribute("Thumb::URI", of: png)
        #expect(uri.hasPrefix("file:///") && uri.hasSuffix("/book.vcf"))
        #expect(try attribute("Thumb::Size", of: png) == "\(book.folder.data("book.vcf").count)")
        #expect(try attribute("Thumb::Mimetype", of: png) == "text/vcard")
        let time = try #require(Double(try attribute("Thumb::MTime", of: png)))
        #expect(abs(time - Date().timeIntervalSince1970) < 3_600)
    }

    @Test func `It is a PNG that Tondo reads, and of the size of the specification`() throws {
        _ = try run("book.vcf", "thumbnail.png")
        #expect(try book.folder.data("thumbnail.png")[19] == 128)
        let converted = try Tondo.run("convert", "thumbnail.png", "--sandbox", "off", in: book.folder)
        #expect(converted.status == 0, "\(converted.error)")
    }

    @Test func `A URI with escapes is a path`() throws {
        try book.folder.write(Data(SmallBook.ada.utf8), to: "über ada.vcf")
        let uri = "file://" + book.folder.pathString + "/%C3%BCber%20ada.vcf"
        #expect(try run(uri, "thumbnail.png").status == 0)
        let png = try book.folder.data("thumbnail.png")
        #expect(try attribute("Thumb::URI", of: png).hasSuffix("/%C3%BCber%20ada.vcf"))
    }

    @Test func `Its URI is the one of the file manager, or that of GLib`() throws {
        try book.folder.write(Data(SmallBook.ada.utf8), to: "it's (1) & [2].vcf")
        #expect(try run("it's (1) & [2].vcf", "thumbnail.png").status == 0)
        let own = try attribute("Thumb::URI", of: book.folder.data("thumbnail.png"))
        #expect(own.hasSuffix("/it's%20(1)%20&%20%5B2%5D.vcf"))
        let uri = "file://" + book.folder.pathString + "/it%27s%20%281%29%20%26%20%5b2%5d.vcf"
        #expect(try run(uri, "thumbnail.png").status == 0)
        #expect(try attribute("Thumb::URI", of: book.folder.data("thumbnail.png")) == uri)
    }

    @Test func `It goes through a pipe, and links stay`() throws {
        try book.folder.link("link", to: "/proc/self/fd/1")
        let outcome = try run("book.vcf", "link", shell: #""$@" | cat > out"#)
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(try book.folder.data("out").prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(FileStatus(book.folder.path.appending("link"), followingLinks: false)?.kind == .link)
    }

    @Test func `A contact without a photo has a thumbnail, too`() throws {
        try book.folder.write(Data(SmallBook.bo.utf8), to: "bo.vcf")
        #expect(try run("bo.vcf", "thumbnail.png").status == 0)
    }

    @Test(arguments: ["", "no card", "BEGIN:VCARD\r\n"])
    func `Without a contact it fails, and writes nothing`(_ text: String) throws {
        try book.folder.write(Data(text.utf8), to: "none.vcf")
        let outcome = try run("none.vcf", "thumbnail.png")
        #expect(outcome.status != 0 && outcome.error.hasPrefix("tondo: "), "\(outcome.error)")
        #expect(!book.folder.exists("thumbnail.png"))
    }

    @Test func `A file that is not there is status 66`() throws {
        #expect(try run("lost.vcf", "thumbnail.png").status == 66)
        #expect(try run("file:///lost/lost.vcf", "thumbnail.png").status == 66)
        let folder = try run("photos", "thumbnail.png")
        #expect(folder.status == 66 && folder.error == "tondo: photos: thumbnails are made of files\n")
    }

    @Test func `A URI of another machine, and a wrong size, are wrong usage`() throws {
        #expect(try run("file://example.org/ada.vcf", "thumbnail.png").status == 64)
        #expect(try run("--size", "2048", "book.vcf", "thumbnail.png").status == 64)
    }

    @Test func `The input is never replaced`() throws {
        #expect(try run("book.vcf", "book.vcf").status == 64)
        #expect(try book.text == SmallBook.carl + SmallBook.ada)
    }

    @Test func `A folder that takes no file is status 74`() throws {
        try book.folder.write(Data(), to: "file")
        #expect(try run("book.vcf", "file/thumbnail.png").status == 74)
    }

    @Test func `It needs no home folder, and leaves no cache`() throws {
        let outcome = try run("book.vcf", "thumbnail.png", shell: #"HOME=$PWD exec "$@""#)
        #expect(outcome.status == 0)
        #expect(try book.folder.files() == ["book.vcf", "photos/carl.jpg", "thumbnail.png"])
    }

    @Test func `File managers call it as the entry says`() throws {
        let entry = String(decoding: try Repository.data("assets/tondo.thumbnailer"), as: UTF8.self)
        let lines = entry.split(separator: "\n")
        #expect(lines.first == "[Thumbnailer Entry]" && lines.contains("TryExec=tondo"))
        let command = try #require(lines.first { $0.hasPrefix("Exec=tondo ") }).dropFirst("Exec=tondo ".count)
        let words = command.split(separator: " ").map { word in
            ["%s": "64", "%i": "book.vcf", "%o": "thumbnail.png"][word] ?? String(word)
        }
        #expect(!words.contains { $0.contains("%") })
        #expect(try RunningTondo(words + ["--sandbox", "off"], in: book.folder).finish().status == 0)
        #expect(try book.folder.data("thumbnail.png")[19] == 64)
    }

    @Test func `make install installs the entry`() throws {
        let result = try ShellCommand.run(
            "/usr/bin/env", "make", "-C", Repository.path(""), "-n", "install", "TONDO=/bin/true")
        #expect(result.output.contains("assets/tondo.thumbnailer "), "\(result.output)")
    }
}
