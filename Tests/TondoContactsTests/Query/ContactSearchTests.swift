import Testing

@testable import TondoContacts

@Suite struct ContactSearchTests {
    private let contact: Contact = {
        var contact = Contact(id: "a")
        contact.name.given = "Zoë"
        contact.name.family = "Łukasiewicz-Ёлкина"
        contact.name.nicknames = ["Zo"]
        contact.organisation = ["Example Works", "Straße"]
        contact.emails = [ContactPoint("Zoe.L@Example.ORG")]
        contact.phones = [ContactPoint("8 (916) 000-00-01"), ContactPoint("+1 555 0100")]
        return contact
    }()

    @Test(arguments: [
        "", "  ", "zoe", "ZOË", "lukas", "елкина", "ЁЛК", "zoe елк", "works", "strasse", "@example.org", "zoe.l",
        "9160000001", "916 000", "+7 916 000 00 01", "8916", "79160000001", "555-0100", "(555)", "1",
    ]) func `Letter case, accents and spelling of numbers do not matter`(query: String) {
        #expect(ContactSearch(query).finds(contact))
    }

    @Test(arguments: ["bob", "zoe bob", "7777", "8555", "zoelukas", "exampleworks"])
    func `What is not there is not found`(query: String) {
        #expect(!ContactSearch(query).finds(contact))
    }
}
