import SystemPackage
import Testing
import TondoContacts

@testable import TondoAvatars

@Suite struct ContactFileNamesTests {
    @Test(arguments: [
        ("Ada Lovelace", "Ada Lovelace"), ("../../etc/passwd", "etc passwd"), (".hidden", "hidden"),
        ("AC/DC", "AC DC"), ("a\nb\t c", "a b c"), (" Émile ", "Émile"), ("a\u{202E}gpj", "agpj"),
        ("a\u{200B}b\u{AD}c", "abc"),
        ("👨\u{200D}👩\u{200D}👧 Moe", "👨\u{200D}👩\u{200D}👧 Moe"), ("علی\u{200C}رضا", "علی\u{200C}رضا"),
        ("\u{200D}a \u{200D}b\u{200C}", "a b"), ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E007F}"),
        ("李明", "李明"),
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
    }

    @Test func `Names that differ by case alone get numbers, since file systems may fold it`() {
        var names = ContactFileNames(taken: ["Ada"])
        let found = ["ADA", "Émile", "éMILE", "ada-2", "Bo"].map { name in
            var contact = Contact(id: "1")
            contact.name.formatted = name
            return names.name(for: contact)
        }
        #expect(found == ["ADA-2", "Émile", "éMILE-2", "ada-2-2", "Bo"])
        #expect(Set(found.map { $0.string.lowercased() }).count == 5)
    }

    @Test func `Without a name it is the id`() {
        var names = ContactFileNames()
        #expect(names.name(for: Contact(id: "urn:uuid:5")) == "urn:uuid:5")
        #expect(names.name(for: Contact(id: "/")) == "contact")
    }
}
