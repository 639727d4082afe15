import SystemPackage
import Testing

@testable import TondoContacts

@Suite struct LDIFGroupTests {
    private static let person = """
        dn: uid=ada,dc=example
        objectClass: inetOrgPerson
        uid: ada
        cn: Ada
        mail: ada@example.org


        """

    private func groups(_ entries: String) throws -> [ContactGroup] {
        let contents = try BookFormat.ldif.read(Array((Self.person + entries).utf8), name: "book.ldif")
        #expect(contents.failures.isEmpty)
        return try #require(contents.contacts.first { $0.displayName == "Ada" }).groups
    }

    private func group(_ dn: String, _ members: [String]) -> String {
        "dn: \(dn)\nobjectClass: groupOfNames\ncn: Chess\n" + members.map { "member: \($0)\n" }.joined() + "\n"
    }

    @Test(arguments: [
        ["uid=ada,dc=example"], ["mailto:ada@example.org"], ["uid=ada,dc=example", "mailto:ada@example.org"],
        ["uid=ada,dc=example", "UID=Ada, dc=example"],
    ])
    func `A group has a person once, in whatever ways it names them`(members: [String]) throws {
        #expect(try groups(group("cn=chess,dc=example", members)) == [ContactGroup("Chess")])
    }

    @Test func `Two groups of one name are one group of a person`() throws {
        let entries = group("cn=chess,ou=a", ["uid=ada,dc=example"]) + group("cn=chess,ou=b", ["uid=ada,dc=example"])
        #expect(try groups(entries) == [ContactGroup("Chess")])
    }

    @Test func `A member of a group that is in another one is in both`() throws {
        func named(_ name: String, of members: [String]) -> String {
            group("cn=\(name),dc=example", members).replacing("cn: Chess", with: "cn: \(name)")
        }
        let inner = named("In", of: ["mailto:ada@example.org", "cn=Out,dc=example"])
        let entries = inner + named("Out", of: ["cn=In,dc=example"])
        #expect(try groups(entries) == [ContactGroup("In"), ContactGroup("Out")])
    }
}
