import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoTestSupport

@testable import TondoAvatars

@Suite struct ZeroBytePathTests {
    @Test(arguments: ["file:in.jpg%00.png", "file:///in.jpg%00", "file:%00"])
    func `A path with a zero byte names no file, not even the one before it`(address: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tondo-zero-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let card = "BEGIN:VCARD\nVERSION:3.0\nUID:ada\nFN:Ada\nPHOTO;VALUE=uri:\(address)\nEND:VCARD\n"
        try Data(card.utf8).write(to: URL(filePath: folder + "/ada.vcf"))
        try Data([0xFF, 0xD8, 0xFF]).write(to: URL(filePath: folder + "/in.jpg"))
        let book = try AddressBook(FilePath(folder))
        let photos = BookPhotos(book, scan: try book.scan())
        let contact = try #require(try book.contents().contacts.first)
        let photo = try #require(contact.photo)
        #expect(photos.file(of: contact) == nil)
        let problem = #expect(throws: PhotoProblem.self) { try photos.open(photo, of: contact, limit: 1 << 20) }
        #expect(problem?.code == "photo-path-malformed" && problem?.description.utf8.contains(0) == false)
    }
}
