import Foundation
import SystemPackage
import Testing

@testable import TondoContacts

/// Where records begin and end, and what values hold.
@Suite struct LDIFRecordTests {
    private func read(_ text: String) throws -> BookContents {
        let file = Array(text.utf8)
        #expect(BookFormat.recognise(file) == .book(.ldif))
        return try BookFormat.ldif.read(file, name: "book.ldif")
    }

    private func entry(_ name: String, _ lines: String...) -> String {
        (["dn: cn=\(name),dc=example", "objectClass: person", "cn: \(name)"] + lines).map { $0 + "\n" }.joined()
    }

    @Test(arguments: ["\r", "\r\n", "\n", "\r\r\n"])
    func `Lines end as on any system`(end: String) throws {
        let text = entry("Ada", "mail: a@b.c", "description:: QWJj", " ZGVm") + "\n" + entry("Bo", "mail: b@b.c")
        let book = try read(text.replacing("\n", with: end))
        #expect(book.contacts.map(\.displayName) == ["Ada", "Bo"] && book.failures.isEmpty)
        #expect(book.contacts[0].introduction == "Abcdef")
    }

    @Test func `Files with other line ends that were joined are read`() throws {
        let (ada, bo) = (entry("Ada", "mail: a@b.c") + "\n", entry("Bo", "mail: b@b.c"))
        for (first, second) in [("\r\n", "\r"), ("\r", "\n"), ("\n", "\r")] {
            let book = try read(ada.replacing("\n", with: first) + bo.replacing("\n", with: second))
            #expect(book.contacts.map(\.displayName) == ["Ada", "Bo"] && book.failures.isEmpty, "\([first, second])")
        }
        // One inside of a value is no line end.
        #expect(try read(entry("Ada", "description: a\rb c")).contacts.count == 1)
    }

    @Test(arguments: ["\u{1A}", "\r\n\u{1A}", "\0\0\0", "\n\0\n"])
    func `What systems leave at the end of a file is nothing`(end: String) throws {
        let book = try read(entry("Ada", "mail: a@b.c") + end)
        #expect(book.contacts.map(\.displayName) == ["Ada"] && book.failures.isEmpty)
    }

    @Test func `Values go on in lines that are folded badly`() throws {
        let book = try read(
            entry("Ada", "description:: QWJj", "ZGVm", "Z2hp", "mail:", "a@b.c", "title: Gar", "\tdener"))
        #expect(book.failures.isEmpty)
        #expect(book.contacts[0].introduction == "Abcdefghi" && book.contacts[0].title == "Gardener")
        #expect(book.contacts[0].emails.map(\.value) == ["a@b.c"])
        // Behind the end of base64, and behind a value, it is a damaged line.
        for lines in [["description:: QQ==", "QWJj"], ["description: a", "b"]] {
            #expect(try read(entry("Ada", lines[0], lines[1])).failures.count == 1)
        }
    }

    @Test func `The largest picture is the photo, and what is none is only without one`() throws {
        let (small, large) = ("iVBORw0KGgoAAAAN", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB")
        func photo(_ lines: String...) throws -> [UInt8]? {
            let text = entry("Ada") + lines.map { $0 + "\n" }.joined()
            guard case .inline(.encoded(let photo), _)? = try read(text).contacts[0].photo else { return nil }
            return try Array(text.utf8)[photo.bytes].withUnsafeBytes { try photo.decoded(from: $0) }
        }
        let whole = try photo("jpegPhoto:: \(large)")
        #expect(whole?.count == 24)
        #expect(try photo("jpegPhoto:: AAAA", "thumbnailPhoto:: \(large)") == whole)
        #expect(try photo("jpegPhoto:: \(small)", "jpegPhoto:: \(large)") == whole)
        #expect(try photo("jpegPhoto:: AAAA")?.count == 3)
    }

    @Test func `Aliases are addresses, each once`() throws {
        let contact = try read(
            entry(
                "Ada", "mail: a@b.c", "proxyAddresses: SMTP:A@b.c", "proxyAddresses: smtp:d@b.c",
                "proxyAddresses: sip:a@b.c", "mailAlias: e@b.c", "mailAlternateAddress: f@b.c")
        ).contacts[0]
        #expect(contact.emails.map(\.value) == ["a@b.c", "f@b.c", "e@b.c", "d@b.c"])
    }

    @Test func `Attributes of Evolution and readings of names are known`() throws {
        let contact = try read(
            entry(
                "Ada", "sn: 山田", "sn;lang-ja;phonetic: やまだ", "msDS-PhoneticFirstName: たろう", "primaryPhone: 1",
                "birthDate: 1990-05-07", "anniversary: 2015-06-01", "spouseName: Bo", "managerName: Cy",
                "url: https://a.example")
        ).contacts[0]
        #expect(contact.name.family == "山田" && contact.name.sortFamily == "やまだ" && contact.name.sortGiven == "たろう")
        #expect(contact.phones == [ContactPoint("1", types: ["main"])] && contact.birthday == "1990-05-07")
        #expect(contact.anniversary == "2015-06-01" && contact.websites.map(\.value) == ["https://a.example"])
        #expect(contact.related.map(\.types) == [["spouse"], ["manager"]])
    }

    @Test(arguments: ["", "\n", " \n", "\t\n", "  \t \r\n", "\r\n", "\n\n\n", "# remark\n", "\n# remark\n\n"])
    func `The name of an entry begins a record, whatever stands before it`(between: String) throws {
        let contents = try read(entry("Ada", "mail: a@b.c") + between + entry("Bo", "mail: d@e.f"))
        #expect(contents.contacts.map(\.displayName) == ["Ada", "Bo"] && contents.failures.isEmpty)
        #expect(contents.contacts.map { $0.emails.map(\.value) } == [["a@b.c"], ["d@e.f"]])
        #expect(contents.contacts.map(\.place?.line) == [1, contents.contacts[1].place?.line])
    }

    @Test func `A name in base64 begins a record, too`() throws {
        let contents = try read(
            "dn:: Y249QWRh\ncn: Ada\nobjectClass: person\nDN:: Y249Qm8=\ncn: Bo\nobjectClass: person\n")
        #expect(
            contents.contacts.map(\.displayName) == ["Ada", "Bo"] && contents.contacts.map(\.id) == ["cn=Ada", "cn=Bo"])
    }

    @Test(arguments: ["a@b.c", "YUBiLmM="]) func `A file without a last line end may have another one behind it`(
        mail: String
    ) throws {
        let colon = mail.hasSuffix("=") ? "::" : ":"
        for start in ["", "version: 1\n"] where start.isEmpty || colon == ":" {
            let contents = try read(start + entry("Ada") + "mail\(colon) \(mail)" + entry("Bo", "mail: d@e.f"))
            #expect(contents.contacts.map(\.displayName) == ["Ada", "Bo"])
            #expect(contents.contacts.map { $0.emails.map(\.value) } == [["a@b.c"], ["d@e.f"]])
        }
    }

    @Test(arguments: [
        "description: see dn: cn=x", "entryDN: cn=Ada,dc=example", "description: dn:", "seeAlso: cn=dn: x",
        "description: dn: cn=x,dc=y", "description:dn: cn=x", "description: memberdn: cn=x,dc=y",
        "description: memberdn: cn=x,dc=y\nsn: Moe", "seeAlso: xdn:: Y249eA==", "description: adn: cn=x bdn: cn=y",
    ]) func `A value that speaks of a name is a value`(line: String) throws {
        let contents = try read(entry("Ada", line, "mail: a@b.c"))
        #expect(contents.contacts.map(\.displayName) == ["Ada"] && contents.failures.isEmpty)
        #expect(contents.contacts.first?.emails.map(\.value) == ["a@b.c"])
    }

    @Test(arguments: ["cn: Bo", "sn: Lie\ncn: Bo", "mail: d@e.f\nuid: bo\ncn: Bo"])
    func `Entries without a class may be joined, too`(lines: String) throws {
        let contents = try read("dn: cn=Ada\nuid: ada\ncn: Ada\nsn: Moe\nmail: a@b.cdn: cn=Bo\n\(lines)\n")
        #expect(contents.contacts.map(\.displayName).first == "Ada" && contents.contacts.count == 2)
        #expect(contents.contacts[0].emails.map(\.value) == ["a@b.c"])
    }

    @Test(arguments: ["dn: cn=Ad", "dn: cn=Ada\ndescription: fo", "dn: cn=Ada\nobjectClass: per"])
    func `A file may end inside of its last entry before another one`(end: String) throws {
        let contents = try read(entry("Cy") + "\n" + end + entry("Bo"))
        let bo = try #require(contents.contacts.first { $0.displayName == "Bo" })
        #expect(bo.id == "cn=Bo,dc=example" && bo.introduction == nil)
    }

    @Test func `Folds and names in values cost one pass`() throws {
        let blanks = String(repeating: " ", count: 200_000) + "x: y"
        let folds = String(repeating: "\n a", count: 50_000)
        #expect(try read(entry("Ada") + "\n" + blanks + folds + "\n\n" + entry("Bo")).contacts.count == 2)
        let names = String(repeating: "description: xdn: cn=a\n", count: 50_000)
        #expect(try read(entry("Ada") + names).contacts.count == 1)
    }

    @Test func `Lines without a name are no part of the next record`() throws {
        let contents = try read("mail: a@b.c\njpegPhoto:: /9j/4A==\n" + entry("Bo"))
        #expect(contents.contacts.map(\.displayName) == ["Bo"])
        #expect(contents.contacts.first?.photo == nil && contents.contacts.first?.emails.isEmpty == true)
        #expect(contents.failures.map(\.error) == [.malformed("no distinguished name")])
    }

    @Test func `A name may stand among sorted attributes`() throws {
        let contents = try read(
            "cn: Ada\nobjectClass: person\ndn: cn=Ada\nsn: Moe\n\ncn: Bo\nobjectClass: person\ndn: cn=Bo\nsn: Lie\n")
        #expect(contents.contacts.map(\.name.family) == ["Moe", "Lie"] && contents.failures.isEmpty)
    }

    @Test func `Attributes on both sides of a name are two entries`() throws {
        let contents = try read("objectClass: person\ncn: Ada\ndn: cn=Bo\nobjectClass: person\ncn: Bo\n")
        #expect(contents.contacts.map(\.displayName) == ["Bo"])
        #expect(contents.failures.map(\.error) == [.malformed("no distinguished name")])
    }

    @Test func `A class that is named twice is that of another entry`() throws {
        let contents = try read(entry("Ada", "mail: a@b.c", "xdn: cn=Bo,dc=example", "objectClass: person", "cn: Bo"))
        #expect(contents.contacts.isEmpty)
        #expect(
            contents.failures.map(\.error) == [.malformed("two entries in one record: it has the class person twice")])
    }

    private let ada = "dn: uid=a,dc=x\ncn: Ada Moe\nmail: a@b.c\njpegPhoto:: /9j/4A=="
    private let bo = "dn: uid=b,dc=x\ncn: Bo Lie\nmail: d@e.f\n"

    @Test(arguments: ["\n", "\n\n"], ["\u{FEFF}", "\u{200B}", "\t", "\r", "\"", "\u{FEFF} ", "\u{A0}", "#", "'", "é"])
    func `Characters before the name of an entry are no part of it`(end: String, dress: String) throws {
        let contents = try read(ada + end + dress + bo)
        #expect(contents.contacts.map(\.id) == ["uid=a,dc=x", "uid=b,dc=x"] && contents.failures.isEmpty)
        #expect(contents.contacts.map { $0.emails.map(\.value) } == [["a@b.c"], ["d@e.f"]])
        #expect(contents.contacts.map { $0.photo == nil } == [false, true])
    }

    @Test(arguments: [
        "\nx", "\n ", "x", "\t", "\r", "\"", "\ncn: Bo Lie\nx", "\nmail: d@e.f\nd", "\nmail: d@e.f\nsn: Lie\nd",
    ]) func `Two people without a class never become one`(joint: String) throws {
        for bo in [bo, "dn: uid=b,dc=x\nmail: d@e.f\n", "dn: uid=b,dc=x\ncn: Bo Lie\n"] {
            let contents = try read(ada + joint + bo)
            #expect(contents.contacts.count + contents.failures.count > 0)
            for contact in contents.contacts {
                let isAda = contact.id == "uid=a,dc=x"
                #expect(contact.displayName != (isAda ? "Bo Lie" : "Ada Moe"))
                #expect(!contact.emails.map(\.value).contains(isAda ? "d@e.f" : "a@b.c"))
            }
        }
    }

    @Test(arguments: [
        "cn: Ada\ncn: Adele Countess\nsn: Moe", "sn: Moe\ncn: Moe, Ada", "cn;lang-ja: \u{5C71}\u{7530}\nuid: ada",
        "#dn: uid=c\n# old", "# dn: uid=c\nsn: Moe", "uid: CN=Ada,O=Moe", "description: see\n\tdn: the name",
    ]) func `Several names of one person are no other entry`(lines: String) throws {
        let contents = try read("dn: uid=a,dc=x\ncn: Ada Moe\n\(lines)\nmail: a@b.c\n")
        #expect(contents.contacts.map(\.displayName) == ["Ada Moe"] && contents.failures.isEmpty)
        #expect(contents.contacts.first?.emails.map(\.value) == ["a@b.c"])
    }

    @Test func `A card in a record is not of the entry`() throws {
        let contents = try read(ada + "\nBEGIN:VCARD\nVERSION:3.0\nFN:Bo\nTITLE:Cook\nEND:VCARD\n\n" + bo)
        #expect(contents.contacts.map(\.displayName) == ["Bo Lie"])
        #expect(contents.failures.map(\.error) == [.malformed("two entries in one record: it has a VCARD, too")])
    }

    @Test(arguments: ["modify", "delete", "modrdn", "moddn"]) func `A change is reported`(kind: String) throws {
        let contents = try read("dn: cn=Cy\nchangetype: \(kind)\n" + entry("Ada"))
        #expect(contents.contacts.map(\.displayName) == ["Ada"] && contents.failures.count == 1)
    }

    @Test(arguments: [
        ("Hafen 1$24103 Kiel", "Hafen 1\n24103 Kiel"), ("Hafen 1 $ Kiel", "Hafen 1\nKiel"),
        (#"\241M Building$Kiel"#, "$1M Building\nKiel"), (#"C:\5Cdir$Kiel"#, #"C:\dir"# + "\nKiel"),
        (#"C:\5cdir"#, #"C:\dir"#), (#"Haus \ Hof$\2A"#, #"Haus \ Hof"# + "\n" + #"\2A"#), (#"a\2"#, #"a\2"#),
    ]) func `Lines of postal addresses are separated by dollar signs`(value: String, text: String) throws {
        #expect(DirectoryAddress.text(of: value) == text)
        let contact = try #require(try read(entry("Ada", "postalAddress: \(value)")).contacts.first)
        #expect(contact.addresses.map(\.value) == [text])
    }

    @Test func `What ldapsearch writes behind the entries is no record`() throws {
        let end =
            "# search reference\nref: ldap://a.example\n\n# search result\nsearch: 2\nresult: 0 Success\n\n# numEntries: 1\n"
        let contents = try read(entry("Ada") + "\n" + end)
        #expect(contents.contacts.map(\.displayName) == ["Ada"] && contents.failures.isEmpty)
    }

    @Test func `Mozilla's attributes have all fields, under each of their names`() throws {
        let contents = try read(
            entry(
                "Ada", "fax: 1", "pagertelephonenumber: 2", "xmozillaanyphone: 3", "xmozillasecondemail: b@example.org",
                "street: Weg 1", "mozillaWorkStreet2: Hof", "locality: Kiel", "stateOrProvinceName: SH",
                "company: Werft",
                "department: Bau", "workurl: http://w.example", "homeurl: http://h.example", "nsAIMid: ada",
                "info: hello"))
        let ada = contents.contacts[0]
        #expect(
            ada.phones.map(\.value) == ["3", "1", "2"] && ada.phones.map(\.types) == [["work"], ["fax"], ["pager"]])
        #expect(ada.emails.map(\.value) == ["b@example.org"] && ada.addresses.map(\.value) == ["Weg 1\nHof\nKiel\nSH"])
        #expect(ada.organisation == ["Werft", "Bau"] && ada.introduction == "hello")
        #expect(
            ada.websites.map(\.types) == [["home"], ["work"]] && ada.social == [ContactPoint("ada", types: ["aim"])])
    }

    @Test(arguments: [
        "dateOfBirth: 19560412000000Z", "schacDateOfBirth: 19560412", "birthday: 1956-04-12",
        "birthdate: 195604120000Z",
        "birthyear: 1956\nbirthmonth: 4\nbirthday: 12",
    ]) func `A date of birth has attributes of several names`(lines: String) throws {
        #expect(try read(entry("Ada", lines)).contacts[0].birthday == "1956-04-12")
    }

    @Test func `A year of birth of zero is none`() throws {
        let contents = try read(
            entry("Ada", "birthyear: 0", "birthmonth: 4", "birthday: 12") + "\n" + entry("Bo", "birthyear: 0"))
        #expect(contents.contacts.map(\.birthday) == ["--04-12", nil])
    }

    @Test func `A text in base64 has a character set of its own`() throws {
        let latin = Data("Jörg Müller".unicodeScalars.map { UInt8($0.value) }).base64EncodedString()
        let utf8 = Data("Größe €".utf8).base64EncodedString()
        let contact = try read("dn: cn=x\nobjectClass: person\ncn:: \(latin)\ndescription:: \(utf8)\n").contacts[0]
        #expect(contact.displayName == "Jörg Müller" && contact.introduction == "Größe €")
    }

    @Test(arguments: [
        ("dn: CN=Moe\\, Ada,DC=b\n", "Moe, Ada"), ("dn: cn=x,dc=b\ncn: amoe\ngivenName: Ada\nsn: Moe\n", "Ada Moe"),
        ("dn: cn=x,dc=b\ncn: amoe\ncn: Ada B. Moe\ngivenName: Ada\nsn: Moe\n", "Ada B. Moe"),
        ("dn: uid=amoe,dc=b\n", "a@b.c"), ("dn: cn=x\ngivenName: Ada\npersonalTitle: Dr.\n", "Dr. Ada"),
        ("dn: cn=Ad\nobjectClass: mozillaAbPersonAlpha\ncn: Ad\ngivenName: Ada\nsn: Moe\n", "Ad"),
    ]) func `The name is what people write`(lines: String, name: String) throws {
        #expect(try read(lines + "objectClass: person\nmail: a@b.c\n").contacts.map(\.displayName) == [name])
    }
}
