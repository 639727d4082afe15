import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ContactsShowTests {
    private let book: SmallBook

    init() throws { book = try SmallBook() }

    @Test func `All details of a contact are shown`() throws {
        let outcome = try book.run("show", "book.vcf", "ada")
        #expect(outcome.status == 0)
        #expect(
            outcome.text == """
                Name           Ada Lovelace
                Given          Ada
                Family         Lovelace
                Id             ada
                Organisation   Engines
                               Analysis
                Phones         +7 (916) 123-45-67 (cell)
                E-mail         ada@example.org
                Telegram       ada
                Groups         Friends, Work
                Introduction   First line
                               second
                Photo          none
                Place          book.vcf:1

                """)
    }

    @Test func `A photo on the network is shown by its URL, whether it was fetched or not`() throws {
        let card = SmallBook.bo.replacingOccurrences(
            of: "END:VCARD", with: "PHOTO;VALUE=uri:https://example.org/bo.jpg\r\nEND:VCARD")
        try book.folder.write(Data(card.utf8), to: "remote.vcf")
        #expect(try book.run("show", "remote.vcf", "bo").value("Photo") == "https://example.org/bo.jpg (remote)")
    }

    @Test(arguments: ["carl", "CARL ABERG", "Carl Åberg", "carl@Example.org"])
    func `A contact is found by its id, its name or an address`(word: String) throws {
        #expect(try book.run("show", "book.vcf", word).value("Id") == "carl")
    }

    @Test func `Contacts that share a name are listed`() throws {
        let twin = SmallBook.bo.replacingOccurrences(of: "UID:bo", with: "UID:twin")
        try book.folder.write(Data((SmallBook.bo + twin).utf8), to: "twins.vcf")
        let outcome = try book.run("show", "twins.vcf", "Bo Berg")
        #expect(outcome.status == 1)
        #expect(
            outcome.error.hasSuffix("tondo: Bo Berg: several contacts; use an id:\n  bo  Bo Berg\n  twin  Bo Berg\n"))
    }

    @Test(arguments: [("berg", "  bo  Bo Berg\n  carl  Carl Åberg\n"), ("lovel", "  ada  Ada Lovelace\n")])
    func `A part of a name shows no contact, but those that have it`(word: String, candidates: String) throws {
        let outcome = try book.run("show", "book.vcf", word)
        #expect(outcome.status == 1 && outcome.text.isEmpty)
        #expect(outcome.error.hasSuffix("tondo: \(word): no such contact; could be:\n\(candidates)"))
    }

    @Test func `An unknown name is an error`() throws {
        let outcome = try book.run("show", "book.vcf", "Zoe")
        #expect(outcome.status == 1)
        #expect(outcome.error.hasSuffix("tondo: Zoe: no such contact; 'tondo contacts ls' lists all\n"))
    }

    @Test func `JSON has the photo's bytes`() throws {
        let contact = try book.run("show", "book.vcf", "carl", "--json").json()[0]
        let photo = try #require((contact["photo"] as? [String: Any])?["data"] as? String)
        #expect(Data(base64Encoded: photo) == (try Repository.data(Repository.small)))
    }

    @Test func `An unreadable photo is reported, and the rest is shown`() throws {
        try FileManager.default.removeItem(atPath: book.folder.pathString + "/photos/carl.jpg")
        let outcome = try book.run("show", "book.vcf", "carl", "--json")
        #expect(outcome.status == 1)
        #expect(outcome.error.hasSuffix("tondo: Carl Åberg: photo: cannot be read: no such file or directory\n"))
        #expect(try outcome.json()[0]["id"] as? String == "carl")
    }
}
