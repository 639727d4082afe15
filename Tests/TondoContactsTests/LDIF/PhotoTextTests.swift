import Foundation
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoContacts

/// Programs store the text of a picture where its bytes are expected.
@Suite struct PhotoTextTests {
    private static let picture: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0] + Array("a picture of more than a line of text".utf8)

    private static func base64(_ bytes: [UInt8]) -> String { MarkedBook.base64(bytes) }

    private static let texts: [String] = {
        let text = base64(picture)
        let lines = stride(from: 0, to: text.utf8.count, by: 20).map { String(text.dropFirst($0).prefix(20)) }
        return [
            text, lines.joined(separator: "\n"), lines.joined(separator: "\r\n"), text + "\n", " \(text) ",
            "\"\(text)\"",
            "data:image/jpeg;base64,\(text)", "data:;base64,\(lines.joined(separator: "\n"))",
            "DATA:image/jpeg;base64,\(text.replacing("/", with: "%2F"))", base64(Array(text.utf8)),
            String(text.drop { $0 == "=" }.prefix { $0 != "=" }),
            text.replacing("+", with: "-").replacing("/", with: "_"),
            picture.map { String(format: "%02x", $0) }.joined(),
            "0x" + picture.map { String(format: "%02X", $0) }.joined(),
            "b'\(text)'", "<img src=\"data:image/jpeg;base64,\(text)\">",
            String(String.UnicodeScalarView(picture.map { Unicode.Scalar($0) })),
        ]
    }()

    @Test(arguments: texts) func `A text of a picture is the picture`(text: String) {
        #expect(PhotoText.picture(Array(text.utf8)) == Self.picture)
    }

    @Test func `A picture is itself, also if it has only letters behind its first bytes`() {
        #expect(PhotoText.picture(Self.picture) == Self.picture)
        #expect(
            PhotoText.picture(Array("GIF89aAAAAAAAAAAAAAAAAAAAAA".utf8)) == Array("GIF89aAAAAAAAAAAAAAAAAAAAAA".utf8))
    }

    @Test func `Bytes that were taken for letters are restored, and letters are none`() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0xC3, 0x80, 0xFF, 0x00]
        let letters = String(String.UnicodeScalarView(png.map { Unicode.Scalar($0) }))
        #expect(PhotoText.picture(Array(letters.utf8)) == png)
        for text in ["Åse", letters + "€", "\u{FFFD}\u{FFFD}"] { #expect(PhotoText.picture(Array(text.utf8)) == nil) }
    }

    @Test(arguments: [
        "", "no picture", "http://example.org/a.jpg", "AAAAAAAAAAAAAAAAAAAAAAAA", "data:image/jpeg;base64,", "data:",
    ])
    func `Other text is no picture`(text: String) {
        #expect(PhotoText.picture(Array(text.utf8)) == nil)
    }

    /// The bytes that are drawn for a contact's photo.
    private func photo(_ line: String) throws -> [UInt8]? {
        let file = Array("dn: cn=Ada\nobjectClass: person\ncn: Ada\n\(line)\n".utf8)
        let contact = try #require(try BookFormat.ldif.read(file, name: "book.ldif").contacts.first)
        switch contact.photo {
        case .inline(.bytes(let bytes), _): return bytes
        case .inline(.encoded(let photo), _):
            return try file[photo.bytes].withUnsafeBytes { try photo.decoded(from: $0) }
        case .file, .remote, nil: return nil
        }
    }

    @Test(arguments: texts, ["jpegPhoto", "thumbnailPhoto", "photo"])
    func `In LDIF a text of a picture is the picture, encoded once more or not`(text: String, attribute: String) throws
    {
        #expect(try photo("\(attribute):: \(Self.base64(Array(text.utf8)))") == Self.picture)
        guard !text.utf8.contains(0x0A) else { return }
        #expect(try photo("\(attribute): \(text)") == Self.picture)
    }

    @Test func `In LDIF a picture stays in the file`() throws {
        let file = Array("dn: cn=Ada\ncn: Ada\njpegPhoto:: \(Self.base64(Self.picture))\n".utf8)
        let contact = try #require(try BookFormat.ldif.read(file, name: "book.ldif").contacts.first)
        guard case .inline(.encoded, nil) = contact.photo else {
            Issue.record("\(String(describing: contact.photo))")
            return
        }
    }

    @Test func `In LDIF a link to a photo is a link`() throws {
        for line in ["jpegPhoto: https://example.org/a.jpg", "jpegPhoto:< https://example.org/a.jpg"] {
            let file = Array("dn: cn=Ada\ncn: Ada\n\(line)\n".utf8)
            let contact = try #require(try BookFormat.ldif.read(file, name: "book.ldif").contacts.first)
            #expect(contact.photo == .remote(url: "https://example.org/a.jpg"))
        }
    }
}
