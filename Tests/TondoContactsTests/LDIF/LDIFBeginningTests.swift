import SystemPackage
import Testing

@testable import TondoContacts

/// Directories are detected by their records, not by their first line.
@Suite struct LDIFBeginningTests {
    private func read(_ text: String) throws -> BookContents {
        let file = Array(text.utf8)
        #expect(BookFormat.recognise(file) == .book(.ldif))
        return try BookFormat.ldif.read(file, name: "book.ldif")
    }

    @Test(arguments: ["", "version: 1\n", "version: 1\n\n", "# by hand\n\n"])
    func `A first record without name does not take the others with it`(start: String) throws {
        let contents = try read(start + "cn: Nameless\n\ndn: cn=a\ncn: Ada\n")
        #expect(contents.contacts.map(\.displayName) == ["Ada"])
        #expect(contents.failures.map(\.error) == [.malformed("no distinguished name")])
    }

    @Test func `The name may come behind other attributes`() throws {
        let contents = try read("objectClass: person\ncn: Ada\ndn: cn=a\n\nsn: B\nobjectClass: person\ndn: cn=b\n")
        #expect(contents.contacts.map(\.id) == ["cn=a", "cn=b"] && contents.failures.isEmpty)
    }

    @Test func `Without any name it is said what is missing`() {
        let error = #expect(throws: ContactsError.self) { try read("objectClass: person\ncn: Ada\n") }
        #expect(error?.description.contains("dn:") == true)
    }

    @Test(arguments: ["BEGIN:VCARD\nFN:A\nDN:cn=a\nEND:VCARD\n", "Subject: hello\n\nHow are you?\n"])
    func `Other text with colons is no directory`(text: String) {
        #expect(BookFormat.recognise(Array(text.utf8)) != .book(.ldif))
    }
}
