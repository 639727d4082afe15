import SystemPackage
import Testing

@testable import TondoContacts

@Suite struct IdentitiesTests {
    /// Ids of a book's cards, each with its own id and its fingerprint.
    private func ids(_ cards: (id: String, card: String)..., owners: [String: String] = [:], duplicates: Int = 0)
        -> [String]
    {
        var identities = Identities(owners: owners.mapValues { Identities.Owner(card: $0, duplicates: duplicates) })
        return cards.map { card in identities.unique(card.id) { card.card } }
    }

    @Test func `Of several with one id, all but the first have their fingerprint behind it`() {
        #expect(ids(("a", "1"), ("b", "2"), ("a", "3"), ("a", "4")) == ["a", "b", "a-3", "a-4"])
        #expect(ids(("a", "1"), ("a", "4"), ("a", "3")) == ["a", "a-4", "a-3"])
    }

    @Test func `An id stays with its owner, wherever that stands and whether it is there`() {
        #expect(ids(("a", "3"), ("a", "1"), owners: ["a": "1"]) == ["a-3", "a"])
        #expect(ids(("a", "3"), owners: ["a": "1"]) == ["a-3"])
    }

    @Test func `Equals of a card that was taken out keep their ids, also when it comes back`() {
        #expect(ids(("a", "1"), owners: ["a": "1"], duplicates: 1) == ["a-1"])
        #expect(ids(("a", "1"), ("a", "1"), owners: ["a": "1"], duplicates: 1) == ["a-1", "a"])
        #expect(ids(("a", "1"), ("a", "1"), owners: ["a": "1"], duplicates: 2) == ["a-1", "a-1-2"])
    }

    @Test func `Cards that nothing tells apart are numbered`() {
        #expect(ids(("a", "1"), ("a", "1"), ("a", "1")) == ["a", "a-1", "a-1-2"])
    }

    @Test func `No id is given twice, whatever ids the cards have`() {
        #expect(ids(("a", "1"), ("a-3", "2"), ("a", "3"), ("a-3-2", "4")) == ["a", "a-3", "a-3-2", "a-3-2-4"])
    }

    @Test func `Ids that several have are known`() {
        var identities = Identities(owners: ["b": Identities.Owner(card: "1")])
        for id in ["a", "b", "c", "a"] { _ = identities.unique(id) { "2" } }
        #expect(identities.shared == ["a", "b"])
    }

    @Test func `Two hundred thousand equal ids become unique, also those of equal cards`() {
        var identities = Identities(expecting: 200_000)
        let ids = Set((0..<200_000).map { number in identities.unique("a") { "\(number / 2)" } })
        #expect(ids.count == 200_000)
    }

    @Test func `A card keeps its fingerprint when its photo changes, and has another one in another file`() throws {
        var card = try Contact(lines: "FN:Ada", "NOTE:one")
        let fingerprint = card.fingerprint
        #expect(fingerprint.utf8.count == 12)
        card.photo = .remote(url: "https://example.org/a.jpg")
        #expect(card.fingerprint == fingerprint)
        card.place?.file = "other.vcf"
        #expect(card.fingerprint != fingerprint)
        #expect(try Contact(lines: "FN:Ada", "NOTE:two").fingerprint != fingerprint)
    }

    @Test func `A contact without UID gets the same id on every load`() throws {
        let one = try Contact(lines: "FN:Ada Example", "TEL:1")
        let again = try Contact(lines: "TEL:1", "FN:Ada Example", "NOTE:New", "PHOTO:a.jpg", "REV:2")
        #expect(one.id == again.id)
        // Must not change from one version to the next: caches and listeners know people by it.
        #expect(one.id == "tondo-4c7bce25899b9c71ef72d115c7899911")
    }

    @Test func `Other people get other ids`() throws {
        let ids = try [
            Contact(lines: "FN:Ada Example", "TEL:1"), Contact(lines: "FN:Ada Example", "TEL:2"),
            Contact(lines: "FN:Ada Example"), Contact(lines: "FN:Ada Example", "EMAIL:1"),
            Contact(lines: "FN:Ada Example", "TEL:1", "TEL;TYPE=home:1"), Contact(lines: "N:Example;Ada", "TEL:1"),
        ].map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    /// The ids of a book, as its merger gives them. `removed`: the trash's memory of what was taken out.
    private func ids(of contacts: [Contact], removed: Identities.Owners = [:]) -> [String] {
        var identities = Identities(owners: removed)
        return contacts.map { contact in identities.unique(contact.id) { contact.fingerprint } }
    }

    private static let similar: [[String]] = [
        ["ADR:;;Hafen 1;Kiel;;;"], ["ADR:;;Markt 2;Kiel;;;"], ["URL:https://a.example.org"],
        ["URL:https://b.example.org"],
        ["BDAY:1990-05-07"], ["BDAY:1991-05-07"], ["NOTE:one"], ["TITLE:Boss"], ["KIND:org"], [],
        ["ADR:;;Hafen 1;Kiel;;;", "BDAY:1990-05-07"], ["ADR:;;Hafen 1;Kiel;;;", "ADR:;;Markt 2;Kiel;;;"],
    ]

    @Test(arguments: [[], ["UID:one"]]) func `Removing any one of similar contacts changes no other id`(id: [String])
        throws
    {
        let contacts = try Self.similar.map { try Contact(ofLines: ["FN:Ada Moe", "TEL:1"] + $0 + id) }
        let before = ids(of: contacts)
        #expect(Set(before).count == contacts.count)
        // All of them have one id of their own, so that only what they differ in can distinguish them.
        #expect(Set(contacts.map(\.id)).count == 1)
        for index in contacts.indices {
            let owner = Identities.Owner(card: contacts[index].fingerprint)
            let removed: Identities.Owners = index == 0 ? [contacts[0].id: owner] : [:]
            let rest = contacts.indices.filter { $0 != index }
            #expect(ids(of: rest.map { contacts[$0] }, removed: removed) == rest.map { before[$0] })
        }
    }

    @Test func `Contacts without a name that differ in an address have ids of their own`() throws {
        // A note alone is no contact.
        let shown = Self.similar.filter { $0.contains { ["ADR", "URL", "BDA"].contains($0.prefix(3)) } }
        let contacts = try shown.map { try Contact(ofLines: $0) }
        let before = ids(of: contacts)
        #expect(Set(before).count == before.count)
        for index in contacts.indices.dropFirst() {
            let rest = contacts.indices.filter { $0 != index }
            #expect(ids(of: rest.map { contacts[$0] }) == rest.map { before[$0] })
        }
    }

    @Test func `The id of a contact that is alone does not depend on its address`() throws {
        // Caches and listeners know it.
        let plain = try Contact(lines: "FN:Ada Example", "TEL:1")
        let more = try Contact(lines: "FN:Ada Example", "TEL:1", "ADR:;;Hafen 1;Kiel;;;", "URL:a.example", "BDAY:1990")
        #expect(plain.id == more.id)
        #expect(plain.fingerprint != more.fingerprint)
    }
}
