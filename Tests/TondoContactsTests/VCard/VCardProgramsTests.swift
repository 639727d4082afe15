import Testing

@testable import TondoContacts

/// Properties, parameters and rows that single programs write.
@Suite struct VCardProgramsTests {
    @Test func `Outlook's further numbers and accounts are read, and its telex is no mail address`() throws {
        let contact = try Contact(
            lines: "FN:A", "X-MS-TEL;VOICE;CALLBACK:1", "X-MS-IMADDRESS:a@im.example.org", "EMAIL;TLX:55 12",
            "EMAIL;TLX:a@example.org", "X-MS-CHILD:Kim", version: "2.1")
        #expect(contact.phones == [ContactPoint("1", types: ["voice", "callback"])])
        #expect(contact.emails.map(\.value) == ["a@example.org"] && contact.social.map(\.value) == ["a@im.example.org"])
        #expect(contact.related == [ContactPoint("Kim", types: ["child"])])
    }

    @Test func `Android's rows have the people around a contact, and events in a person's words`() throws {
        let row = "X-ANDROID-CUSTOM:vnd.android.cursor.item/"
        let contact = try Contact(
            lines: "FN:A", row + "relation;Kim;14;;;", row + "relation;Jo;0;Godmother;;", row + "relation;Al;13;;",
            row + "relation;Bo;-9223372036854775808;;", row + "relation;Kim;14;;;", row + "relation;;1;;",
            row + "contact_event;2010-05-01;0;Hochzeitstag;;", row + "contact_event;2011-05-01;0;Move;;")
        #expect(
            contact.related == [
                ContactPoint("Kim", types: ["spouse"]), ContactPoint("Jo", label: "Godmother"),
                ContactPoint("Al", types: ["sister"]), ContactPoint("Bo"),
            ])
        #expect(contact.anniversary == "2010-05-01")
    }

    @Test func `WhatsApp marks its numbers, and names shops`() throws {
        let contact = try Contact(
            lines: "FN:A", "TEL:1", "TEL;waid= 4722550199:22 55 01 99", "TEL;waid=:3", "X-WA-BIZ-NAME:Werft")
        #expect(contact.messengers == [.whatsapp: "+4722550199"] && contact.organisation == ["Werft"])
        #expect(contact.phones.map(\.value) == ["1", "22 55 01 99", "3"])
    }

    @Test func `A network has one name, and an account of two groups is there once`() throws {
        let contact = try Contact(
            lines: "FN:A", "IMPP:gg:a", "X-GADUGADU:a", "IMPP:googletalk:b@example.org", "IMPP:ymsgr:c",
            "a.X-ICQ:1", "a.X-ABLabel:Other", "b.IMPP;X-SERVICE-TYPE=ICQ:aim:1", "b.X-ABLabel:Other",
            "c.X-ICQ:1", "c.X-ABLabel:Games", #"X-SOCIAL-PROFILE;TYPE=github;X-USER="x,y":"#)
        #expect(contact.social.map(\.types) == [["gadugadu"], ["gtalk"], ["yahoo"], ["icq"], ["icq"], ["github"]])
        #expect(contact.social.map(\.label) == [nil, nil, nil, "Other", "Games", nil])
        #expect(contact.social.last?.value == "x,y")
    }

    @Test func `Commas may stand between parameters, and types in a label between commas`() throws {
        let contact = try Contact(
            lines: "FN:A", "EMAIL;PREF=2,TYPE=WORK:b@example.org", "EMAIL;PREF=1,TYPE=HOME:a@example.org",
            #"a.TEL;TYPE="x,y=z":1"#, #"a.X-ABLabel:HOME\,VOICE\,pref"#, "b.TEL:2", "b.X-ABLabel:Home")
        #expect(contact.emails.map(\.value) == ["a@example.org", "b@example.org"])
        #expect(contact.emails.map(\.types) == [["home"], ["work"]])
        #expect(contact.phones.map(\.types) == [["x", "y=z", "home", "voice"], []])
        #expect(contact.phones.map(\.label) == [nil, "Home"])
        let label = try Contact(lines: "FN:A", #"ADR;LABEL=Weg 1\, Hof\nKiel\:;;x;;;;"#, #"TEL;TYPE=PREF\\,CELL:1"#)
        #expect(label.addresses.map(\.value) == ["Weg 1, Hof\nKiel"] && label.phones.map(\.types) == [["cell"]])
        let many = [String](repeating: "TYPE=a,PREF=1", count: 100_000).joined(separator: ",")
        #expect(try Contact(lines: "FN:A", "TEL;\(many):1").phones.map(\.types) == [["a"]])
    }

    @Test func `Parts whose semicolons are escaped are parts`() throws {
        let contact = try Contact(
            lines: #"FN:Moe\;Ada"#, #"N:Moe\;Ada"#, #"ADR:\;\;Weg 1\;Kiel\;\;24103\;DE"#, #"ADR:;;a\;b\;c;;;;"#,
            #"ADR:PO 7\;b;;;;;;"#)
        #expect(contact.displayName == "Ada Moe" && contact.name.family == "Moe")
        #expect(contact.addresses.map(\.value) == ["Weg 1\n24103 Kiel\nDE", "a;b;c", "PO 7;b"])
        #expect(try Contact(lines: #"FN:Ek\; Co"#, #"N:Ek\; Co;;;;"#).displayName == "Ek; Co")
        #expect(try Contact(lines: "FN:A", "ADR:;;null;null;;;", "ADR:null;;Weg 1;;;;").addresses.count == 1)
    }

    @Test func `Lines that are repeated count once, and those with another type twice`() throws {
        let lines = ["ADR:;;Weg 1;;;;", "URL:http://a.example", "NICKNAME:Ad,Addi"]
        let contact = try Contact(ofLines: ["FN:A"] + lines + lines + ["ADR;TYPE=home:;;Weg 1;;;;"])
        #expect(contact.addresses.map(\.types) == [[], ["home"]] && contact.websites.count == 1)
        #expect(contact.name.nicknames == ["Ad", "Addi"])
        let many = ["FN:A"] + (0..<20_000).map { "NICKNAME:n\($0)" }
        #expect(try Contact(ofLines: many).name.nicknames.count == VCardDraft.mostOfAKind)
    }

    @Test func `The identifier of a card is no name`() throws {
        let id = "4710adc9-776a-4c27-ba4b-75f086a4afb9"
        #expect(
            try Contact(lines: "FN:\(id)", "EMAIL:a@example.org", "UID:urn:uuid:\(id)").displayName == "a@example.org")
        #expect(try Contact(lines: "UID:\(id)", "FN:urn:uuid:\(id)", "N:Moe;Ada;;;").displayName == "Ada Moe")
        #expect(try Contact(lines: "UID:\(id)", "FN:\(id)").displayName == id)
        #expect(try Contact(lines: "UID:Ada Moe", "FN:Ada Moe", "EMAIL:a@example.org").displayName == "Ada Moe")
    }

    @Test(arguments: ["<br />\n<b>Warning</b>: a.php\n", "<html><pre>\n"])
    func `A server's warnings before the cards are none of them`(warning: String) throws {
        let card = "BEGIN:VCARD\r\nFN:Ada\r\nEND:VCARD\r\n"
        let file = Array((warning + card).utf8)
        #expect(BookFormat.recognise(file) == .book(.vCard))
        #expect(file.withUnsafeBytes { BookFormat.isVCard($0) })
        #expect(try Reading(file).contacts.map(\.displayName) == ["Ada"])
        #expect(BookFormat.recognise(Array("<a>BEGIN:VCARD</a>".utf8)) != .book(.vCard))
    }

    @Test func `Desktops have accounts, pages and people in properties of their own`() throws {
        let contact = try Contact(
            lines: "FN:A", "X-messaging/xmpp-All:a@x.example", "X-messaging/icq-All:1", "X-GOOGLE TALK:a@t.example",
            "X-KADDRESSBOOK-X-IMAddress:a@im.example", "X-EVOLUTION-BLOG-URL:https://b.example",
            "X-KADDRESSBOOK-BlogFeed:https://f.example",
            "X-MS-SPOUSE;N:Bo")
        #expect(contact.social.map(\.types) == [["xmpp"], ["icq"], ["gtalk"], []])
        #expect(contact.websites.map(\.value) == ["https://b.example", "https://f.example"])
        #expect(contact.related == [ContactPoint("Bo", types: ["spouse"])])
    }

    @Test func `Types are in the user's language, and an address may be lines in place of parts`() throws {
        let contact = try Contact(
            lines: "FN:A", "TEL;TYPE=arbeit,fax:1", "TEL;TYPE=Mobil:2", "ADR:Weg 1;24103 Kiel;DE",
            "ADR:Box 1;;;Kiel;;24103;")
        #expect(contact.phones.map(\.types) == [["work", "fax"], ["cell"]])
        #expect(contact.addresses.map(\.value) == ["Weg 1\n24103 Kiel\nDE", "Box 1\n24103 Kiel"])
    }
}
