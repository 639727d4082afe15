import Foundation
import Glibc
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

/// A book in `book` names pictures; some lie outside of that folder.
@Suite struct BookPhotosTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(SmallPhoto.bytes, to: "book/photos/ada.jpg")
        try folder.write(SmallPhoto.bytes, to: "secret.jpg")
    }

    /// The bytes of the photo that a card in `book/NAME` names.
    private func open(_ uri: String, in name: String = "cards/ada.vcf") throws -> [UInt8] {
        let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Ada\nPHOTO;VALUE=uri:\(uri)\nEND:VCARD\n"
        try folder.write(Array(card.utf8), to: "book/" + name)
        return try open(book: "book")
    }

    private func open(book: String) throws -> [UInt8] {
        let read = try ReadBook(folder.path.appending(book))
        let contact = try #require(read.contents.contacts.first)
        return try read.photos.open(try #require(contact.photo), of: contact, limit: Limits().maxMemory).file.array
    }

    @Test(arguments: ["../photos/ada.jpg", "./../photos/../photos/ada.jpg", "../in.jpg"])
    func `A file inside the book's folder is opened`(uri: String) throws {
        try folder.link("book/in.jpg", to: "photos/ada.jpg")
        #expect(try open(uri) == SmallPhoto.bytes)
    }

    @Test func `An absolute path into the folder is opened`() throws {
        #expect(try open("file://" + folder.path.string + "/book/photos/ada.jpg") == SmallPhoto.bytes)
    }

    @Test(arguments: [
        "../../secret.jpg", "../photos/../../secret.jpg", "/etc/passwd", "../out.jpg", "../away/secret.jpg",
    ])
    func `Nothing outside is opened, wherever links lead`(uri: String) throws {
        try folder.makeFolder("book")
        try folder.link("book/out.jpg", to: "../secret.jpg")
        try folder.link("book/away", to: "..")
        #expect(throws: PhotoProblem.outside(path: uri)) { try open(uri) }
    }

    @Test func `An absolute path beside the folder is outside`() throws {
        let path = folder.path.string + "/secret.jpg"
        #expect(throws: PhotoProblem.outside(path: path)) { try open("file://" + path) }
    }

    @Test func `A pipe is refused and never waited for`() throws {
        #expect(mkfifo(folder.path.string + "/book/pipe.jpg", 0o600) == 0)
        #expect(throws: FileError(.read, path: "pipe.jpg", errno: .invalidArgument)) { try open("../pipe.jpg") }
    }

    @Test func `The place of a photo inside the book is known without opening it, that of a file is not`() throws {
        try folder.write(Array(SmallBook.card("ada", photo: SmallBook.inline(1)).utf8), to: "inline/ada.vcf")
        let read = try ReadBook(folder.path.appending("inline"))
        let contact = try #require(read.contents.contacts.first)
        let source = try #require(PhotoSource(contact, in: read.photos))
        let place = try source.open().identity
        #expect(source.identity?.0 == place && place != nil)
        #expect(PhotoSource.file(folder.path.appending("secret.jpg")).identity == nil)
    }

    @Test func `A folder and a missing file report the reason`() throws {
        #expect(throws: FileError(.read, path: "photos", errno: .isDirectory)) { try open("../photos") }
        #expect(throws: FileError(.read, path: "cards/no.jpg", errno: .noSuchFileOrDirectory)) { try open("no.jpg") }
    }

    @Test func `What is no picture is refused`() throws {
        try folder.write([UInt8](repeating: 0x61, count: 5000), to: "book/text.jpg")
        #expect(throws: RenderError.self) { try open("../text.jpg") }
    }

    @Test func `A photo on the net is never fetched`() throws {
        #expect(throws: PhotoProblem.remote(url: "https://example.org/a.jpg")) { try open("https://example.org/a.jpg") }
    }

    /// Nothing of a photo that may not be held is read.
    @Test func `An inline photo that takes more memory than allowed is refused`() throws {
        let data = Data(SmallPhoto.bytes).base64EncodedString()
        let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Ada\nPHOTO;ENCODING=b:\(data)\nEND:VCARD\n"
        try folder.write(Array(card.utf8), to: "book.vcf")
        let read = try ReadBook(folder.path.appending("book.vcf"))
        let contact = try #require(read.contents.contacts.first)
        let photo = try #require(contact.photo)
        let needed = data.utf8.count + data.utf8.count / 4 * 3 + 3
        #expect(try read.photos.open(photo, of: contact, limit: needed).file.array == SmallPhoto.bytes)
        try folder.remove("book.vcf")
        let refusal = RenderError(stage: .limits, error: .overMemory(needed: needed, limit: needed - 1))
        #expect(throws: refusal) { try read.photos.open(photo, of: contact, limit: needed - 1) }
    }

    @Test func `An inline photo has its bytes and its crop`() throws {
        let data = Data(SmallPhoto.bytes).base64EncodedString()
        let card = """
            BEGIN:VCARD
            VERSION:3.0
            FN:Ada
            PHOTO;ENCODING=b;X-ABCROP-RECTANGLE=ABClipRect_1&1&2&30&31&x:\(data)
            END:VCARD
            """
        try folder.write(Array(card.utf8), to: "book/ada.vcf")
        let read = try ReadBook(folder.path.appending("book"))
        let contact = read.contents.contacts[0]
        let opened = try read.photos.open(try #require(contact.photo), of: contact, limit: 1 << 20)
        #expect(opened.file.array == SmallPhoto.bytes)
        #expect(opened.crop == CropRectangle(x: 1, y: 2, width: 30, height: 31))
    }

    @Test func `A photo whose text changed since is refused`() throws {
        let data = Data(SmallPhoto.bytes).base64EncodedString()
        let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Ada\nPHOTO;ENCODING=b:\(data)\nEND:VCARD\n"
        try folder.write(Array(card.utf8), to: "book/ada.vcf")
        let read = try ReadBook(folder.path.appending("book"))
        let contact = read.contents.contacts[0]
        for changed in [card.replacing("FN:Ada", with: "FN:Adaline"), "BEGIN:VCARD\n"] {
            try folder.write(Array(changed.utf8), to: "book/ada.vcf")
            #expect(throws: PhotoProblem.book(.photoChanged)) {
                try read.photos.open(try #require(contact.photo), of: contact, limit: 1 << 20)
            }
        }
    }

    @Test func `Of a picture in several sizes the largest is taken, wherever it lies`() throws {
        try folder.write(Array(#"[{"first_name":"Ada","avatar_filename":"Ada.png"}]"#.utf8), to: "sizes/friends.json")
        let png = try folder.bytes("book/photos/ada.jpg")
        for (name, tail) in [("Ada.png", 1), ("more/Ada@2x.png", 2), ("more/Ada@3x.png", 3)] as [(String, UInt8)] {
            try folder.write(png + [tail], to: "sizes/" + name)
        }
        let read = try ReadBook(folder.path.pushing("sizes/friends.json"))
        guard case .file = read.contents.contacts[0].photo else {
            Issue.record("the key of the picture is another one")
            return
        }
        let contact = read.contents.contacts[0]
        let opened = try read.photos.open(try #require(contact.photo), of: contact, limit: 1 << 20)
        #expect(opened.file.array == png + [3])
        #expect(read.photos.file(of: contact) == folder.path.pushing("sizes/more/Ada@3x.png"))
    }
}
