import SystemPackage
import Testing

@testable import TondoContacts

/// Rows of tables: several values in a field, and rows that are damaged.
@Suite struct TableRowTests {
    private func read(_ table: String) throws -> BookContents {
        try BookFormat.csv.read(Array(table.utf8), name: "book.csv")
    }

    private func contact(_ table: String) throws -> Contact { try #require(try read(table).contacts.first) }

    @Test func `The parts of several addresses in one field stay together`() throws {
        let contact = try contact(
            """
            Name,Address 1 - Type,Address 1 - Street,Address 1 - City,Address 1 - Postal Code,Address 1 - Country
            Mira,Home,Hafen 1 ::: Markt 2 ::: Weg 3,Kiel ::: Bremen ::: ,24103 :::  ::: 20095,DE
            """)
        #expect(contact.addresses.map(\.value) == ["Hafen 1\n24103 Kiel\nDE", "Markt 2\nBremen", "Weg 3\n20095"])
        #expect(contact.addresses.map(\.types) == [["home"], ["home"], ["home"]])
    }

    @Test func `Formatted addresses in one field are several`() throws {
        let contact = try contact(
            """
            Name,Address 1 - Formatted,Address 1 - Street
            Mira,"Hafen 1
            Kiel ::: Markt 2
            Bremen",Hafen 1 ::: Markt 2
            """)
        #expect(contact.addresses.map(\.value) == ["Hafen 1\nKiel", "Markt 2\nBremen"])
    }

    @Test func `Blanks around quotes and backslashes before them are no text`() throws {
        let table = """
            Name, "Phone" ,Notes
            "Ada \\"Bibi\\" M" , "1" ,"a ""b"" \\"
              "Bo, Ek", "2 ,"x \\""
            """
        let contacts = try read(table).contacts
        #expect(contacts.map(\.name.formatted) == [#"Ada "Bibi" M"#, "Bo, Ek"])
        #expect(contacts.map { $0.phones.map(\.value) } == [["1"], [#""2"#]])
        #expect(contacts.map(\.introduction) == [#"a "b" \"#, #"x ""#])
    }

    @Test func `Rows and fields of nothing are skipped without a failure`() throws {
        let book = try read("Name,Phone,Email\nAda,nan,NULL\n,,\n\" \",,\nNan,-,#N/A\n\0\0")
        #expect(book.contacts.map(\.displayName) == ["Ada", "Nan"] && book.failures.isEmpty)
        #expect(book.contacts.allSatisfy { $0.phones.isEmpty && $0.emails.isEmpty })
    }

    @Test(arguments: [
        ("491234567891.0", "491234567891"), ("3.108207129E9", "3108207129"), ("\"4,91701234567E+11\"", "491701234567"),
        ("4.41E+11", "4.41E+11"), ("0431.550100", "0431.550100"), ("12.0", "12.0"),
    ]) func `A number of a telephone that became one of arithmetic is whole again`(_ field: String, _ number: String)
        throws
    {
        #expect(try contact("Name,Phone\nAda,\(field)").phones.map(\.value) == [number])
    }

    @Test(arguments: [
        "Vorname;Nachname;Adresse;PLZ;Ort;Telefon", "Prénom;Nom;Adresse;CP;Ville;Téléphone",
        "Roepnaam;Achternaam;Straat;Postcode;Woonplaats;Telefoon",
    ]) func `An address is whole, whatever program calls its parts so`(_ header: String) throws {
        let contact = try contact(header + "\nEva;Moe;Weg 1;24103;Kiel;1")
        #expect(contact.addresses.map(\.value) == ["Weg 1\n24103 Kiel"] && contact.phones.map(\.value) == ["1"])
        #expect(contact.name.given == "Eva" && contact.name.family == "Moe")
    }

    @Test(arguments: ["Name,Number", "Contact Name,Contact No", "Name,WhatsApp Number", "Full Name,Contact Number"])
    func `A number beside a name is that of a telephone`(_ header: String) throws {
        #expect(try contact(header + "\nEva,1").phones.map(\.value) == ["1"])
        #expect(try contact("Number,Name,Phone\n7,Eva,1").phones.map(\.value) == ["1"])
    }

    @Test func `Of several organisations the first one is kept with its title`() throws {
        let contact = try contact(
            """
            Name,Organization 1 - Name,Organization 1 - Title,Organization 1 - Department,Nickname
            Mira,Werft ::: Verein,Ingenieurin ::: Kassenwartin,Bau ::: Kasse,Mi ::: Mimi
            """)
        #expect(contact.organisation == ["Werft", "Bau"] && contact.title == "Ingenieurin")
        #expect(contact.name.nicknames == ["Mi", "Mimi"])
    }

    @Test func `The primary address is none of the others`() throws {
        let contact = try contact(
            """
            Name,Email,Primary Street,Primary City,Other Street,Other City
            Ada,a@b.c,Hafen 1,Kiel,Markt 2,Bremen
            """)
        #expect(contact.addresses.map(\.value) == ["Hafen 1\nKiel", "Markt 2\nBremen"])
    }

    @Test(arguments: ["0/0/00", "0/0/0000", "00.00.0000", "0000-00-00", "--00-00"])
    func `A date of zeros is no birthday`(date: String) throws {
        #expect(try contact("First Name,Last Name,Birthday\nAda,Moe,\(date)\n").birthday == nil)
    }

    @Test(arguments: [
        ("1990,5,7", "1990-05-07"), (",5,7", "--05-07"), ("1990,,", "1990"), ("0,0,0", nil), (",,", nil),
    ]) func `Thunderbird's birthday is in three columns`(row: String, birthday: String?) throws {
        let contact = try contact("First Name,Last Name,Birth Year,Birth Month,Birth Day\nAda,Moe,\(row)\n")
        #expect(contact.birthday == birthday)
    }

    @Test func `Two rows without a line end between them are refused`() throws {
        let contents = try read("Name,Email,Notes\nAda,a@b.c,HiBo,d@e.f,Hello\nCy,g@h.i,\n")
        #expect(contents.contacts.map(\.displayName) == ["Cy"])
        #expect(contents.failures.map(\.line) == [2])
    }

    @Test(arguments: [
        "\" \"", "\"  \"", "\"x\"", " \" \"", "\nmore\" \"", "\"\" \"", "\" and \"more\" \"", "\" \"B\"o\n",
    ]) func `Two rows that are joined behind a text of several lines are refused`(joint: String) throws {
        for end in ["cy\nhis\"", "cy\""] {
            let contents = try read(
                "Name;Email;Note\n\"Ada\";\"a@b.c\";\"ada\nsecret of ada\(joint)Bo\";\"d@e.f\";\"\(end)\nCy;g@h.i;\"a\nb\"\n"
            )
            #expect(contents.contacts.map(\.displayName) == ["Cy"] && contents.failures.first?.line == 2)
        }
    }

    @Test func `A quote without end costs the rows that may be a part of its field`() throws {
        let contents = try read("Name,Note\nAda,\"oops\nBo,5\" high\nCy,6\" high\nDi,x\nEd,7\" high\n")
        #expect(!contents.contacts.contains { ["Ada", "Bo"].contains($0.displayName) })
        #expect(contents.contacts.map(\.displayName).suffix(2) == ["Di", "Ed"] && contents.failures.first?.line == 2)
    }

    @Test(arguments: [
        "BEGIN:VCARD\nVERSION:3.0\nFN:Bo\nEMAIL:d@e.f\nEND:VCARD\n", "dn: cn=Bo,dc=x\ncn: Bo\nmail: d@e.f\n",
    ]) func `Another address book behind the table is reported`(other: String) throws {
        let contents = try read("Name,Email\nAda,a@b.c\n\(other)")
        #expect(contents.contacts.map(\.displayName) == ["Ada"])
        #expect(contents.failures.map(\.line) == [3])
    }

    @Test(arguments: [
        "Name,Phone\nAda,123,friend", "Name,Email\nAda,a@b.c,friend", "First Name,Last Name\nAda,Moe,friend",
        "Name,Email,Notes\nAda,a@b.c,Hi,one,two", "Name,Phone\nAda,123,1 or 2",
    ]) func `A remark behind the last column of a narrow table is no second row`(table: String) throws {
        let contents = try read(table + "\n")
        #expect(contents.contacts.count == 1 && contents.failures.isEmpty)
    }

    @Test(arguments: ["Name,Phone\nAda,123Bo,+47 456", "Name,Email\nAda,a@b.cBo,d@e.f"])
    func `Two rows of a narrow table show by the second one's address`(table: String) throws {
        let contents = try read(table + "\n")
        #expect(contents.contacts.isEmpty && contents.failures.count == 1)
    }

    @Test func `One part of an address may have any number of columns`() throws {
        let count = 16_000
        let names = String(repeating: ",Home Street 2", count: count)
        let values = String(repeating: ",a ::: b", count: count)
        let contact = try contact("Name,Email\(names)\nAda,a@b.c\(values)\n")
        let lines = { (text: String) in Array(repeating: text, count: count).joined(separator: "\n") }
        #expect(contact.addresses.map(\.value) == [lines("a"), lines("b")])
    }

    @Test func `Empty fields behind the last column are nothing`() throws {
        #expect(try read("Name,Email\nAda,a@b.c,,,,\n").contacts.map(\.displayName) == ["Ada"])
    }

    @Test func `A header inside the table begins another one`() throws {
        let contents = try read(
            """
            Name,Email,Phone
            Ada,a@b.c,1
            Name,Email,Phone
            Bo,d@e.f,2
            Vorname,Nachname,E-Mail-Adresse
            Cy,Lie,g@h.i
            """)
        #expect(contents.contacts.map(\.displayName) == ["Ada", "Bo", "Cy Lie"] && contents.failures.isEmpty)
        #expect(contents.contacts.map { $0.emails.map(\.value) } == [["a@b.c"], ["d@e.f"], ["g@h.i"]])
    }

    @Test func `A person with a name like a column is a person`() throws {
        #expect(try read("Name,Email\nName,a@b.c\nFirma,d@e.f\n").contacts.map(\.displayName) == ["Name", "Firma"])
    }

    @Test func `Yahoo names phones by their places alone`() throws {
        let contact = try contact(
            """
            First,Last,Email,Home,Work,Mobile,Other,Alternate Email 1,Home Address,Home City
            Mira,Moe,m@example.org,1,2,3,4,n@example.org,Weg 1,Kiel
            """)
        #expect(contact.phones.map(\.value) == ["1", "2", "3", "4"])
        #expect(contact.phones.map(\.types) == [["home"], ["work"], ["cell"], []])
        #expect(contact.emails.map(\.value) == ["m@example.org", "n@example.org"])
        #expect(contact.addresses.map(\.value) == ["Weg 1\nKiel"])
    }

    @Test func `The particle of a Dutch name belongs to the family name`() throws {
        let table = "Voornaam;Tussenvoegsel;Achternaam;Telefoon\nJan;van der;Berg;1\nEva;;Moe;2\n"
        #expect(try read(table).contacts.map(\.name.family) == ["van der Berg", "Moe"])
    }

    @Test func `Marks for spreadsheets are no part of a text`() throws {
        let contacts = try read(
            """
            First Name,Last Name,Phone
            Mira,'s Gravesande,="0431 1"
            Jan,'t Hooft,'+49 431 2
            Eva,Moe,"=""0431 3\"""
            '90s Club,,'0431 4
            """
        ).contacts
        #expect(contacts.map { $0.phones[0].value } == ["0431 1", "+49 431 2", "0431 3", "0431 4"])
        #expect(contacts[3].name.given == "'90s Club")
        #expect(contacts.map(\.name.family) == ["'s Gravesande", "'t Hooft", "Moe", ""])
    }

    @Test func `Tags in quotes have commas, and pages no brackets`() throws {
        let row = try contact("Email,Tags,Website\na@b.c,\"\"\"VIP\"\",\"\"Friends, close\"\"\",<https://b.c>\n")
        #expect(row.groups.map(\.name) == ["VIP", "Friends, close"] && row.websites.map(\.value) == ["https://b.c"])
        #expect(try contact("Email,Tags\na@b.c,\"5\"\" club, B\"\n").groups.map(\.name) == ["5\" club", "B"])
    }

    @Test func `Google's events, relations and accounts have their kinds`() throws {
        let contact = try contact(
            """
            Name,Event 1 - Label,Event 1 - Value,Event 2 - Type,Event 2 - Value,Relation 1 - Type,Relation 1 - Value,\
            Relation 2 - Type,Relation 2 - Value,IM 1 - Service,IM 1 - Value,IM 2 - Service,IM 2 - Value
            Mira,Moved,2001-01-01,* Anniversary,2010-06-08,Spouse,Kim,Sister,Lo ::: Mo,Skype,mira,Telegram,mira_m
            """)
        #expect(contact.anniversary == "2010-06-08")
        #expect(
            contact.related == [
                ContactPoint("Kim", types: ["spouse"]), ContactPoint("Lo", label: "Sister"),
                ContactPoint("Mo", label: "Sister"),
            ])
        #expect(
            contact.social == [ContactPoint("mira", types: ["skype"])] && contact.messengers == [.telegram: "mira_m"])
    }

    @Test func `Outlook's anniversary and spouse have columns of their own`() throws {
        let contact = try contact("First Name,Last Name,Spouse,Anniversary,Birthday\nMira,Moe,Kim,0/0/00,4/15/1990\n")
        #expect(contact.related == [ContactPoint("Kim", types: ["spouse"])])
        #expect(contact.anniversary == nil && contact.birthday == "1990-04-15")
    }

    @Test func `A birthday may have the name of Thunderbird's day of the month`() throws {
        #expect(try contact("Vorname;Nachname;Geburtstag\nMira;Moe;07.05.1990\n").birthday == "1990-05-07")
        #expect(try contact("Vorname;Nachname;Geburtstag\nMira;Moe;7\n").birthday == nil)
    }

    @Test func `A field may have several addresses`() throws {
        let contact = try contact("Name,Email\nMira,\"m@example.org, n@example.org\"\n")
        #expect(contact.emails.map(\.value) == ["m@example.org", "n@example.org"])
    }

    @Test func `One date of a table shows the order of day and month in all of them`() throws {
        let head = "Name,Birthday,Email\n"
        func birthdays(_ rows: [String]) throws -> [String?] {
            try read(head + rows.enumerated().map { "A\($0),\($1),\n" }.joined()).contacts.map(\.birthday)
        }
        #expect(try birthdays(["5/7/1990", "12/31/1990", "1/2"]) == ["1990-05-07", "1990-12-31", "--01-02"])
        #expect(try birthdays(["5/7/1990", "31/12/1990"]) == ["1990-07-05", "1990-12-31"])
        #expect(try birthdays(["5/7/1990", "6/8/1991"]) == ["5/7/1990", "6/8/1991"])
        let joined = head + "A,5/7/1990,\nB,12/31/1990,\n" + head + "C,5/7/1990,\nD,31/12/1990,\n"
        #expect(try read(joined).contacts.map(\.birthday) == ["1990-05-07", "1990-12-31", "1990-07-05", "1990-12-31"])
    }

    @Test func `A spreadsheet's numbers of days are dates, and names have no quotes around them`() throws {
        let rows = try read("Name,Email,Birthday\n'Ada Moe',a@b.c,31182\nEva 't Hooft,e@b.c,1985\n").contacts
        #expect(rows.map(\.birthday) == ["1985-05-15", "1985"])
        #expect(rows.map(\.displayName) == ["Ada Moe", "Eva 't Hooft"])
        #expect(try contact("First Name,Last Name,Email\n'Ada','Moe',a@b.c\n").displayName == "Ada Moe")
    }

    @Test func `Names of columns may be joined words, or have a remark in brackets`() throws {
        let zimbra = try contact(
            "firstName,lastName,email,homePostalCode,homeCity,companyName,PrimarySmtpAddress\nMira,Moe,m@example.org,24103,Kiel,Werft,n@example.org\n"
        )
        #expect(zimbra.addresses == [ContactPoint("24103 Kiel", types: ["home"])] && zimbra.organisation == ["Werft"])
        #expect(zimbra.emails.map(\.value) == ["m@example.org", "n@example.org"])
        let google = try contact(
            "First Name [Required],Last Name [Required],Email Address [Required]\nMira,Moe,m@example.org\n")
        #expect(google.displayName == "Mira Moe" && google.emails.map(\.value) == ["m@example.org"])
        #expect(
            try read("Name,Email,Nomorenames,Hometitle\nMira,m@example.org,x,y\n").contacts[0].name.nicknames.isEmpty)
    }

    @Test func `An address may have no type, or be the one for letters`() throws {
        let plain = try contact(
            "Display name,Street address,Postal code,City,State,Country/Region,Phone number\nMira,Weg 1,24103,Kiel,SH,DE,1\n"
        )
        #expect(plain.addresses == [ContactPoint("Weg 1\n24103 Kiel\nSH\nDE")])
        let letters = try contact(
            "First Name,Account Name,Mailing Street,Mailing City,Mailing Zip/Postal Code\nMira,Werft,Weg 1,Kiel,24103\n"
        )
        #expect(letters.addresses == [ContactPoint("Weg 1\n24103 Kiel")] && letters.organisation == ["Werft"])
    }

    @Test func `Links of spreadsheets, lists in quotes and numbers of houses`() throws {
        let link = #""=HYPERLINK(""mailto:eva@example.org"";""Eva"")""#
        let contact = try contact(
            "Name,Email,Tags,Straße,Hausnummer,\n\(link),\(link),\"\"\"A\"\",\"\"B\"\"\",Markt,12a,")
        #expect(contact.displayName == "Eva" && contact.emails.map(\.value) == ["eva@example.org"])
        #expect(contact.groups.map(\.name) == ["A", "B"] && contact.addresses.map(\.value) == ["Markt 12a"])
    }

    @Test func `Names of columns that are not English put the day before the month`() throws {
        #expect(try contact("Prénom;Nom;Anniversaire\nEva;Moe;05/04/96").birthday == "1996-04-05")
        #expect(try contact("Prénom;Nom;Anniversaire\nEva;Moe;05/04/96\nBo;Lie;4/15/1996").birthday == "1996-05-04")
        #expect(try contact("First Name,Last Name,Birthday\nEva,Moe,05/04/96").birthday == "05/04/96")
    }

    @Test func `Phones have their places alone, and short names in German tables`() throws {
        let palm = try contact("Last name,First name,Work,Home,Other,E-mail\nMoe,Eva,1,2,3,")
        #expect(palm.phones.map(\.types) == [["work"], ["home"], []])
        let german = try contact("Vorname;Nachname;Tel. gesch.;Tel. priv.\nEva;Moe;1;2")
        #expect(german.phones.map(\.types) == [["work"], ["home"]])
    }
}
