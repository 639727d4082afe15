import Testing

@testable import TondoContacts

@Suite struct ContactLookupTests {
    private let contacts = [("1", "Ada"), ("2", "Ada Lovelace"), ("Ada", "Bo"), ("4", "Bo"), ("5", "Émile")].map {
        var contact = Contact(id: $0.0)
        contact.name.formatted = $0.1
        return contact
    }

    @Test func `A line end in a name is a blank`() {
        var contact = Contact(id: "1")
        contact.name.formatted = "Moe & Co\nAda Moe"
        var names = ContactNames([contact])
        guard case .one = names.lookup("moe & co ada moe") else {
            Issue.record("not found")
            return
        }
        #expect(contact.displayName.withoutLineEnds == "Moe & Co Ada Moe")
    }

    @Test(arguments: ["Ada  Moe", "Ada\u{A0}Moe", "Ada\tMoe"]) func `Blanks in a name are any number of any kind`(
        name: String
    ) {
        var contact = Contact(id: "1")
        contact.name.formatted = name
        #expect(ContactLookup("ada moe", in: [contact]) == .one(contact))
    }

    @Test(arguments: [("jo anne", "1"), ("Joanne", "2")]) func `Blanks tell two people apart`(word: String, id: String)
    {
        let people = [("1", "Jo Anne"), ("2", "Joanne")].map {
            var contact = Contact(id: $0.0)
            contact.name.formatted = $0.1
            return contact
        }
        guard case .one(let found) = ContactLookup(word, in: people) else {
            Issue.record("not one of them")
            return
        }
        #expect(found.id == id)
    }

    @Test(arguments: [
        ("+49 176 1234567", "1"),
        ("tel:+491761234567", "1"),
        ("sip:01761234567@pbx.example", "1"), ("0176123", nil), ("+442079460958", "2"), ("011442079460958", "2"),
    ]) func `A contact is meant by a whole number`(word: String, id: String?) {
        var (ada, bo) = (Contact(id: "1"), Contact(id: "2"))
        ada.name.formatted = "Ada"
        ada.phones = [ContactPoint("0176 1234567")]
        bo.phones = [ContactPoint("+44 (0)20 7946 0958")]
        guard case .one(let found) = ContactLookup(word, in: [ada, bo]) else {
            #expect(id == nil)
            return
        }
        #expect(found.id == id)
    }

    @Test(arguments: [
        ("urn:uuid:a1", "Ada"), ("A1", "Ada"), ("mailto:ADA@example.org", "Ada"), ("urn:uuid:a2", "urn:uuid:a2"),
        ("Bo", "Bo"),
    ]) func `An identifier or an address leads to a name`(text: String, name: String) {
        var ada = Contact(id: "A1")
        (ada.name.formatted, ada.emails) = ("Ada", [ContactPoint("ada@example.org")])
        var names = ContactNames([ada])
        #expect(names.name(ofReference: text) == name)
    }

    private func ids(_ word: String) -> [String] {
        switch ContactLookup(word, in: contacts) {
        case .one(let contact): [contact.id]
        case .several(let contacts): contacts.map(\.id)
        case .none(let candidates): candidates.map { "?" + $0.id }
        }
    }

    @Test(arguments: [
        ("Ada", ["Ada"]), ("ada", ["1"]), ("love", ["?2"]), ("bo", ["Ada", "4"]), ("emile", ["5"]), ("zoe", []),
        ("", []), (" ", []),
    ]) func `The id counts first, then the whole name; words only give candidates`(word: String, found: [String]) {
        #expect(ids(word) == found)
    }

    /// Contacts with one number each, in several notations.
    private func found(_ key: ContactKey, _ value: String) -> [String] {
        var names = ContactNames(
            ["+49 (176) 1234-5678", "0176 12345678", "+1 212 555 0100", "112"].enumerated().map { index, number in
                var contact = Contact(id: "\(index)")
                contact.name.formatted = "No \(index % 2)"
                contact.phones = [ContactPoint(number, types: [])]
                contact.emails = [ContactPoint("Ada\(index)@example.org", types: [])]
                return contact
            })
        return names.contacts(with: value, by: key).map(\.id)
    }

    @Test(arguments: [
        ("+4917612345678", ["0", "1"]), ("0176-1234 5678", ["0", "1"]), ("tel:+12125550100", ["2"]),
        ("2125550100", ["2"]), ("+33 176 12345678", ["1"]), ("112", []), ("", []), ("call me", []),
    ]) func `A number is found with and without the code of its country, and no short one`(
        number: String, ids: [String]
    ) {
        #expect(found(.phone, number) == ids)
    }

    @Test(arguments: [
        "Ada <ada2@example.org>", "<ADA2@example.org>", "mailto:ada2@example.org", "ada2@example.org (Ada)",
        "\"Two, No\" <ada2@example.org>",
    ]) func `A sender is found by the address alone`(sender: String) {
        #expect(found(.mail, sender) == ["2"])
        #expect(found(.name, sender) == [])
        var contact = Contact(id: "1")
        contact.emails = [ContactPoint("Ada2@example.org", types: [])]
        #expect(ContactLookup(sender, in: [contact]) == .one(contact))
        #expect(ContactLookup("No 1 <ada2@example.net>", in: [contact]) == .none(candidates: []))
    }

    @Test func `Each kind is looked up in its own values alone`() {
        #expect(found(.id, "1") == ["1"] && found(.id, "no 1") == [])
        #expect(found(.name, " no 1") == ["1", "3"] && found(.name, "1") == [] && found(.name, "") == [])
        #expect(found(.mail, "ada2@EXAMPLE.org") == ["2"] && found(.mail, "2") == [])
    }
}
