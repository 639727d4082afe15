import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct PhotosExportTests {
    private let book: PhotoBook

    init() throws { book = try PhotoBook() }

    @Test func `Photos are written byte for byte, named as their contacts are`() throws {
        let outcome = try book.run("export", "book.vcf", "-o", "out")
        #expect(outcome.status == 1)
        #expect(try book.folder.names(in: "out") == ["Ada.jpg", "Bo.jpg"])
        #expect(try book.folder.data("out/Ada.jpg") == book.photo)
        #expect(try book.folder.data("out/Bo.jpg") == book.photo)
        #expect(
            outcome.error == """
                tondo: Carl: remote photo, not fetched: https://example.org/carl.jpg
                tondo: Dora: cannot be read: no such file or directory
                2 photos written, 2 failed\n
                """)
    }

    @Test func `Files are for their owner alone`() throws {
        _ = try book.run("export", "book.vcf", "-o", "out")
        let attributes = try FileManager.default.attributesOfItem(atPath: book.folder.pathString + "/out/Ada.jpg")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `A file of other content stays, unless it is to be replaced`() throws {
        try book.folder.write(Data("another".utf8), to: "out/Ada.jpg")
        let outcome = try book.run("export", "book.vcf", "-o", "out")
        #expect(outcome.error.contains("tondo: Ada: out/Ada.jpg exists with other content\n"))
        #expect(try book.folder.data("out/Ada.jpg") == Data("another".utf8))
        _ = try book.run("export", "book.vcf", "-o", "out", "--force")
        #expect(try book.folder.data("out/Ada.jpg") == book.photo)
    }

    @Test func `What is there is not written again`() throws {
        _ = try book.run("export", "book.vcf", "-o", "out")
        let lines = try book.run("export", "book.vcf", "-o", "out", "--json").json()
        #expect(lines[0]["written"] as? Bool == false && lines[0]["path"] as? String == "out/Ada.jpg")
        #expect(lines.compactMap { $0["error"] }.count == 2)
    }

    @Test func `A file of the book is never replaced`() throws {
        // Ada's photo would go where Bo's is.
        let cards = PhotoBook.card("bo", photo: "ENCODING=b;TYPE=JPEG:\(book.photo.base64EncodedString())")
        let other = try Repository.data("Tests/Fixtures/decodes-like-reference/webp-exif-6.webp")
        try book.folder.write(
            Data((cards + PhotoBook.card("Bo Two", photo: "VALUE=uri:photos/bo.jpg")).utf8), to: "two.vcf")
        try book.folder.write(other, to: "photos/bo.jpg")
        let outcome = try book.run("export", "two.vcf", "-o", "photos", "--force")
        #expect(outcome.error.contains("tondo: bo: photos/bo.jpg is a file of the address book\n"))
        #expect(try book.folder.data("photos/bo.jpg") == other)
    }

    @Test func `A name cannot lead out of the folder`() throws {
        let inline = "ENCODING=b;TYPE=JPEG:\(book.photo.base64EncodedString())"
        try book.folder.write(Data(PhotoBook.card("../../up", photo: inline).utf8), to: "up.vcf")
        #expect(try book.run("export", "up.vcf", "-o", "out").status == 0)
        #expect(try book.folder.names(in: "out").count == 1)
        #expect(!book.folder.exists("up.jpg"))
    }

    @Test func `A link is not written through`() throws {
        try book.folder.write(Data("kept".utf8), to: "elsewhere")
        try book.folder.write(Data(), to: "out/x")
        try FileManager.default.createSymbolicLink(
            atPath: book.folder.pathString + "/out/Ada.jpg", withDestinationPath: "../elsewhere")
        _ = try book.run("export", "book.vcf", "-o", "out", "--force")
        #expect(try book.folder.data("elsewhere") == Data("kept".utf8))
        #expect(try book.folder.data("out/Ada.jpg") == book.photo)
    }
}
