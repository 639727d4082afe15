import Testing

@testable import TondoContacts

/// What reports about other programs tell of duplicates, with cards of our own.
@Suite struct SamePeopleTests {
    private func contact(
        _ id: String = "", mail: [String] = [], phone: [String] = [], birthday: String? = nil, given: String = "",
        family: String = ""
    ) -> Contact {
        var contact = Contact(id: id)
        contact.name.formatted = "Robin Fox"
        contact.name.given = given
        contact.name.family = family
        contact.emails = mail.map { ContactPoint($0) }
        contact.phones = phone.map { ContactPoint($0) }
        contact.birthday = birthday
        return contact
    }

    /// Of contacts with one displayed name. Contacts without an id get one of their own.
    private func groups(_ contacts: Contact...) -> [[Int]] {
        SamePeople.groups(
            contacts.enumerated().map { PersonMarks($1, id: $1.id.isEmpty ? "id\($0)" : $1.id) })
    }

    private func areOne(phones one: String, _ other: String) -> Bool {
        groups(contact(phone: [one]), contact(phone: [other])) == [[0, 1]]
    }

    private func haveOneName(_ one: String, _ other: String) -> Bool {
        var buffer: [UInt8] = []
        return ComparedName.hash(one, by: &buffer) == ComparedName.hash(other, by: &buffer)
    }

    @Test(arguments: [
        ("Ada Lovelace", "ADA  lovelace "), ("Zoë Öztürk", "zoe ozturk"), ("Zoe\u{308}", "Zoë"), ("李 明", "李明"),
        ("Семён", "СЕМЕН"), ("Straße", "strasse"), ("\u{200F}Ada\u{A0}Lovelace", "Ada Lovelace"), ("Ａｄａ", "ada"),
    ])
    func `Letter case, accents, blanks and invisible characters are no part of a name`(_ one: String, _ other: String) {
        #expect(haveOneName(one, other))
        #expect(ComparedName.folded(one) == ComparedName.folded(other))
    }

    // A given name alone made people equal: mattogodoy/nametag#306.
    @Test(arguments: [("John Abc", "John Def"), ("Alice Green", "Bob Green"), ("Ada", "Ada L"), ("민", "밈")])
    func `Names that differ in a letter are two names`(_ one: String, _ other: String) {
        #expect(!haveOneName(one, other))
    }

    @Test func `A name that shows nothing is no name`() {
        var buffer: [UInt8] = []
        #expect(ComparedName.hash(" \u{200B}", by: &buffer) == nil)
    }

    @Test func `A shared address or number makes one person, also by way of a third card`() {
        let all = [
            contact(mail: ["robin@example.org"]), contact(mail: ["Robin@Example.org"], phone: ["+46 70 123 45 67"]),
            contact(phone: ["+46701234567"]), contact(mail: ["other@example.org"]),
        ]
        #expect(groups(all[0], all[1], all[2], all[3]) == [[0, 1, 2]])
    }

    @Test(arguments: ["<robin@example.org>", "Robin <robin@example.org>", "mailto:robin@example.org?subject=x"])
    func `An address is the same in every notation`(_ address: String) {
        #expect(groups(contact(mail: ["robin@example.org"]), contact(mail: [address])) == [[0, 1]])
    }

    // Tags behind a plus sign made an owner's own addresses people: markmhendrickson/neotoma#2159.
    @Test func `Addresses that resemble each other are not shared`() {
        let (one, other) = (contact(mail: ["r+shop@example.org"]), contact(mail: ["r+bank@example.org"]))
        #expect(groups(one, other).isEmpty)
    }

    // Departments with one name at several companies became one contact: SimpleMobileTools/Simple-Contacts#582.
    @Test func `A name alone joins no contacts`() {
        #expect(groups(contact(), contact(), contact(phone: ["+46 8 123 45 67"])).isEmpty)
    }

    // A contact without a number that can be compared: Neamar/KISS#2432.
    @Test(arguments: ["112", "+46 1", "ext. 1234", "", "n/a", "55 51 21"])
    func `Short numbers and texts are shared by many`(_ phone: String) {
        #expect(!areOne(phones: phone, phone))
    }

    @Test(arguments: [
        // Blanks, and a number without the code of the country: SimpleMobileTools/Simple-Contacts#939.
        ("+49 170 1234567", "0170/1234567"), ("+49 (0) 170 1234567", "0170 123 45 67"),
        // Without the plus sign: glific/glific#5400.
        ("+919876543210", "919876543210"),
        // Three notations of one number: jlippold/WifiSMS#19.
        ("052-1234567", "+972521234567"), ("0032 491 23 45 67", "+32 491 23 45 67"), ("0491 23 45 67", "+32491234567"),
        // A country whose code is one digit: ragibson/SMS-MMS-deduplication#4.
        ("+1 (234) 567-8901", "(234) 567 8901"), ("+1 917 555 0100", "917-555-0100"),
        ("8 (916) 123-45-67", "+7 916 123-45-67"), ("tel:+46-70-1234567", "+46701234567"),
        ("06 1234567", "+39 06 1234567"),
    ])
    func `A number is the same in every notation`(_ one: String, _ other: String) {
        #expect(areOne(phones: one, other) && areOne(phones: other, one))
    }

    @Test(arguments: [
        ("+1 234 567 8901", "+44 234 567 8901"), ("234 567 8901", "235 567 8901"), ("+46701234567", "+46701234568"),
        ("5551212", "+1 415 555 1212"),
    ])
    func `Other numbers are not shared`(_ one: String, _ other: String) {
        #expect(!areOne(phones: one, other))
    }

    // Two people who share a mailbox, and have birthdays of their own: nextcloud/contacts#5619.
    @Test func `Birthdays that differ keep people apart`() {
        let mail = ["robin@example.org"]
        let one = contact(mail: mail, birthday: "1970-01-02")
        let other = contact(mail: mail, birthday: "1999-03-04")
        #expect(groups(one, other).isEmpty)
        #expect(groups(one, contact(mail: mail)) == [[0, 1]])
        // Whose card the third one is, is not known.
        #expect(groups(one, contact(mail: mail), other).isEmpty)
        #expect(groups(one, other, one, contact(mail: mail)) == [[0, 2]])
        // Not through a card that shares with both.
        let bridge = contact(mail: ["a@example.org", "b@example.org"])
        let (first, last) = (
            contact(mail: ["a@example.org"], birthday: "1970-01-02"),
            contact(mail: ["b@example.org"], birthday: "1970-01-03")
        )
        #expect(groups(first, bridge, last).isEmpty)
    }

    @Test func `A birthday without a year differs from no year`() {
        let mail = ["robin@example.org"]
        let (one, other) = (contact(mail: mail, birthday: "1970-01-02"), contact(mail: mail, birthday: "--01-02"))
        #expect(groups(one, other) == [[0, 1]])
        #expect(groups(one, contact(mail: mail, birthday: "1971-01-02")).isEmpty)
        #expect(groups(one, contact(mail: mail, birthday: "in spring")) == [[0, 1]])
    }

    @Test func `Full names that differ keep people with different UIDs apart`() {
        let phone = ["+46 8 123 45 67"]
        let one = contact("1", phone: phone, given: "Robin", family: "Fox")
        let other = contact("2", phone: phone, given: "Roberta", family: "Fox")
        #expect(groups(one, other).isEmpty)
        #expect(groups(one, contact("3", phone: phone, given: "Fox", family: "robin")) == [[0, 1]])
        #expect(groups(one, contact("4", phone: phone, given: "Robin")) == [[0, 1]])
        // One card in two books, of which one was edited.
        var copy = other
        copy.id = "1"
        #expect(groups(one, copy) == [[0, 1]])
    }

    // Comparing each with each took minutes for some thousands: CardBook/CardBook#276.
    @Test func `Tens of thousands with one name and one number cost little`() {
        let all = (0..<40_000).map { number in
            let birthday = number % 2 == 0 ? nil : "1970-01-0\(number % 9 + 1)"
            return contact("\(number)", phone: ["+46 8 123 45 67"], birthday: birthday)
        }
        let marks = all.map { PersonMarks($0, id: $0.id) }
        let groups = SamePeople.groups(marks)
        #expect(groups.count == 10 && groups.joined().count == 40_000)
    }

    @Test func `Ways are texts by which a person is found again`() {
        let phones = ["+46 70-123 45 67", "070-123 45 67", "112"]
        let contact = contact(mail: ["<R@Example.org>", "nobody"], phone: phones)
        #expect(PersonMarks.ways(of: contact) == ["r@example.org", "+46701234567", "701234567"])
    }
}
