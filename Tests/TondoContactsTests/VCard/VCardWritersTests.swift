import Testing

@testable import TondoContacts

/// What programs write that no specification has.
@Suite struct VCardWritersTests {
    @Test func `A formatted name and a note keep their lines, and parts of a name have none`() throws {
        let contact = try Contact(
            lines: #"FN:Moe & Co\r\nMoe\, Ada\n"#, #"N:Moe\nLi;Ada;;;"#, #"NOTE:one\r\ntwo\nthree\rest"#)
        #expect(contact.name.formatted == "Moe & Co\nMoe, Ada" && contact.name.family == "Moe Li")
        #expect(contact.introduction == "one\ntwo\nthree\\rest")
        #expect(try Contact(lines: #"FN:\n"#, "FN:Ada").name.formatted == "Ada")
    }

    @Test func `The parts of a name are no formatted name`() throws {
        for lines in [
            ["FN:Moe;Ada", "N:Moe;Ada;;Dr.;"], ["FN:Moe;Ada;;;"], [#"FN:Moe\;Ada\;\;\;"#, #"N:Moe\;Ada\;\;\;;;;;"#],
        ] {
            let name = try Contact(ofLines: lines).name
            #expect(name.formatted.isEmpty && name.given == "Ada" && name.family == "Moe")
        }
        #expect(try Contact(lines: "FN:Tom; Jerry; Co").displayName == "Tom; Jerry; Co")
        #expect(try Contact(lines: "FN:Moe; Co", "N:Moe;Ada;;;").displayName == "Moe; Co")
        #expect(try Contact(lines: "FN:Moe;", "N:Moe;Ada;;;").displayName == "Moe;")
    }

    @Test func `Accounts are properties of each network`() throws {
        let contact = try Contact(
            lines: "FN:A", "X-JABBER;TYPE=HOME:ada@example.org", "X-SKYPE:live:ada", "X-ICQ:",
            "X-GOOGLE-TALK:ada@example.net")
        #expect(
            contact.social == [
                ContactPoint("ada@example.org", types: ["jabber", "home"]), ContactPoint("live:ada", types: ["skype"]),
                ContactPoint("ada@example.net", types: ["gtalk"]),
            ])
        #expect(contact.messengers.isEmpty)
    }

    @Test func `KAddressBook has a property for each network`() throws {
        let contact = try Contact(
            lines: "FN:A", "X-messaging/gadu-All:1", "a.X-messaging/msn-All:2\u{E000}3",
            "X-messaging/Telegram-All:@ada")
        #expect(contact.social.map(\.types) == [["gadugadu"], ["msn"], ["msn"]])
        #expect(contact.social.map(\.value) == ["1", "2", "3"] && contact.messengers == [.telegram: "ada"])
    }

    @Test func `Phones have nicknames in properties of their own`() throws {
        let contact = try Contact(lines: "FN:A", "X-NICKNAME:Addie", "X-EPOCSECONDNAME:Ad")
        #expect(contact.name.nicknames == ["Addie", "Ad"])
    }

    @Test func `The LABEL of a number is one of a group`() throws {
        let contact = try Contact(lines: "FN:A", "TEL;LABEL=Hut:1", "TEL;LABEL=WORK:2", "ADR;LABEL=Weg 1:;;;;;;")
        #expect(contact.phones == [ContactPoint("1", label: "Hut"), ContactPoint("2", types: ["work"])])
        #expect(contact.addresses == [ContactPoint("Weg 1")])
    }

    @Test func `Quotes are around all categories, and brackets around pages`() throws {
        let contact = try Contact(
            lines: "FN:A", #"CATEGORIES:"B,C""#, #"CATEGORIES:"D",E"#, "URL:<URL:https://b.c>", "URL:<https://b.c/d>")
        #expect(contact.groups.map(\.name) == ["B", "C", "D", "E"])
        #expect(contact.websites.map(\.value) == ["https://b.c", "https://b.c/d"])
    }

    @Test func `An account that phones write twice is there once`() throws {
        let contact = try Contact(
            lines: "FN:A", "X-SKYPE:Ada", "IMPP;X-SERVICE-TYPE=Skype:skype:ada", "IMPP:xmpp:ada@example.org",
            "X-JABBER:ada@example.org", "X-AIM:ada", "item1.X-AIM:ada", "item1.X-ABLabel:Games")
        #expect(contact.social.map(\.value) == ["Ada", "ada@example.org", "ada", "ada"])
        #expect(contact.social.last?.label == "Games")
    }

    @Test func `A contact may have an account alone`() throws {
        let reading = try Reading(
            "BEGIN:VCARD\r\nX-JABBER:a@example.org\r\nEND:VCARD\r\nBEGIN:VCARD\r\nX-ICQ:1\r\nEND:VCARD\r\n")
        #expect(reading.contacts.map(\.displayName) == ["a@example.org", "1"] && reading.failures.isEmpty)
        #expect(reading.contacts[0].fingerprint != reading.contacts[1].fingerprint)
        #expect(try Contact(lines: "ADR:;;Weg 1;Kiel;;;").displayName == "Weg 1 Kiel")
    }

    @Test func `Types in a label are types, and other words a label`() throws {
        let contact = try Contact(
            lines: "FN:A", #"a.TEL;TYPE=pref:1"#, #"a.X-ABLABEL:WORK\;VOICE\;PREF"#, "b.TEL;TYPE=CELL:2",
            "b.X-ABLABEL:CELL",
            "c.TEL:3", "c.X-ABLABEL:Work", "d.TEL:4", "d.X-ABLABEL:VIP")
        #expect(contact.phones.map(\.types) == [["work", "voice"], ["cell"], [], []])
        #expect(contact.phones.map(\.label) == [nil, nil, "Work", "VIP"])
    }

    @Test func `The name of a parameter may be repeated in its list`() throws {
        #expect(try Contact(lines: "FN:A", "TEL;TYPE=work,TYPE=fax:1").phones.map(\.types) == [["work", "fax"]])
    }

    @Test func `Semicolons separate categories, too`() throws {
        let contact = try Contact(lines: "FN:A", #"CATEGORIES:Chor; Werft,Verein\;Kiel;"#, "X-CATEGORIES:Chor;Boot")
        #expect(contact.groups.map(\.name) == ["Chor", "Werft", "Verein;Kiel", "Boot"])
    }

    @Test func `One property may have several addresses`() throws {
        let contact = try Contact(
            lines: "FN:A", "item1.EMAIL;TYPE=WORK:a@example.org; b@example.org", "item1.X-ABLabel:Amt",
            "EMAIL:c@example.org")
        #expect(contact.emails.map(\.value) == ["a@example.org", "b@example.org", "c@example.org"])
        #expect(contact.emails.map(\.label) == ["Amt", "Amt", nil])
    }

    @Test func `Android's rows have birthday and anniversary`() throws {
        let row = "X-ANDROID-CUSTOM:vnd.android.cursor.item/contact_event;"
        let contact = try Contact(
            lines: "FN:A", row + "2010-05-01;1;;", row + "1985-04-12;3;;", row + "2020-01-01;0;Move;")
        #expect(contact.anniversary == "2010-05-01" && contact.birthday == "1985-04-12")
    }

    @Test(arguments: ["BDAY", "ANNIVERSARY"]) func `Zeros are no day`(name: String) throws {
        let contact = try Contact(lines: "FN:A", "\(name):0000-00-00", "\(name):1985-04-12")
        #expect((contact.birthday ?? contact.anniversary) == "1985-04-12")
    }

    @Test(arguments: [
        ("FN:Äöü Übel", "Äöü Übel"), ("FN:äöü\r\nADR:;;Straße 1;;;;", "äöü"), ("FN:Müller", "Müller"),
        ("FN:ÇÉÑ Peña", "ÇÉÑ Peña"),
    ]) func `Western letters in a row are not Cyrillic`(lines: String, name: String) throws {
        let card = "BEGIN:VCARD\r\n\(lines)\r\nEND:VCARD\r\n"
        let latin = card.unicodeScalars.map { UInt8($0.value) }
        #expect(try Reading(latin).contacts.map(\.displayName) == [name])
    }

    @Test func `Cyrillic letters behind an escape or beside Latin ones are Cyrillic`() throws {
        // "Вера", and a note "\nОтдел IT, ITшник".
        let name: [UInt8] = [0xC2, 0xE5, 0xF0, 0xE0]
        let note =
            Array(#"NOTE:IT\n"#.utf8) + [0xCE, 0xF2, 0xE4, 0xE5, 0xEB] + Array(" IT".utf8) + [0xF8, 0xED, 0xE8, 0xEA]
        let card = Array("BEGIN:VCARD\r\nFN:".utf8) + name + Array("\r\n".utf8) + note + Array("\r\nEND:VCARD\r\n".utf8)
        #expect(try Reading(card).contacts.map(\.displayName) == ["Вера"])
    }

    @Test func `A list of Evolution is a group of the people with its addresses`() throws {
        func card(_ lines: String...) -> String {
            (["BEGIN:VCARD"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
        }
        let list = "EMAIL;X-EVOLUTION-DEST-CONTACT-UID=1:Ada <Ada@example.org>"
        let cards = card("UID:1", "FN:Ada", "EMAIL:ada@example.org") + card("FN:Bo", "EMAIL:bo@example.org")
        let reading = try Reading(card("FN:Chor", list, "X-EVOLUTION-LIST:TRUE") + cards)
        #expect(reading.contacts.map(\.displayName) == ["Ada", "Bo"] && reading.counted == 2)
        #expect(reading.contacts.map { $0.groups.map(\.name) } == [["Chor"], []])
        let person = try Reading(card("FN:Cy", "X-EVOLUTION-LIST:FALSE", "EMAIL:cy@example.org") + cards)
        #expect(person.contacts.map(\.displayName) == ["Cy", "Ada", "Bo"])
    }
}
