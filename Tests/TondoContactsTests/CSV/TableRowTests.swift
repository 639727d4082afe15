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
}
