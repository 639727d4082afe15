import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ConvertBookTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.add(Repository.small, as: "photos/ada.jpg")
    }

    private func card(_ name: String, photo: String? = "photos/ada.jpg") -> String {
        let photo = photo.map { "PHOTO;VALUE=uri:\($0)\n" } ?? ""
        return "BEGIN:VCARD\nVERSION:3.0\nFN:\(name)\n\(photo)END:VCARD\n"
    }

    private func convert(_ words: String...) throws -> Outcome {
        try RunningTondo(["convert", "--size", "16"] + words, in: folder).finish()
    }

    private func write(_ cards: String..., to name: String = "book.vcf") throws {
        try folder.write(Data(cards.joined().utf8), to: name)
    }

    @Test func `A book becomes a face a contact, named after it`() throws {
        try write(card("Ada"), card("Bo", photo: nil), card("Ada"))
        let outcome = try convert("book.vcf")
        #expect(outcome.status == 0)
        #expect(
            outcome.text.hasPrefix("3 contacts converted to 3 avatars, 1 of them without a photo in "))
        #expect(try folder.files(below: "avatars") == ["Ada-2.png", "Ada.png", "Bo.png"])
        try convert("photos/ada.jpg", "-o", "plain.png").requireDone()
        #expect(try folder.data("avatars/Ada.png") == folder.data("plain.png"))
    }

    @Test func `The book's crop is respected`() throws {
        let data = try Repository.data(Repository.small).base64EncodedString()
        let crop = "PHOTO;ENCODING=b;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&10&10&x:"
        try write("BEGIN:VCARD\nVERSION:3.0\nFN:Ada\n\(crop)\(data)\nEND:VCARD\n")
        try convert("book.vcf").requireDone()
        let recipe = try Tondo.run("cache", "show", "avatars/Ada.png", "--cache-dir", "none", in: folder)
        #expect(recipe.status == 66)
        #expect(String(decoding: try folder.data("avatars/Ada.png"), as: UTF8.self).contains("crop=0,0,10,10"))
    }

    @Test func `A folder gives its cards and its pictures, and no name twice`() throws {
        try write(card("ada", photo: "../photos/ada.jpg"), to: "people/ada.vcf")
        try folder.add(Repository.smallPNG, as: "people/ada.png")
        try write(card("Bo", photo: "../ada.png"), to: "people/sub/bo.vcf")
        let outcome = try convert("people")
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("tondo: people/ada.vcf:1: ada: names a file outside"))
        #expect(try folder.files(below: "avatars") == ["Bo.png", "ada.png"])
    }

    @Test func `What cannot be drawn is named with file and line, the rest is done`() throws {
        try write(card("Far", photo: "https://example.org/a.jpg"), "BEGIN:VCARD\nTEL:\nEND:VCARD\n", card("Ada"))
        let outcome = try convert("book.vcf")
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("tondo: book.vcf:6: holds no contact data\n"))
        #expect(
            outcome.error.contains("tondo: book.vcf:1: Far: remote photo, not fetched: https://example.org/a.jpg\n"))
        #expect(try folder.files(below: "avatars") == ["Ada.png"])
    }

    @Test func `JSON has ids, codes and counts`() throws {
        try write(card("Far", photo: "https://example.org/a.jpg"), card("Bo", photo: nil), card("Ada"))
        let lines = try convert("book.vcf", "--json").json()
        #expect(lines.map { $0["input"] as? String } == ["book.vcf:1: Far", "book.vcf:6: Bo", "book.vcf:10: Ada", nil])
        #expect((lines[0]["error"] as? [String: Any])?["code"] as? String == "remoteNotAllowed")
        #expect((lines[2]["contact"] as? String)?.hasPrefix("tondo-") == true)
        #expect(lines[3]["noPhoto"] as? Int == 1)
    }

    @Test func `A group is no contact: it is named and counted, and is no failure`() throws {
        let group = "BEGIN:VCARD\nVERSION:4.0\nKIND:group\nFN:Friends\nMEMBER:urn:uuid:a\nEND:VCARD\n"
        let apple = "BEGIN:VCARD\nVERSION:3.0\nX-ADDRESSBOOKSERVER-KIND:group\nN:Foes\nEND:VCARD\n"
        try write(group, card("Ada"), apple)
        let outcome = try convert("book.vcf", "--json")
        #expect(outcome.status == 0)
        let lines = outcome.error.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == "tondo: book.vcf:1: Friends: left out: a group, which gets no avatar")
        #expect(try outcome.json().last?["groups"] as? Int == 2)
        #expect(try convert("book.vcf", "--quiet").error == "")
        #expect(try convert("book.vcf", "--force").text.contains(" 2 groups left out in "))
    }

    @Test func `The cache notes the contact's id`() throws {
        try write(card("Ada").replacing("FN:", with: "UID:a1\nFN:"))
        try convert("book.vcf", "--cache-dir", "cache").requireDone()
        let entries = try Tondo.run("cache", "ls", "--json", "--cache-dir", "cache", in: folder).json()
        #expect(entries.map { $0["contacts"] as? [String] } == [["a1"]])
    }

    @Test func `A photo of the book is never overwritten`() throws {
        try write(card("ada"), to: "photo.vcf")
        try folder.add(Repository.smallPNG, as: "faces/ada.png")
        try write(card("ada", photo: "faces/ada.png"))
        let outcome = try convert("book.vcf", "-o", "faces")
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("faces/ada.png is a source and would be overwritten"))
    }

    @Test func `Contacts without a photo get the same silhouette`() throws {
        try write(card("Ada", photo: nil), card("Bo", photo: nil))
        #expect(try convert("book.vcf", "--initials-rule", "off").status == 0)
        #expect(try folder.data("avatars/Ada.png") == folder.data("avatars/Bo.png"))
    }

    @Test func `Without cards a folder of photos is what it was`() throws {
        try folder.write(Data("[{\"first_name\":\"Ada\"}]".utf8), to: "photos/friends.json")
        let outcome = try convert("photos")
        #expect(outcome.text.hasPrefix("1 photo converted to 1 avatar, 1 other file ignored in "))
    }
}

extension Outcome {
    /// Throws what went wrong.
    fileprivate func requireDone() throws {
        struct Failed: Error { var message: String }
        if status != 0 { throw Failed(message: error) }
    }
}
