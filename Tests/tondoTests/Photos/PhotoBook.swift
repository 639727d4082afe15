import Foundation
import TondoTestSupport

@testable import tondo

/// A folder with `book.vcf`: a photo in it, one in a file, one at a URL, one in a file that is missing, and none.
struct PhotoBook {
    let folder: TemporaryFolder
    let photo: Data

    init() throws {
        folder = try TemporaryFolder()
        photo = try Repository.data(Repository.small)
        try folder.add(Repository.small, as: "photos/bo.jpg")
        let cards = [
            Self.card("Ada", photo: "ENCODING=b;TYPE=JPEG:\(photo.base64EncodedString())"),
            Self.card("Bo", photo: "VALUE=uri:photos/bo.jpg"),
            Self.card("Carl", photo: "VALUE=uri:https://example.org/carl.jpg"),
            Self.card("Dora", photo: "VALUE=uri:photos/dora.jpg"), Self.card("Eve", photo: nil),
        ]
        try folder.write(Data(cards.joined().utf8), to: "book.vcf")
    }

    static func card(_ name: String, photo: String?) -> String {
        let photo = photo.map { "PHOTO;\($0)\r\n" } ?? ""
        return "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(name.lowercased())\r\nFN:\(name)\r\n\(photo)END:VCARD\r\n"
    }

    /// `tondo photos WORDS...`
    func run(_ words: String...) throws -> Outcome { try RunningTondo(["photos"] + words, in: folder).finish() }
}
