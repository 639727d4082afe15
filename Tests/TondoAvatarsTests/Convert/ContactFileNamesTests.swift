import SystemPackage
import Testing
import TondoContacts

@testable import TondoAvatars

@Suite struct ContactFileNamesTests {
    @Test(arguments: [
        ("Ada Lovelace", "Ada Lovelace"), ("../../etc/passwd", "etc passwd"), (".hidden", "hidden"),
        ("AC/DC", "AC DC"), ("a\nb\t c", "a b c"), (" Émile ", "Émile"), ("a\u{202E}gpj", "a gpj"), ("李明", "李明"),
        ("...", nil), ("/", nil), ("", nil),
    ]) func `A name keeps what is safe in a file's name`(name: String, safe: String?) {
        #expect(ContactFileNames.safe(name) == safe)
    }

    @Test func `A long name is cut between characters`() {
        let name = ContactFileNames.safe(String(repeating: "é", count: 200))
        #expect(name == String(repeating: "é", count: 90))
    }

    @Test func `Equal names get numbers, and make way for those that are taken`() {
        var names = ContactFileNames(taken: ["Ada"])
        var ada = Contact(id: "1")
        ada.name.formatted = "Ada"
        #expect(names.name(for: ada) == "Ada-2")
        #expect(names.name(for: ada) == "Ada-3")
        ada.name.formatted = "ADA"
        #expect(names.name(for: ada) == "ADA")
    }

    @Test func `Without a name it is the id`() {
        var names = ContactFileNames()
        #expect(names.name(for: Contact(id: "urn:uuid:5")) == "urn:uuid:5")
        #expect(names.name(for: Contact(id: "/")) == "contact")
    }
}
