import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct PhotosSetTests {
    private let book: PhotoBook
    private let text: String

    init() throws {
        book = try PhotoBook()
        text = String(decoding: try book.folder.data("book.vcf"), as: UTF8.self)
        try book.folder.add(Repository.smallPNG, as: "new.png")
    }

    private var now: String { get throws { String(decoding: try book.folder.data("book.vcf"), as: UTF8.self) } }

    private func restore(_ words: String...) throws -> Outcome {
        try RunningTondo(["contacts", "restore", "--trash", "trash"] + words, in: book.folder).finish()
    }

    @Test func `A photo is set, listed, and undone byte for byte`() throws {
        let outcome = try book.run("set", "book.vcf", "Eve", "new.png", "--trash", "trash")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.text.hasPrefix("eve  Eve: photo set in "))
        #expect(outcome.error.contains("undo: tondo contacts restore "))
        let listed = try book.run("ls", "book.vcf", "--json").json().first { $0["id"] as? String == "eve" }
        #expect(listed?["format"] as? String == "png" && listed?["from"] as? String == "inline")
        #expect(try restore("--list", "--json").json().map { $0["change"] as? String } == ["photo"])
        let undone = try restore("eve")
        #expect(undone.status == 0 && undone.text.hasPrefix("eve  Eve: photo restored in "))
        #expect(try now == text)
    }

    @Test func `Standard input is a photo, too, and a crop is counted from the upper edge`() throws {
        let shell = #"exec "$@" < new.png"#
        let words = ["photos", "set", "book.vcf", "bo", "-", "--crop", "1,2,20,10", "--trash", "trash", "--json"]
        let outcome = try RunningTondo(words, in: book.folder, shell: shell).finish()
        #expect(outcome.status == 0, "\(outcome.error)")
        let report = try #require(try outcome.json().first)
        #expect(report["status"] as? String == "changed" && report["entry"] is String)
        #expect(report["width"] as? Int == 33 && report["height"] as? Int == 24)
        #expect(try now.contains("X-ABCROP-RECTANGLE=ABClipRect_1&1&12&20&10&"))
    }

    @Test func `A photo that is there already is no change`() throws {
        _ = try book.run("set", "book.vcf", "eve", "new.png", "--trash", "trash")
        let before = try now
        let outcome = try book.run("set", "book.vcf", "eve", "new.png", "--trash", "trash")
        #expect(outcome.status == 0 && outcome.text == "eve  Eve: has this photo already\n")
        #expect(try now == before)
    }

    @Test func `A dry run changes nothing`() throws {
        let outcome = try book.run("set", "book.vcf", "eve", "new.png", "--trash", "trash", "--dry-run")
        #expect(outcome.status == 0 && outcome.text.contains("photo would be set in "))
        #expect(try now == text)
        #expect(!book.folder.exists("trash"))
    }

    @Test(arguments: [
        (
            ["new.png", "--max-bytes", "300"], 1,
            "no picture of 32 pixels a side fits into 300 bytes"
        ),
        (["missing.png"], 74, "missing.png: cannot be read: no such file or directory"),
        (["book.vcf"], 1, "book.vcf: unsupported: vCard file"),
        (["new.png", "--crop", "1,2,33,10"], 64, "is not in the photo, which has 33 x 24 pixels"),
        (["new.png", "--crop", "1,2,3"], 64, "--crop"), (["new.png", "--max-side", "0"], 64, "must be 1 to 8192"),
        (["new.png", "--max-bytes", "1GB"], 64, "must be at most"),
    ]) func `What cannot be stored is refused with the reason`(
        words: [String], status: Int32, reason: String
    ) throws {
        let all = ["photos", "set", "book.vcf", "eve"] + words + ["--trash", "trash"]
        let outcome = try RunningTondo(all, in: book.folder).finish()
        #expect(outcome.status == status)
        #expect(outcome.error.contains(reason), "\(outcome.error)")
        #expect(try now == text)
    }

    @Test func `Other formats of books say that they store no photos`() throws {
        try book.folder.write("First Name,Last Name\r\nAda,Lovelace\r\n", to: "book.csv")
        let outcome = try book.run("set", "book.csv", "Ada Lovelace", "new.png", "--trash", "trash")
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("not changed: only vCards can store a photo, not CSV"))
    }

    @Test func `A photo is removed, the file that the card names stays, and it comes back`() throws {
        let outcome = try book.run("remove", "book.vcf", "bo", "--trash", "trash")
        #expect(outcome.status == 0 && outcome.text.hasPrefix("bo  Bo: photo removed from "))
        #expect(
            try now
                == text.replacing(
                    PhotoBook.card("Bo", photo: "VALUE=uri:photos/bo.jpg"), with: PhotoBook.card("Bo", photo: nil)))
        #expect(book.folder.exists("photos/bo.jpg"))
        #expect(try book.run("remove", "book.vcf", "bo", "--trash", "trash").text == "bo  Bo: has no photo\n")
        #expect(try restore("book.vcf", "bo").status == 0)
        #expect(try now == text)
    }

    @Test func `Restoring an id again undoes the change before`() throws {
        try book.folder.add(Repository.small, as: "other.jpg")
        _ = try book.run("set", "book.vcf", "eve", "new.png", "--trash", "trash")
        let first = try now
        _ = try book.run("set", "book.vcf", "eve", "other.jpg", "--trash", "trash")
        #expect(try restore("eve").status == 0)
        #expect(try now == first)
        #expect(try restore("eve").status == 0)
        #expect(try now == text)
        #expect(try restore("eve").status == 1)
    }

    @Test(arguments: [[], ["--sandbox", "off"]])
    func `A photo that does not fit is drawn again, and its crop with it`(words: [String]) throws {
        try book.folder.add("assets/samples/bo.jpg", as: "large.jpg")
        let all = ["photos", "set", "book.vcf", "eve", "large.jpg", "--crop", "300,100,600,600", "--json"]
        let bounds = ["--max-side", "300", "--max-bytes", "20kB", "--trash", "trash"]
        let outcome = try RunningTondo(all + bounds + words, in: book.folder).finish()
        #expect(outcome.status == 0, "\(outcome.error)")
        let report = try #require(try outcome.json().first)
        #expect(report["drawn"] as? Bool == true && report["format"] as? String == "jpeg")
        #expect(report["width"] as? Int == 300 && report["height"] as? Int == 200)
        #expect(try #require(report["bytes"] as? Int) <= 20_000)
        #expect(try now.replacing("\r\n ", with: "").contains("X-ABCROP-RECTANGLE=ABClipRect_1&75&25&150&150&"))
        #expect(try restore("eve").status == 0)
        #expect(try now == text)
    }

    @Test func `A photo that is stored turned comes out upright`() throws {
        try book.folder.add("assets/samples/chidi.jpg", as: "turned.jpg")
        let outcome = try book.run("set", "book.vcf", "eve", "turned.jpg", "--trash", "trash", "--json")
        let report = try #require(try outcome.json().first)
        #expect(report["width"] as? Int == 540 && report["height"] as? Int == 720)
    }

    @Test(arguments: [["--crop", "centre"], ["--crop", "face"], ["--crop", "face", "--sandbox", "off"]])
    func `A square is found, where no face is the one in the centre`(words: [String]) throws {
        let all = ["photos", "set", "book.vcf", "eve", "new.png", "--trash", "trash"] + words
        let outcome = try RunningTondo(all, in: book.folder).finish()
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(try now.contains("X-ABCROP-RECTANGLE=ABClipRect_1&4&0&24&24&"))
    }
}
