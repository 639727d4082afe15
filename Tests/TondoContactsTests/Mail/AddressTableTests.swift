import Testing

@testable import TondoContacts

@Suite struct AddressTableTests {
    private static func contact(_ name: String, _ emails: String..., company: String = "", town: String = "") -> Contact
    {
        var contact = Contact(id: name)
        contact.name.formatted = name
        contact.emails = emails.map { ContactPoint($0) }
        if !company.isEmpty { contact.organisation = [company] }
        if !town.isEmpty { contact.addresses = [ContactPoint("Street 1\n\(town)")] }
        return contact
    }

    private static func found(_ text: String, in contacts: Contact...) -> [String] {
        AddressTable(contacts).matches(text).map(\.address)
    }

    @Test func `Names and addresses that begin so come first, then what contains it, then other fields`() {
        let found = Self.found(
            "ada", in: Self.contact("Zoe", "z@example.org", town: "Adana"),
            Self.contact("Canada Post", "post@example.org"),
            Self.contact("Bea King", "ada.king@example.org"), Self.contact("Eve Adams", "eve@example.org"),
            Self.contact("Nobody", "n@example.org"))
        #expect(found == ["ada.king@example.org", "eve@example.org", "post@example.org", "z@example.org"])
    }

    @Test func `An address comes once for names in another order, and not without a name that it has`() {
        let people = [
            Self.contact("Moe, Ada", "Ada@example.org"), Self.contact("ada moe", "ada@example.org"),
            Self.contact("ada@example.org", "ada@example.org"), Self.contact("Ada Lie", "ada@example.org"),
            Self.contact("", "bo@example.org"), Self.contact("cy@example.org", "cy@example.org"),
        ]
        for people in [people, people.reversed()] {
            let names = AddressTable(people).matches("").map { $0.name.lowercased() }
            #expect(names.filter { $0.contains("moe") }.count == 1 && names.contains("ada lie") && names.count == 4)
            #expect(!names.contains("ada@example.org") && names.contains("cy@example.org"))
        }
    }

    @Test func `A group has its own address, and those of members that are no contacts`() {
        var group = Self.contact("Rowers", "rowers@lists.example")
        group.kind = .group
        group.members = ["1", "mailto:bo@example.org"]
        let found = AddressTable(group.recipients).matches("rowers")
        #expect(
            Set(found.map { [$0.address, $0.name] }) == [
                ["rowers@lists.example", "Rowers"], ["bo@example.org", "bo@example.org"],
            ])
        (group.emails, group.members) = ([ContactPoint("bo@example.org")], ["mailto:bo@example.org"])
        #expect(AddressTable(group.recipients).matches("rowers").map(\.name) == ["bo@example.org"])
    }

    @Test func `All words must be found, in any order`() {
        let found = Self.found(
            "love ada", in: Self.contact("Ada Lovelace", "al@example.org"), Self.contact("Ada King", "ak@example.org"))
        #expect(found == ["al@example.org"])
    }

    @Test func `The address that was typed comes before the other ones of its contact`() {
        let ada = Self.contact("Ada", "home@example.org", "work@example.com")
        #expect(Self.found("work@", in: ada) == ["work@example.com", "home@example.org"])
        #expect(Self.found("ada", in: ada) == ["home@example.org", "work@example.com"])
    }

    @Test(arguments: [
        "\"Moe, Ada\" <ada@example.org>", "Addi <ada@example.org>", "Ada Moe <ada", "\"Moe, A",
        "mailto:ada@example.org", "(Moe) Ada",
    ]) func `A recipient is found by what was typed of it`(typed: String) {
        let others = [Self.contact("Ada Lie", "lie@example.org"), Self.contact("Bo Lie", "bo@example.org")]
        let table = AddressTable(others + [Self.contact("Moe, Ada", "ada@example.org")])
        #expect(table.matches(typed).map(\.address) == ["ada@example.org"])
    }

    @Test func `Names are found as they sound`() {
        #expect(Self.found("dmitri", in: Self.contact("Дмитрий", "d@example.org")) == ["d@example.org"])
        #expect(Self.found("muller", in: Self.contact("Jürg Müller", "m@example.org")) == ["m@example.org"])
    }

    @Test func `An address comes once for each name`() {
        let ada = Self.contact("Ada", "Family@example.org", "family@example.org")
        let table = AddressTable([ada, ada, Self.contact("Bo", "family@example.org")])
        #expect(table.matches("").map(\.name) == ["Ada", "Bo"])
    }

    /// A book is no reason to write to someone else.
    @Test(
        arguments: [
            "a@example.org, b@example.com", "a@example.org\nBcc: b@example.com", "a@example.org\u{0}", "a", "", "@",
            "a@",
            "\"a\" b@example.org", "a@example.org;b@example.com", "undisclosed: a@example.org",
        ])
    func `What could add an addressee or a line to a message is left out`(address: String) {
        let found = AddressTable([Self.contact("Ada", address)]).matches("")
        let isHarmless = found.allSatisfy { !$0.address.contains { ",;:\n\0\" ".contains($0) } }
        #expect(isHarmless && found.count <= 1, "\(found)")
    }

    @Test(
        arguments: [
            ("Ada <ada@example.org>", "ada@example.org"), ("mailto:Ada@Example.org", "Ada@Example.org"),
            (" ada@example.org\u{200B}", "ada@example.org"), ("ada@bücher.example", "ada@bücher.example"),
        ])
    func `An address is offered as a message has it`(text: String, address: String) {
        #expect(Self.found("", in: Self.contact("Ada", text)) == [address])
    }

    @Test func `Names and notes are one line without tabs`() {
        let ada = Self.contact("Ada\tLove\u{2028}lace\u{202E}", "a@example.org", company: "A\r\nB\u{1B}[2J")
        let match = AddressTable([ada]).matches("").first
        #expect(match?.name == "Ada Love lace")
        #expect(match?.note == "A B [2J")
    }

    @Test func `The note has the label or kind of the address, and the company`() {
        var ada = Self.contact("Ada", company: "Engines")
        ada.emails = [
            ContactPoint("w@example.org", types: ["internet", "work"]),
            ContactPoint("c@example.org", label: "Chess club"),
            ContactPoint("x@example.org", types: ["internet"]),
        ]
        #expect(AddressTable([ada]).matches("").map(\.note) == ["work, Engines", "Chess club, Engines", "Engines"])
    }

    @Test(arguments: [0, 1, 127, 128, 129, 300])
    func `Bytes of a table give the same answers`(count: Int) throws {
        let contacts = (0..<count).map { Self.contact("Person \($0)", "p\($0)@example.org", company: "Č \($0 % 7)") }
        let table = AddressTable(contacts)
        let read = table.bytes.withUnsafeBytes { AddressTable($0) }
        let other = try #require(read)
        for text in ["", "person", "p12", "c 3", "1"] { #expect(other.matches(text) == table.matches(text)) }
        #expect(table.matches("").count == count)
    }

    @Test func `Damaged bytes are no table, or one that can be asked`() {
        let bytes = AddressTable([
            Self.contact("Ada Lovelace", "ada@example.org"), Self.contact("Bo", "bo@example.org"),
        ]).bytes
        for count in bytes.indices {
            let isTable = bytes[..<count].withUnsafeBytes {
                AddressTable(UnsafeRawBufferPointer(rebasing: $0[...])) != nil
            }
            #expect(isTable == (count == 0))
        }
        for index in bytes.indices {
            for value in [0, 1, 127, 255] as [UInt8] {
                var damaged = bytes
                damaged[index] = value
                _ = damaged.withUnsafeBytes { AddressTable($0)?.matches("ada bo 1") }
            }
        }
    }
}
