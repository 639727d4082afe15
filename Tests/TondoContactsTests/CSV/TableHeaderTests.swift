import SystemPackage
import Testing

@testable import TondoContacts

/// Tables of many programs, detected by their headers.
@Suite struct TableHeaderTests {
    private func contacts(_ table: String) throws -> [Contact] {
        let file = Array(table.utf8)
        #expect(BookFormat.recognise(file) == .book(.csv))
        return try BookFormat.csv.read(file, name: "book.csv").contacts
    }

    @Test(arguments: [
        ("Name,Email", "Ada B,a@b.c"), ("Full Name;E-mail Address", "Ada B;a@b.c"),
        ("full_name\temail", "Ada B\ta@b.c"), ("Display Name,Primary Email", "Ada B,a@b.c"),
        ("\"Contact Name\",\"Email (Work)\"", "Ada B,a@b.c"), ("FullName,EmailAddress", "Ada B,a@b.c"),
    ])
    func `A name and an address are enough`(header: String, row: String) throws {
        let contacts = try contacts("\(header)\r\n\(row)\r\n")
        #expect(contacts.map(\.displayName) == ["Ada B"])
        #expect(contacts.first?.emails.map(\.value) == ["a@b.c"])
    }

    @Test func `Outlook's columns are known`() throws {
        let contact = try contacts(
            """
            Title,First Name,Middle Name,Last Name,Suffix,Company,Department,Job Title,Business Phone,Business Phone 2,\
            Home Fax,Mobile Phone,E-mail Address,E-mail Type,E-mail 2 Address,Categories,Notes,Web Page
            Mrs,Ada,King,Lovelace,jr.,Engines,Maths,Countess,1,2,3,4,a@b.c,SMTP,d@e.f,Friends;Work,Hi,https://t.me/ada
            """)[0]
        #expect(contact.name.prefix == "Mrs" && contact.name.given == "Ada" && contact.name.additional == "King")
        #expect(contact.name.family == "Lovelace" && contact.name.suffix == "jr.")
        #expect(contact.organisation == ["Engines", "Maths"] && contact.title == "Countess")
        #expect(contact.phones.map(\.value) == ["1", "2", "3", "4"])
        #expect(contact.phones.map(\.types) == [["work"], ["work"], ["home", "fax"], ["cell"]])
        #expect(contact.emails.map(\.value) == ["a@b.c", "d@e.f"])
        #expect(contact.groups.map(\.name) == ["Friends", "Work"] && contact.introduction == "Hi")
        #expect(contact.messengers == [.telegram: "ada"])
    }

    @Test func `Thunderbird's columns are known`() throws {
        let contact = try contacts(
            """
            First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Work Phone,Fax Number,Pager Number,\
            Mobile Number,Job Title,Organization,Notes
            Ada,Lovelace,Ada L,Al,a@b.c,d@e.f,1,2,3,4,Countess,Engines,Hi
            """)[0]
        #expect(contact.displayName == "Ada L" && contact.name.nicknames == ["Al"])
        #expect(contact.emails.map(\.value) == ["a@b.c", "d@e.f"])
        #expect(contact.phones.map(\.types) == [["work"], ["fax"], ["pager"], ["cell"]])
        #expect(contact.title == "Countess" && contact.organisation == ["Engines"])
    }

    @Test func `LinkedIn's remarks stand above its header`() throws {
        let contact = try contacts(
            """
            Notes:
            "When exporting your connection data, you may notice that some of the email addresses are missing."

            First Name,Last Name,URL,Email Address,Company,Position,Connected On
            Ada,Lovelace,https://www.linkedin.com/in/ada,a@b.c,Engines,Countess,01 Jan 2026
            """)[0]
        #expect(contact.displayName == "Ada Lovelace" && contact.emails.map(\.value) == ["a@b.c"])
        #expect(contact.organisation == ["Engines"] && contact.title == "Countess")
        #expect(contact.place?.line == 5)
    }

    @Test func `Labels in the names of columns are types`() throws {
        let contact = try contacts("First,Last,Phone (mobile),Phone (home),Email (work)\nAda,L,1,2,a@b.c\n")[0]
        #expect(contact.phones.map(\.types) == [["cell"], ["home"]] && contact.emails.map(\.types) == [["work"]])
    }

    @Test(arguments: [
        "Given Name,Family Name,Given Name Yomi,Family Name Yomi,E-mail 1 - Value",
        "First Name,Last Name,Phonetic First Name,Phonetic Last Name,Email",
        "First Name,Last Name,Given Yomi,Surname Yomi,E-mail Address", "名,姓,名（ふりがな）,姓（ふりがな）,メールアドレス",
    ]) func `Readings of names are what they are sorted by`(header: String) throws {
        let contact = try contacts("\(header)\n太郎,山田,たろう,やまだ,a@b.c\n")[0]
        #expect(contact.name.given == "太郎" && contact.name.sortGiven == "たろう")
        #expect(contact.name.family == "山田" && contact.name.sortFamily == "やまだ")
    }

    @Test func `Columns of Nokia Suite and Outlook are known`() throws {
        let nokia = try contacts(
            "First name;Last name;General mobile;General web address;General street;General postal/ZIP code\n"
                + "Ada;L;tel:+1;https://a.example;Street 1;12345\n")[0]
        #expect(nokia.addresses.map(\.value) == ["Street 1\n12345"] && nokia.phones.map(\.value) == ["+1"])
        #expect(nokia.websites.map(\.value) == ["https://a.example"])
        let outlook = try contacts("First Name,Last Name,Manager's Name,Assistant's Name,Spouse\nAda,L,Bo,Cy,Di\n")[0]
        #expect(outlook.related.map(\.types) == [["spouse"], ["manager"], ["assistant"]])
    }

    @Test func `Microsoft 365's columns are known, of which the account may be an address`() throws {
        let header =
            "User Name,First Name,Display Name,Email,Address,City,State or Province,ZIP or Postal Code,Country or Region\n"
        let rows = try contacts(header + "ada@b.c,Ada,Ada L,,Weg 1,Kiel,SH,24103,DE\nbob,Bob,Bob B,b@b.c,,,,,\n")
        #expect(rows.map { $0.emails.map(\.value) } == [["ada@b.c"], ["b@b.c"]])
        #expect(rows[0].addresses.map(\.value) == ["Weg 1\n24103 Kiel\nSH\nDE"])
        #expect(try contacts("Username,Email,First Name\na@b.c,A@b.c,Ada\n")[0].emails.map(\.value) == ["A@b.c"])
        guard case .other = BookFormat.recognise(Array("username,password\nada,x\n".utf8)) else {
            Issue.record("a book")
            return
        }
    }

    @Test func `Columns of abook and others are known`() throws {
        let abook = try contacts("#\"name\",\"email\",\"nick\",\"groups\"\nAda,a@b.c,Ad,\"Choir,Chess\"\n")[0]
        #expect(abook.name.nicknames == ["Ad"] && abook.groups.map(\.name) == ["Choir", "Chess"])
        let lines = try contacts("Name,Email,address_line1,address_line2,address_city\nAda,a@b.c,Weg 1,Hof,Kiel\n")[0]
        #expect(lines.addresses.map(\.value) == ["Weg 1\nHof\nKiel"])
        let other = try contacts(
            "First Name,Last Name,Title,Position,Work,Home,Cell,Comment\nAda,L,Dr.,Chief,1,2,3,hi\n")[0]
        #expect(other.name.prefix == "Dr." && other.title == "Chief" && other.introduction == "hi")
        #expect(other.phones.map(\.types) == [["work"], ["home"], ["cell"]])
        let outlook = try contacts("First Name,Last Name,Callback,ISDN,TTY/TDD Phone,iPhone\nAda,L,1,2,3,4\n")[0]
        #expect(outlook.phones.map(\.label) == [nil, nil, "tty", nil])
    }

    @Test func `Columns of accounts have the network in their names`() throws {
        let header = "Name,Skype ID,Telegram,Twitter Handle,LinkedIn URL\n"
        let row = try contacts(header + "Ada,ada.l,@ada,@al,https://l.example\n")[0]
        #expect(row.messengers == [.telegram: "ada"] && row.websites.isEmpty)
        #expect(
            row.social == [
                ContactPoint("ada.l", types: ["skype"]), ContactPoint("@al", types: ["twitter"]),
                ContactPoint("https://l.example", types: ["linkedin"]),
            ])
    }

    @Test(arguments: ["email\n", "E-Mail-Adresse\r\n", "\u{FEFF}", ""])
    func `A column of mail addresses may be alone`(header: String) throws {
        let rows = try contacts(header + "ada@b.example\n\"bob@b.example\"\n")
        #expect(rows.map { $0.emails.map(\.value) } == [["ada@b.example"], ["bob@b.example"]])
    }

    @Test(arguments: [
        "email\n", "ada@b.example\n", "ada@b.example\nDear Ada\n", "a@b\nb@b\n", "git@b.example:x\ngit@b.example:y\n",
    ])
    func `Other lines are no column of mail addresses`(text: String) {
        #expect(BookFormat.recognise(Array(text.utf8)) == .other("text without contacts"))
    }

    @Test func `Columns of postal addresses are no phones`() throws {
        #expect(try contacts("Name,Email,Home Address,Business City\nAda,a@b.c,Street,Town\n")[0].phones.isEmpty)
    }

    @Test func `A table without a header says what was expected and what was found`() {
        guard case .other(let words) = BookFormat.recognise(Array("Ada,a@b.c\nBob,b@b.c\n".utf8)) else {
            Issue.record("a book")
            return
        }
        #expect(words.contains("\"Name\"") && words.contains("\"Ada\", \"a@b.c\""))
        #expect(
            BookFormat.recognise(Array("Dear Ada, hello\nYours\n".utf8)) == .other("text without contacts"))
    }
}
