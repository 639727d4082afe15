import SystemPackage
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

    private static let address = "https://example.org/ada.jpg?a=1"

    @Test(arguments: [
        ("//example.org/ada.jpg?a=1", address), (address, address),
        ("aHR0cHM6Ly9leGFtcGxlLm9yZy9hZGEuanBnP2E9MQ==", address),
        ("data:image/jpeg;base64,aHR0cHM6Ly9leGFtcGxlLm9yZy9hZGEuanBnP2E9MQ==", address), ("https\\:", nil),
        ("http://", nil),
        ("undefined", nil), ("data:image/png;base64,null", nil), ("None", nil), ("bnVsbA==", nil),
    ]) func `A photo is the URL that it names, and no word for nothing`(_ value: String, _ url: String?) throws {
        for head in ["PHOTO;ENCODING=b:", "PHOTO;TYPE=JPEG;VALUE=URI:"] {
            let contact = try Contact(lines: "FN:A", head + value)
            #expect(contact.photo == url.map { .remote(url: $0) })
        }
    }

    @Test func `A photo is a file that is named as if it were on a host, and quoted-printable is decoded`() throws {
        #expect(
            try Contact(lines: "FN:A", "PHOTO://server/ada.jpg").photo == .file(path: "//server/ada.jpg", crop: nil))
        let quoted = "PHOTO;VALUE=URL;ENCODING=QUOTED-PRINTABLE:https=3A//example.org/ada.jpg?a=3D1"
        #expect(try Contact(lines: "FN:A", quoted, version: "2.1").photo == .remote(url: Self.address))
    }

    @Test func `The bytes of a picture as they are make no photo, and keep the other lines`() throws {
        for picture in [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10, 0x4A]]
            as [[UInt8]]
        {
            let card = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Åse\r\nPHOTO;TYPE=b,png:".utf8) + picture
            let contacts = try BookFormat.vCard.read(card + Array("\r\nTEL:1\r\nEND:VCARD\r\n".utf8), name: "a.vcf")
                .contacts
            #expect(contacts.map(\.photo) == [nil] && contacts.first?.phones.map(\.value) == ["1"])
        }
    }

    @Test func `A line end in quoted-printable is a line feed`() throws {
        let contact = try Contact(
            lines: "FN:A", "NOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0Ab=0Dc=0Ad=0D=0D=0Ae", version: "2.1")
        #expect(contact.introduction == "a\nb\nc\nd\n\ne")
    }

    @Test(arguments: [
        ["ANNIVERSARY:20100612"], ["X-ANNIVERSARY:2010-06-12"], ["X-EVOLUTION-ANNIVERSARY:2010-06-12"],
        ["X-KADDRESSBOOK-X-Anniversary:2010-06-12"], ["X-MS-ANNIVERSARY;VALUE=DATE:20100612"],
        ["item1.X-ABDATE;type=pref:2010-06-12", "item1.X-ABLabel:_$!<Anniversary>!$_"],
        ["item1.X-ABLabel:First met", "item1.X-ABDATE:2009-01-01", "ANNIVERSARY:2010-06-12", "ANNIVERSARY:2011-01-01"],
    ]) func `An anniversary has a property of each program`(lines: [String]) throws {
        #expect(try Contact(ofLines: ["FN:A"] + lines).anniversary == "2010-06-12")
    }

    @Test func `An anniversary without a year has none of Apple's`() throws {
        #expect(try Contact(lines: "FN:A", "ANNIVERSARY:1604-06-12").anniversary == "--06-12")
        #expect(try Contact(lines: "FN:A", "item1.X-ABDATE:2010-06-12").anniversary == nil)
    }

    @Test func `People around a contact have their relation as a type or label`() throws {
        let contact = try Contact(
            lines: "FN:A", "RELATED;TYPE=friend;VALUE=text:Bo\\, Jr", "RELATED;TYPE=child:urn:uuid:1",
            "item1.X-ABRELATEDNAMES;type=pref:Kit", "item1.X-ABLabel:_$!<Mother>!$_", "X-SPOUSE:Cy", "X-MS-SPOUSE:Cy",
            version: "4.0")
        #expect(
            contact.related == [
                ContactPoint("Kit", label: "Mother"), ContactPoint("Bo, Jr", types: ["friend"]),
                ContactPoint("urn:uuid:1", types: ["child"]), ContactPoint("Cy", types: ["spouse"]),
            ])
    }

    @Test func `A person with two relations has both, and one that is repeated is there once`() throws {
        let contact = try Contact(
            lines: "FN:A", "item1.X-ABRELATEDNAMES;type=pref:Kit", "item1.X-ABLabel:Friend",
            "item2.X-ABRELATEDNAMES;type=pref:Kit", "item2.X-ABLabel:Colleague", "X-SPOUSE;PREF=1:Cy",
            "X-MS-SPOUSE;PREF=2:Cy")
        #expect(contact.related.map(\.value) == ["Kit", "Kit", "Cy"])
        #expect(contact.related.map(\.label) == ["Friend", "Colleague", nil])
    }

    @Test func `A profile names its network first, and those of messengers are none`() throws {
        let contact = try Contact(
            lines: "FN:A", "X-SOCIALPROFILE;type=twitter;x-user=ada:http://twitter.com/ada",
            "SOCIALPROFILE;SERVICE-TYPE=Mastodon:https://social.example/@ada", "IMPP;TYPE=work:skype:ada",
            "IMPP;X-SERVICE-TYPE=Jabber:xmpp:ada@example.org", "IMPP:tg:ada", "URL:https://example.org")
        #expect(
            contact.social == [
                ContactPoint("http://twitter.com/ada", types: ["twitter"]),
                ContactPoint("https://social.example/@ada", types: ["mastodon"]),
                ContactPoint("ada", types: ["skype", "work"]), ContactPoint("ada@example.org", types: ["jabber"]),
            ])
        #expect(contact.websites.map(\.value) == ["https://example.org"] && contact.messengers == [.telegram: "ada"])
    }

    @Test func `Manager and assistant are people around a contact`() throws {
        let contact = try Contact(
            lines: "FN:A", "X-EVOLUTION-MANAGER:Bo", "X-MS-ASSISTANT:Cy")
        #expect(
            contact.related == [
                ContactPoint("Bo", types: ["manager"]), ContactPoint("Cy", types: ["assistant"]),
            ])
    }

    @Test(arguments: ["_$!&lt\\;Anniversary&gt\\;!$_", "Hochzeitstag", " hochzeitstag", "結婚記念日"])
    func `The label of an anniversary may be in a language, or escaped for a page`(label: String) throws {
        let contact = try Contact(lines: "FN:A", "a.X-ABDATE:2010-06-12", "a.X-ABLABEL:\(label)")
        #expect(contact.anniversary == "2010-06-12")
    }

    @Test func `Programs' own types are those that all know`() throws {
        let contact = try Contact(
            lines: "FN:A", "TEL;TYPE=mobile:1", "TEL;TYPE=homefax:2", "TEL;TYPE=work2,workfax:3", "TEL;TYPE=garten:4")
        #expect(contact.phones.map(\.types) == [["cell"], ["home", "fax"], ["work", "fax"], ["garten"]])
    }

    @Test func `Commas between categories may be escaped, those inside of names have a blank behind`() throws {
        #expect(try Contact(lines: "FN:A", "CATEGORIES:Friends\\,Work").groups.map(\.name) == ["Friends", "Work"])
        #expect(try Contact(lines: "FN:A", "CATEGORIES:Moe\\, Bo & Co").groups.map(\.name) == ["Moe, Bo & Co"])
        #expect(try Contact(lines: "FN:A", "CATEGORIES:a\\,b,c").groups.map(\.name) == ["a,b", "c"])
    }

    @Test func `Printed addresses count in a card without others`() throws {
        let label = "LABEL;TYPE=home:Street 1\\nTown"
        #expect(
            try Contact(lines: "FN:A", "ADR:;;;;;;", label).addresses == [
                ContactPoint("Street 1\nTown", types: ["home"])
            ])
        #expect(try Contact(lines: "FN:A", "ADR:;;Street 1;Town;;;", label).addresses.count == 1)
    }

    @Test(arguments: [
        ["N;SORT-AS=\"やまだ,たろう\":山田;太郎;;;"], ["N;SORT-AS=やまだ,たろう:山田;太郎;;;"],
        ["N;SORT-AS=\"やまだ\",\"たろう\":山田;太郎;;;"],
        ["N:山田;太郎;;;", "X-PHONETIC-LAST-NAME:やまだ", "X-PHONETIC-FIRST-NAME:たろう", "SORT-STRING:other"],
        ["SORT-STRING:やまだ", "N:山田;太郎;;;", "X-PHONETIC-FIRST-NAME:たろう"],
        ["N:山田;太郎;;;", "SOUND;X-IRMC-N:やまだ;たろう;;;"],
        ["X-PHONETIC-LAST-NAME:other", "N;SORT-AS=\"やまだ,たろう\":山田;太郎;;;"],
    ]) func `A name is sorted by its reading, in each notation`(lines: [String]) throws {
        let contact = try Contact(ofLines: ["FN:山田太郎"] + lines)
        #expect(contact.name.sortFamily == "やまだ" && contact.name.sortGiven == "たろう")
        #expect(contact.name.family == "山田" && contact.displayName == "山田太郎")
    }

    @Test func `A company is sorted by its reading, a person is not`() throws {
        let company = try Contact(lines: "FN:会社", "ORG:会社", "X-PHONETIC-ORG:かいしゃ")
        #expect(company.name.sortFamily == "かいしゃ" && company.name.sortGiven == "かいしゃ")
        let person = try Contact(lines: "N:山田;;;;", "ORG:会社", "X-PHONETIC-ORG:かいしゃ")
        #expect(person.name.sortFamily == "")
        let band = try Contact(lines: "FN:The Beatles", "ORG;SORT-AS=\"Beatles\":The Beatles")
        #expect(band.name.sortFamily == "Beatles" && band.name.sortGiven == "Beatles")
    }

    @Test(arguments: [
        (["N:;;;Herr;", "ORG:Aker"], "Aker", "A"), (["N:;;;Dr.;", "EMAIL:x@example.org"], "x@example.org", "X"),
        (["N:;;;Frau;", "NOTE:a"], "Frau", "F"), (["FN:-", "N:Moe;Ada;;;"], "Ada Moe", "AM"),
        (["FN:.", "ORG:Aker"], "Aker", "A"),
        (["FN:?", "NOTE:a"], "?", nil), (["FN:❤", "ORG:Aker"], "❤", "❤"), (["FN:3", "ORG:Aker"], "3", "A"),
    ]) func `Neither a title nor a sign is a name`(lines: [String], name: String, initials: String?) throws {
        let contact = try Contact(ofLines: lines)
        #expect(contact.displayName == name && contact.initials == initials)
    }

    @Test(arguments: [
        ("X-DAVDROID-STARRED:1", true), ("X-FOLKS-FAVOURITE:true", true), ("X-QTPROJECT-FAVORITE:true;0", true),
        ("X-TONDO-VIP:1", true), ("X-DAVDROID-STARRED:0", false), ("X-FOLKS-FAVOURITE:FALSE", false),
    ]) func `A program's favourite is important`(line: String, isVIP: Bool) throws {
        #expect(try Contact(lines: "FN:A", line).isVIP == isVIP)
    }

    @Test(arguments: ["\n", "\n\n", " \n"]) func `A card may begin twice`(between: String) throws {
        let card = "BEGIN:VCARD\(between)BEGIN:VCARD\nFN:Ada\nTEL:1\nEND:VCARD\n"
        for end in ["", "END:VCARD\n"] {
            let reading = try Reading(card + end + "BEGIN:VCARD\nFN:Bo\nEND:VCARD\n")
            #expect(reading.contacts.map(\.displayName) == ["Ada", "Bo"] && reading.failures.isEmpty)
            #expect(reading.contacts[0].phones.map(\.value) == ["1"])
        }
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
