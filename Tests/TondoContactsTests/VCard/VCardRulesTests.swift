import Testing

@testable import TondoContacts

/// Rules that hold whatever the order of a card's lines is.
@Suite struct VCardRulesTests {
    @Test func `The preferred formatted name wins over the first one`() throws {
        #expect(try Contact(lines: "FN:First", "FN;PREF=1:Preferred", version: "4.0").name.formatted == "Preferred")
        #expect(try Contact(lines: "FN;PREF=2:Second", "FN;PREF=1:", "FN:Third").name.formatted == "Second")
        #expect(try Contact(lines: "FN;TYPE=pref:A", "FN;PREF=1:B").name.formatted == "A")
        #expect(try Contact(lines: "FN:First", "FN:Other").name.formatted == "First")
    }

    @Test func `A version behind the name counts for the name`() throws {
        let card = "BEGIN:VCARD\r\nN:Example;Ada, Countess\r\nNOTE:a\r\n  b\r\nVERSION:2.1\r\nEND:VCARD\r\n"
        let contact = try Reading(card).contacts[0]
        #expect(contact.name.given == "Ada, Countess")
        #expect(contact.introduction == "a  b")
    }

    @Test func `A line end in quoted-printable is a line feed`() throws {
        let contact = try Contact(
            lines: "FN:A", "NOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0Ab=0Dc=0Ad=0D=0D=0Ae", version: "2.1")
        #expect(contact.introduction == "a\nb\nc\nd\n\ne")
    }

    private static let inner = "BEGIN:VCARD\nFN:Inner\n"
    private static let rest = "N:Outer;Ada\nTEL:1\n"

    @Test(arguments: ["AGENT:\n", "AGENT:", ""]) func `A card around another one keeps its lines`(agent: String) throws
    {
        let reading = try Reading("BEGIN:VCARD\nFN:Outer\n\(agent)\(Self.inner)END:VCARD\n\(Self.rest)END:VCARD\n")
        #expect(reading.contacts.count == 1 && reading.failures.isEmpty && reading.counted == 1)
        #expect(reading.contacts[0].name.formatted == "Outer" && reading.contacts[0].name.family == "Outer")
        #expect(reading.contacts[0].phones.map(\.value) == ["1"])
    }

    @Test(arguments: ["AGENT:\n", "AGENT:"])
    func `A card around one without END keeps its lines`(agent: String) throws {
        let card = "BEGIN:VCARD\nFN:Outer\n\(agent)\(Self.inner)\(Self.rest)END:VCARD\n"
        for next in ["", "BEGIN:VCARD\nFN:Next\nEND:VCARD\n"] {
            let reading = try Reading(card + next)
            #expect(reading.failures.isEmpty && reading.contacts.count == (next.isEmpty ? 1 : 2))
            #expect(reading.contacts[0].name.formatted == "Outer" && reading.contacts[0].name.given == "Ada")
            #expect(reading.contacts[0].phones.map(\.value) == ["1"])
        }
    }

    @Test func `An object of another kind without END takes no lines`() throws {
        let open = try Contact(lines: "FN:Outer", "BEGIN:VNOTE", "N:Outer;Ada", "TEL:1")
        #expect(open.name.given == "Ada" && open.phones.count == 1)
        let closed = try Contact(lines: "FN:Outer", "BEGIN:VNOTE", "TEL:2", "END:VNOTE", "TEL:1")
        #expect(closed.phones.map(\.value) == ["1"])
    }

    @Test func `A card without END is still not the next one's beginning`() throws {
        let reading = try Reading(
            "BEGIN:VCARD\nFN:Lost\nBEGIN:VCARD\nFN:Next\nEND:VCARD\nBEGIN:VCARD\nFN:B\nEND:VCARD\n")
        #expect(reading.contacts.map(\.name.formatted) == ["Next", "B"])
        #expect(reading.failures.map(\.line) == [1])
    }
}
