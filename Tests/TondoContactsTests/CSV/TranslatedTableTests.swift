import SystemPackage
import Testing

@testable import TondoContacts

/// Programs name their columns in the language of the user.
@Suite struct TranslatedTableTests {
    private func contacts(_ table: some Sequence<UInt8>) throws -> [Contact] {
        let file = Array(table)
        #expect(BookFormat.recognise(file) == .book(.csv))
        return try BookFormat.csv.read(file, name: "book.csv").contacts
    }

    private func contact(_ table: String) throws -> Contact { try #require(try contacts(table.utf8).first) }

    /// Each table of a program with a row that has the number of each column.
    private static let thunderbird = ThunderbirdNames.text.split(separator: "\n").map(String.init)
    private static let outlook = OutlookNames.text.split(separator: "\n").map(String.init)

    @Test func `All languages have all columns`() {
        #expect(Self.thunderbird.count >= 60 && Self.outlook.count >= 34)
        for line in Self.thunderbird {
            let names = line.split(separator: "|", omittingEmptySubsequences: false)
            #expect(names.count == ColumnTables.thunderbird.count + 1, "\(line)")
        }
        for line in Self.outlook {
            let names = line.split(separator: "|", omittingEmptySubsequences: false)
            #expect(names.count == ColumnTables.outlook.count + 1, "\(line)")
        }
    }

    @Test(arguments: thunderbird) func `Thunderbird's columns are known in its languages`(line: String) throws {
        let names = line.split(separator: "|").dropFirst()
        let contact = try contact(
            names.map { "\"\($0)\"" }.joined(separator: ",") + "\r\n"
                + """
                Ada,Moe,Ada M,Al,a@b.c,d@e.f,screen,1,2,3,4,5,Home 1,Home 2,Kiel,SH,24103,DE,Work 1,Work 2,Bremen,HB,28195,DK,\
                Boss,Lab,Firm,https://w.example,https://h.example,1990,5,7,Hi
                """)
        #expect(contact.name.given == "Ada" && contact.name.family == "Moe" && contact.displayName == "Ada M")
        #expect(contact.name.nicknames == ["Al"] && contact.emails.map(\.value) == ["a@b.c", "d@e.f"])
        #expect(contact.phones.map(\.value) == ["1", "2", "3", "4", "5"])
        #expect(contact.phones.map(\.types) == [["work"], ["home"], ["fax"], ["pager"], ["cell"]])
        #expect(
            contact.addresses.map(\.value) == [
                "Home 1\nHome 2\n24103 Kiel\nSH\nDE", "Work 1\nWork 2\n28195 Bremen\nHB\nDK",
            ])
        #expect(contact.addresses.map(\.types) == [["home"], ["work"]])
        #expect(contact.title == "Boss" && contact.organisation == ["Firm", "Lab"] && contact.introduction == "Hi")
        #expect(contact.websites.map(\.value) == ["https://w.example", "https://h.example"])
        #expect(contact.birthday == "1990-05-07")
    }

    @Test(arguments: outlook) func `Outlook's columns are known in its languages`(line: String) throws {
        let names = line.split(separator: "|").dropFirst().map { $0.split(separator: "~")[0] }
        let contact = try contact(
            names.map { "\"\($0)\"" }.joined(separator: ",") + "\n"
                + """
                Dr,Ada,Eva,Moe,jr,Firm,Lab,Boss,Work 1,Bremen,HB,28195,DK,Home 1,Kiel,SH,24103,DE,Other 1,Oslo,,0150,NO,\
                1,2,3,4,5,6,7,8,9,10,11,12,1990-05-07,Friends,a@b.c,Hi,Writer,https://w.example,,,
                """)
        #expect(contact.name.prefix == "Dr" && contact.name.given == "Ada" && contact.name.additional == "Eva")
        #expect(contact.name.family == "Moe" && contact.name.suffix == "jr" && contact.title == "Boss")
        #expect(contact.organisation == ["Firm", "Lab"] && contact.role == "Writer")
        #expect(
            contact.addresses.map(\.value) == [
                "Work 1\n28195 Bremen\nHB\nDK", "Home 1\n24103 Kiel\nSH\nDE", "Other 1\n0150 Oslo\nNO",
            ])
        #expect(contact.phones.map(\.value) == (1...12).map { "\($0)" })
        #expect(contact.phones[0].types == ["work", "fax"] && contact.phones[6].types == ["cell"])
        #expect(contact.emails.map(\.value) == ["a@b.c"] && contact.birthday == "1990-05-07")
        #expect(contact.groups.map(\.name) == ["Friends"] && contact.introduction == "Hi")
        #expect(contact.websites.map(\.value) == ["https://w.example"])
    }

    @Test func `Numbers in names mean further values`() throws {
        let contact = try contact(
            """
            Vorname,Nachname,Straße geschäftlich,Straße geschäftlich 2,Straße geschäftlich 3,Ort geschäftlich,\
            Telefon geschäftlich,Telefon geschäftlich 2,E-Mail-Adresse,E-Mail 2: Adresse,E-Mail 3: Adresse
            Ada,Moe,Hafen 1,Haus 2,Tür 3,Kiel,1,2,a@b.c,d@e.f,g@h.i
            """)
        #expect(
            contact.phones.map(\.value) == ["1", "2"] && contact.emails.map(\.value) == ["a@b.c", "d@e.f", "g@h.i"])
        #expect(contact.addresses.map(\.value) == ["Hafen 1\nHaus 2\nTür 3\nKiel"])
    }

    @Test(arguments: [
        ("Prénom,Nom de famille,Première adresse électronique,Tél. personnel,Portable", ["home"], ["cell"]),
        ("Vorname,Nachname,E-Mail-Adresse,Rufnummer (privat),Mobiltelefon", ["home"], ["cell"]),
        ("Voornaam,Achternaam,E-mailadres,Telefoon (werk),Mobiel nummer", ["work"], ["cell"]),
        ("Nome,Cognome,Indirizzo e-mail,Telefono ufficio,Cellulare", ["work"], ["cell"]),
        ("Имя,Фамилия,Электронная почта,Рабочий телефон,Мобильный телефон", ["work"], ["cell"]),
        ("名,姓,Eメール,自宅の電話番号,携帯電話", ["home"], ["cell"]),
        ("Imię,Nazwisko,E-mail,Telefon domowy,Telefon komórkowy", ["home"], ["cell"]),
    ]) func `Names without a table are understood by their words`(header: String, types: [String], mobile: [String])
        throws
    {
        let contact = try contact("\(header)\nAda,Moe,a@b.c,1,2\n")
        #expect(contact.name.given == "Ada" && contact.name.family == "Moe")
        #expect(contact.emails.map(\.value) == ["a@b.c"] && contact.phones.map(\.types) == [types, mobile])
    }

    @Test func `A column of something else is not understood by a part of its name`() throws {
        let contact = try contact("Vorname,Nachname,Telefonkosten,Mobilvertrag,Wohnortwechsel\nAda,Moe,1,2,3\n")
        #expect(contact.phones.isEmpty && contact.addresses.isEmpty)
    }

    @Test(arguments: ["Name,Ort,Land", "Artikel,Straße,PLZ", "Name;Stadt;Preis"])
    func `A table of towns is no address book`(header: String) {
        #expect(BookFormat.recognise(Array("\(header)\nA,B,C\n".utf8)) != .book(.csv))
    }

    @Test func `Parts of an address without a type are one address`() throws {
        let contact = try contact("Name,Email,Street,City,Zip Code,Country\nAda,a@b.c,Hafen 1,Kiel,24103,DE\n")
        #expect(contact.addresses == [ContactPoint("Hafen 1\n24103 Kiel\nDE")])
    }

    @Test func `Name beside a first name is the family name`() throws {
        #expect(try contact("Name,Vorname,E-Mail\nMoe,Ada,a@b.c\n").displayName == "Ada Moe")
        #expect(try contact("Name,First Name,Email\nAda Moe,Ada,a@b.c\n").displayName == "Ada Moe")
    }

    /// Bytes of other character sets, as programs of these countries write them.
    @Test(arguments: [
        // windows-1250
        (
            "Jm\u{E9}no,P\u{F8}\u{ED}jmen\u{ED},E-mailov\u{E1} adresa,Telefon (zam.)\nTom\u{E1}\u{9A},Dvo\u{F8}\u{E1}k,a@b.c,1\n",
            "Tomáš Dvořák"
        ),
        // windows-1251
        (
            "\u{C8}\u{EC}\u{FF},\u{D4}\u{E0}\u{EC}\u{E8}\u{EB}\u{E8}\u{FF},\u{C0}\u{E4}\u{F0}\u{E5}\u{F1} \u{FD}\u{EB}. \u{EF}\u{EE}\u{F7}\u{F2}\u{FB}\n\u{C0}\u{E4}\u{E0},\u{CC}\u{EE}\u{E5},a@b.c\n",
            "Ада Мое"
        ),
        // GBK
        (
            "\u{C3}\u{FB},\u{D0}\u{D5},\u{B5}\u{E7}\u{D7}\u{D3}\u{D3}\u{CA}\u{BC}\u{FE}\u{B5}\u{D8}\u{D6}\u{B7},\u{D2}\u{C6}\u{B6}\u{AF}\u{B5}\u{E7}\u{BB}\u{B0}\n\u{C3}\u{F7},\u{C0}\u{EE},a@b.c,1\n",
            "李明"
        ),
        // Shift_JIS
        (
            "\u{96}\u{BC},\u{90}\u{A9},\u{8C}\u{67}\u{91}\u{D1}\u{93}\u{64}\u{98}\u{62}\n\u{89}\u{D4}\u{8E}\u{71},\u{8E}\u{52}\u{93}\u{63},1\n",
            "山田花子"
        ),
        // EUC-KR
        (
            "\u{C0}\u{CC}\u{B8}\u{A7},\u{BC}\u{BA},\u{C8}\u{DE}\u{B4}\u{EB}\u{C6}\u{F9}\n\u{B9}\u{CE}\u{C1}\u{F6},\u{B1}\u{E8},1\n",
            "김민지"
        ),
        // windows-1253
        (
            "\u{CC}\u{E9}\u{EA}\u{F1}\u{FC} \u{FC}\u{ED}\u{EF}\u{EC}\u{E1},\u{BC}\u{ED}\u{EF}\u{EC}\u{E1},\u{C5}\u{F0}\u{FE}\u{ED}\u{F5}\u{EC}\u{EF},\u{CA}\u{E9}\u{ED}\u{E7}\u{F4}\u{FC} \u{F4}\u{E7}\u{EB}\u{DD}\u{F6}\u{F9}\u{ED}\u{EF}\n,\u{C1}\u{ED}\u{ED}\u{E1},\u{CC}\u{EF}\u{F5},1\n",
            "Αννα Μου"
        ),
    ]) func `The character set is the one in which the names are known`(text: String, name: String) throws {
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        #expect(try contacts(bytes).map(\.displayName) == [name])
    }

    @Test(arguments: ["sep=;\r\n", "\"sep=;\"\r\n", "\u{FEFF}sep=;\r\n", "\u{FEFF}", "\u{FEFF}\u{FEFF}", "\r\n"])
    func `What Excel writes before the header is left out`(start: String) throws {
        let contacts = try contacts((start + "Vorname;Nachname;E-Mail-Adresse\r\nAda;Moe;a@b.c\r\n").utf8)
        #expect(contacts.map(\.displayName) == ["Ada Moe"] && contacts.first?.emails.map(\.value) == ["a@b.c"])
    }

    @Test(arguments: [true, false]) func `Text in UTF-16 with tabs is read`(isBigEndian: Bool) throws {
        let text = "\u{FEFF}Vorname\tNachname\tMobiltelefon\r\nZoë\tMoe\t1\r\n"
        let bytes = text.utf16.flatMap { unit -> [UInt8] in
            let both = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBigEndian ? both : both.reversed()
        }
        #expect(try contacts(bytes).map(\.displayName) == ["Zoë Moe"])
    }

    @Test func `Thai names are whole, or made of their words`() throws {
        let table = "ชื่อ,นามสกุล,เบอร์มือถือ,โทรศัพท์ (ที่ทำงาน),อีเมล์,จังหวัด\nสมชาย,ใจดี,1,2,a@b.c,กรุงเทพ\n"
        let contact = try #require(try contacts(table.utf8).first)
        #expect(contact.name.given == "สมชาย" && contact.name.family == "ใจดี")
        #expect(contact.phones == [ContactPoint("1", types: ["cell"]), ContactPoint("2", types: ["work"])])
        #expect(contact.emails == [ContactPoint("a@b.c")] && contact.addresses == [ContactPoint("กรุงเทพ")])
    }

    @Test func `Names of ERPNext have their table in parentheses, and others of it are no addresses`() throws {
        let table =
            "Full Name,ID (Email IDs),Email ID (Email IDs),ID (Contact Numbers),Number (Contact Numbers)\nAda,x,a@b.c,y,1\n"
        let contact = try #require(try contacts(table.utf8).first)
        #expect(contact.emails.map(\.value) == ["a@b.c"] && contact.phones.map(\.value) == ["1"])
    }
}
