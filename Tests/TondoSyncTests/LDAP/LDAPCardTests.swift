import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoSync

/// Entries of directories become vCards that Tondo's own reader understands.
@Suite struct LDAPCardTests {
    private let id = EntryID("00112233-4455-6677-8899-aabbccddeeff")!

    private func card(_ values: [(String, [[UInt8]])], name: String = "uid=ada,dc=example") -> [UInt8]? {
        var entry = LDAPEntry(name: name)
        for (attribute, values) in values { entry.add(attribute, values: values) }
        return LDAPCard.bytes(of: entry, id: id)
    }

    private func card(_ values: KeyValuePairs<String, String>) -> [UInt8]? {
        card(values.map { ($0, [Array($1.utf8)]) })
    }

    private func contact(_ card: [UInt8]?) throws -> Contact {
        let contents = try BookFormat.vCard.read(try #require(card), name: "a.vcf")
        #expect(contents.failures == [])
        return try #require(contents.contacts.first)
    }

    @Test func `Maps the attributes of address books`() throws {
        let contact = try contact(
            card([
                "cn": "Ada Moe", "mozillaNickname": "Addy", "nickname": "Ad", "mozillaHomeStreet": "Road 7",
                "mozillaHomeLocalityName": "Oslo", "mozillaHomeUrl": "https://a.example x", "url": "https://b.example",
                "nsAIMid": "addy", "carPhone": "+47 1", "ipPhone": "4711", "spouseName": "Bo", "managerName": "Cy",
                "anniversary": "2001-06-23", "businessRole": "Gardener", "msDS-PhoneticLastName": "もえ",
            ]))
        #expect(contact.name.nicknames == ["Addy", "Ad"] && contact.name.sortFamily == "もえ")
        #expect(contact.addresses.map(\.value) == ["Road 7\nOslo"])
        #expect(contact.websites.map(\.value) == ["https://b.example", "https://a.example"])
        #expect(contact.social.map(\.value) == ["addy"] && contact.phones.map(\.value) == ["+47 1", "4711"])
        #expect(
            contact.related.map(\.value) == ["Bo", "Cy"] && contact.related.map(\.types) == [["spouse"], ["manager"]])
        #expect(contact.anniversary == "2001-06-23" && contact.title == "Gardener")
    }

    @Test func `All attributes that are read are asked for`() {
        let asked = Set(LDAPCard.attributes.map { $0.lowercased() })
        #expect(asked.count == LDAPCard.attributes.count)
        for attribute in DirectoryAttributes.phones.map(\.attribute) + DirectoryAttributes.nicknames {
            #expect(asked.contains(attribute))
        }
    }

    @Test(arguments: [
        [UInt8]("Jürgen Müller".utf8), [0x4A, 0xFC, 0x72, 0x67, 0x65, 0x6E, 0x20, 0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72],
    ])
    func `Names may be in the character set of a country`(name: [UInt8]) throws {
        #expect(try contact(card([("cn", [name])])).displayName == "Jürgen Müller")
    }

    @Test func `Aliases of mail are marked in any letter case`() throws {
        let mails = ["smtp:b@h.org", "Smtp:c@h.org", "SMTP:a@h.org", "x500:d@h.org"].map { Array($0.utf8) }
        let contact = try contact(card([("cn", [Array("Ada Moe".utf8)]), ("proxyAddresses", mails)]))
        #expect(contact.emails.map(\.value) == ["a@h.org", "b@h.org", "c@h.org"])
    }

    @Test func `Maps an inetOrgPerson`() throws {
        let contact = try contact(
            card([
                "cn": "Ada Lovelace", "displayName": "Ada, Countess", "givenName": "Ada", "sn": "Lovelace",
                "o": "Analytical; Engines", "ou": "Research", "title": "Programmer", "mail": "ada@example.org",
                "telephoneNumber": "+44 1", "mobile": "+44 2", "description": "First\nof her kind",
                "labeledURI": "https://example.org Home page", "postalAddress": "1 St James$London$UK",
            ]))
        #expect(contact.id == "urn:uuid:\(id)" || contact.id == id.description)
        #expect(contact.name.formatted == "Ada, Countess")
        #expect((contact.name.given, contact.name.family) == ("Ada", "Lovelace"))
        #expect(contact.organisation == ["Analytical; Engines", "Research"])
        #expect(contact.title == "Programmer")
        #expect(contact.emails.map(\.value) == ["ada@example.org"])
        #expect(contact.phones.map(\.value) == ["+44 2", "+44 1"])
        #expect(contact.introduction == "First\nof her kind")
        #expect(contact.websites.map(\.value) == ["https://example.org"])
        #expect(contact.addresses.map(\.value) == ["1 St James\nLondon\nUK"])
    }

    @Test(
        arguments: [
            ("dateOfBirth", "19560412000000Z", "1956-04-12"), ("schacDateOfBirth", "19560412", "1956-04-12"),
            ("birthday", "1956-04-12", "1956-04-12"), ("birthday", "12", nil),
        ] as [(String, String, String?)])
    func `A date of birth has attributes of several names`(name: String, value: String, day: String?) throws {
        #expect(LDAPCard.attributes.contains { $0.lowercased() == name.lowercased() })
        #expect(try contact(card([("cn", [Array("Ada L".utf8)]), (name, [Array(value.utf8)])])).birthday == day)
    }

    @Test func `Further mail addresses are in many attributes`() throws {
        let contact = try contact(
            card([
                "cn": "Ada L", "mailAlternateAddress": "al@example.org", "mailAlternativeAddress": "ada.l@example.org",
                "mail": "ada@example.org", "mailAlias": "ADA@example.org",
            ]))
        #expect(contact.emails.map(\.value) == ["ada@example.org", "al@example.org", "ada.l@example.org"])
    }

    @Test(arguments: [
        (["cn": "ada", "name": "Ada Lovelace"], "Ada Lovelace"),
        (["cn": "AdaL", "givenName": "Ada", "sn": "L"], "Ada L"),
        (["cn": "ada", "displayName": "Ada"], "Ada"), (["cn": "Ada", "sn": "Ada"], "Ada"),
        (["cn": "佐藤恵美", "givenName": "恵美", "sn": "佐藤"], "佐藤恵美"), (["givenName": "Ada", "sn": "L"], "Ada L"),
        (["mail": "ada@example.org"], "ada@example.org"), ([:], "ada"),
    ]) func `A name of an account is shown only where there is no other`(_ values: [String: String], _ name: String)
        throws
    {
        #expect(try contact(card(values.map { ($0, [Array($1.utf8)]) })).name.formatted == name)
        let several = [("cn", ["ada", "al", "Ada Lovelace"].map { Array($0.utf8) })]
        #expect(try contact(card(several)).name.formatted == "Ada Lovelace")
    }

    @Test func `Maps a user of Active Directory`() throws {
        let contact = try contact(
            card([
                ("cn", [Array("Ada L".utf8)]), ("company", [Array("Engines".utf8)]),
                ("department", [Array("Research".utf8)]), ("mail", [Array("Ada@example.org".utf8)]),
                (
                    "proxyAddresses",
                    ["smtp:old@example.org", "X500:/o=x", "SMTP:ada@example.org", "SIP:ada"].map { Array($0.utf8) }
                ),
                (
                    "memberOf",
                    ["CN=Staff,OU=Groups,DC=x", "CN=R\\, D\\C3\\A9,DC=x", "cn=staff,ou=other"].map { Array($0.utf8) }
                ),
            ]))
        #expect(contact.organisation == ["Engines", "Research"])
        #expect(contact.emails.map(\.value) == ["ada@example.org", "old@example.org"])
        #expect(contact.groups.map(\.name) == ["Staff", "R, Dé"])
    }

    @Test(arguments: ["jpegPhoto", "thumbnailPhoto", "photo"]) func `A text of a picture is the picture`(name: String)
        throws
    {
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("a small picture of some bytes".utf8)
        let text = Data(picture).base64EncodedString()
        let lines = text.prefix(20) + "\n" + text.dropFirst(20)
        let twice = Data(text.utf8).base64EncodedString()
        for value in [text, String(lines), twice, "data:image/jpeg;base64,\(text)"] {
            let bytes = try #require(card([("cn", [[0x41]]), (name, [Array(value.utf8)])]))
            guard case .inline(.encoded(let photo), _)? = try contact(bytes).photo else {
                Issue.record("no photo of \(value)")
                return
            }
            #expect(try bytes[photo.bytes].withUnsafeBytes { try photo.decoded(from: $0) } == picture)
        }
    }

    @Test func `A link to a photo is kept, and other text is none`() throws {
        let link = try contact(card(["cn": "A", "jpegPhoto": "https://example.org/a,b.jpg"]))
        #expect(link.photo == .remote(url: "https://example.org/a,b.jpg"))
        for value in ["no picture", "https://example.org/a b", "https://example.org/\r\nNOTE:b"] {
            #expect(try contact(card(["cn": "A", "jpegPhoto": value])).photo == nil)
        }
    }

    @Test func `Escapes of postal addresses are the characters`() throws {
        let contact = try contact(card(["cn": "A", "postalAddress": #"The \241M Building $ C:\5cRoad"#]))
        #expect(contact.addresses.map(\.value) == ["The $1M Building\n" + #"C:\Road"#])
    }

    @Test func `Printed lines of an address stand beside its parts, or in their place`() throws {
        func lines(_ values: KeyValuePairs<String, String>) throws -> [Substring] {
            let bytes = try #require(card(values))
            return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").filter { $0.hasPrefix("ADR") }
        }
        let both = try lines(["cn": "A", "postalAddress": "B, \u{7}C$Kai 5", "street": "Kai 5", "l": "Kiel", "c": "DE"])
        #expect(both == [#"ADR;TYPE=work;LABEL="B, C^nKai 5":;;Kai 5;Kiel;;;DE"#])
        #expect(
            try lines(["cn": "A", "postalAddress": "Kai 5$Kiel", "street": "Kai 5", "l": "Kiel"]) == [
                "ADR;TYPE=work:;;Kai 5;Kiel;;;"
            ])
        #expect(
            try lines(["cn": "A", "postalAddress": "Kai 5$Kiel", "l": "Kiel"]) == [#"ADR;TYPE=work:;;Kai 5\nKiel"#])
        #expect(
            try lines(["cn": "A", "postOfficeBox": "7", "mozillaHomeStreet": "Weg 2"]) == [
                "ADR;TYPE=work:7;;;;;;", "ADR;TYPE=home:;;Weg 2;;;;",
            ])
    }

    @Test func `Chooses the largest photo that is one`() throws {
        let small = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 500)
        let large =
            Array("\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8($0.value) }) + [UInt8](repeating: 2, count: 900)
        let text = [UInt8](repeating: 0x41, count: 5_000)
        let bytes = card([
            ("cn", [[0x41]]), ("jpegPhoto", [text, small]), ("thumbnailPhoto", [large]),
            ("photo", [[0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 5_000_000)]),
        ])
        let contact = try contact(bytes)
        guard case .inline(.encoded(let photo), _)? = contact.photo else {
            Issue.record("no photo")
            return
        }
        let encoded = try #require(bytes)[photo.bytes]
        #expect(try encoded.withUnsafeBytes { try photo.decoded(from: $0) } == large)
        let line = try #require(
            String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\r\n").first { $0.hasPrefix("PHOTO") })
        #expect(line.hasPrefix("PHOTO:data:image/png;base64,"))
    }

    @Test func `Folds between characters, and ends lines by CR LF`() throws {
        let name = String(repeating: "é", count: 200)
        let bytes = try #require(card(["cn": name]))
        for line in bytes.split(separator: 0x0A) {
            #expect(line.count <= 76)
            #expect(line.last == 0x0D)
            #expect(String(validating: line, as: UTF8.self) != nil)
        }
        #expect(try contact(bytes).name.formatted == name)
    }

    @Test func `No value can end its line`() throws {
        let bytes = try #require(card(["cn": "Ada\r\nEND:VCARD\r\nBEGIN:VCARD\u{0}\u{1B}[2J", "mail": "a\nTEL:1"]))
        let contact = try contact(bytes)
        #expect(contact.phones == [])
        #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0D && $0 != 0x0A })
    }

    @Test func `Finds a name`() throws {
        #expect(try contact(card(["givenName": "Ada", "sn": "Lovelace"])).name.formatted == "Ada Lovelace")
        #expect(try contact(card(["mail": "a@example.org"])).name.formatted == "a@example.org")
        #expect(try contact(card([:])).name.formatted == "ada")
    }

    @Test func `Makes no card of a group`() {
        #expect(card(["cn": "Staff", "objectClass": "groupOfNames"]) == nil)
    }

    @Test func `Prefers values without options`() throws {
        var entry = LDAPEntry(name: "cn=x")
        entry.add("cn;lang-de", values: [Array("Gräfin".utf8)])
        entry.add("cn", values: [Array("Ada".utf8)])
        #expect(try contact(LDAPCard.bytes(of: entry, id: id)).name.formatted == "Ada")
    }

    @Test func `Asks for no attribute as binary`() {
        #expect(!(LDAPCard.attributes + LDAPCard.identity).contains { $0.contains(";") })
    }
}
