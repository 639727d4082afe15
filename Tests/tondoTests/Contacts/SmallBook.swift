import Foundation
import TondoTestSupport

@testable import tondo

/// A folder with `book.vcf`: three people, and a broken card on line 19.
final class SmallBook: Sendable {
    let folder: TemporaryFolder

    static let ada = """
        BEGIN:VCARD\r
        VERSION:3.0\r
        UID:ada\r
        N:Lovelace;Ada;;;\r
        FN:Ada Lovelace\r
        ORG:Engines;Analysis\r
        TEL;TYPE=CELL:89161234567\r
        EMAIL:ada@example.org\r
        X-TELEGRAM:@ada\r
        CATEGORIES:Friends,Work\r
        NOTE:First line\\nsecond\r
        END:VCARD\r\n
        """
    static let bo = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:bo\r\nN:Berg;Bo;;;\r\nFN:Bo Berg\r\nEND:VCARD\r\n"
    static let broken = "BEGIN:VCARD\r\nVERSION:3.0\r\nTEL:\r\nEND:VCARD\r\n"
    static let carl = """
        BEGIN:VCARD\r
        VERSION:3.0\r
        UID:carl\r
        N:Åberg;Carl;;;\r
        FN:Carl Åberg\r
        EMAIL:carl@example.org\r
        CATEGORIES:Work\r
        PHOTO;VALUE=uri:photos/carl.jpg\r
        END:VCARD\r\n
        """
    static let text = ada + bo + broken + carl

    init(_ text: String = SmallBook.text) throws {
        folder = try TemporaryFolder()
        try folder.write(Data(text.utf8), to: "book.vcf")
        try folder.add(Repository.small, as: "photos/carl.jpg")
    }

    /// `tondo contacts WORDS...`
    func run(_ words: String..., input: String = "", shell: String? = nil) throws -> Outcome {
        let running = try RunningTondo(["contacts"] + words, in: folder, shell: shell)
        running.send(Data(input.utf8))
        return try running.finish()
    }

    var text: String { get throws { try text(of: "book.vcf") } }

    func text(of name: String) throws -> String { String(decoding: try folder.data(name), as: UTF8.self) }

    /// A folder of two cards, one a file.
    func makeFolder() throws {
        try folder.write(Data(Self.ada.utf8), to: "people/home/ada.vcf")
        try folder.write(Data(Self.bo.utf8), to: "people/office/bo.vcf")
    }
}
