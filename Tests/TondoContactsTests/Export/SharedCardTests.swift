import Foundation
import SystemPackage
import Testing
import TondoContacts

@Suite struct SharedCardTests {
    private let ada: Contact = {
        var ada = Contact(id: "ada")
        ada.name.given = "Ada"
        ada.name.family = "Lovelace"
        ada.name.nicknames = ["Countess"]
        ada.organisation = ["Engines, Ltd", "Notes"]
        ada.title = "Analyst"
        ada.phones = [ContactPoint("+44 20 1", types: ["voice", "cell", "x-own words"])]
        ada.emails = [ContactPoint("ada@example.org", types: ["internet", "home"])]
        ada.websites = [ContactPoint("https://example.org/a,b;c")]
        ada.addresses = [ContactPoint("1 Square\nLondon", types: ["home"])]
        ada.birthday = "1815-12-10"
        ada.messengers = [.signal: "+44201"]
        ada.introduction = "owes me a book"
        ada.groups = [ContactGroup("Difficult people")]
        ada.chatLog = ["hello"]
        ada.isVIP = true
        ada.revision = "20260101"
        return ada
    }()

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `A file has what one gives to others, and nothing that is one's own`() throws {
        #expect(
            text(SharedCard(ada).file())
                == [
                    "BEGIN:VCARD", "VERSION:3.0", "N:Lovelace;Ada;;;", "FN:Ada Lovelace", #"ORG:Engines\, Ltd;Notes"#,
                    "TITLE:Analyst", "TEL;TYPE=cell:+44 20 1", "EMAIL;TYPE=home:ada@example.org",
                    "URL:https://example.org/a,b;c", "NICKNAME:Countess", #"ADR;TYPE=home:;;1 Square\, London;;;;"#,
                    "BDAY:1815-12-10", "X-SIGNAL:+44201", "END:VCARD", "",
                ].joined(separator: "\r\n"))
    }

    @Test func `A file with a photo is read again`() throws {
        let photo = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let file = SharedCard(ada).file(photo: photo)
        let contact = try #require(try BookFormat.vCard.read(file, name: "book").contacts.first)
        #expect(contact.name.given == "Ada" && contact.phones.map(\.value) == ["+44 20 1"])
        let folded = text(file).split(separator: "\r\n")
        #expect(folded.allSatisfy { $0.utf8.count <= 75 })
        #expect(folded.joined().replacing(" ", with: "").contains("PHOTO;ENCODING=b;TYPE=PNG:"))
        #expect(text(file).replacing("\r\n ", with: "").contains(Data(photo).base64EncodedString()))
    }

    @Test func `A brief card loses its last lines first, and never its name`() {
        let card = SharedCard(ada)
        let whole = text(card.brief(limit: 1_000))
        #expect(whole.hasSuffix("URL:https://example.org/a,b;c\r\nEND:VCARD\r\n") && !whole.contains("NICKNAME"))
        let shorter = text(card.brief(limit: whole.utf8.count - 1))
        #expect(shorter.contains("EMAIL;TYPE=home:") && !shorter.contains("URL:") && shorter.hasSuffix("END:VCARD\r\n"))
        let least = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lovelace;Ada;;;\r\nFN:Ada Lovelace\r\nEND:VCARD\r\n"
        #expect(text(card.brief(limit: 10)) == least)
    }

    @Test func `Any name fits, whole characters at a time`() {
        var long = Contact(id: "long")
        for path in [\ContactName.given, \.family, \.additional, \.prefix, \.suffix, \.formatted] {
            long.name[keyPath: path] = String(repeating: ";é", count: 5_000)
        }
        let card = SharedCard(long).brief(limit: 1_273)
        #expect(card.count <= 1_273 && !text(card).contains("\u{FFFD}"))
        // The file has all of it.
        #expect(SharedCard(long).file().count > 6 * 20_000)
    }

    @Test(arguments: [(Contact.Kind.individual, "N:;Engines;;;"), (.organisation, "N:Engines;;;;")])
    func `A contact with one name alone has it as a part`(kind: Contact.Kind, line: String) {
        var contact = Contact(id: "x")
        contact.kind = kind
        contact.name.formatted = "Engines"
        #expect(text(SharedCard(contact).file()).contains("\r\n\(line)\r\nFN:Engines\r\n"))
    }

    @Test func `No line of a brief card is folded`() {
        var contact = Contact(id: "x")
        contact.name.formatted = "X"
        contact.websites = [ContactPoint("https://example.org/" + String(repeating: "a", count: 200))]
        #expect(!text(SharedCard(contact).brief(limit: 1_000)).contains("\r\n "))
    }
}
