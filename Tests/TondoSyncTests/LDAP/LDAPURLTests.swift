import Testing
import TondoSync

/// RFC 4516, and the short form.
@Suite struct LDAPURLTests {
    private func refusal(_ text: String) -> String? {
        do throws(LDAPURL.Problem) {
            _ = try LDAPURL(text)
            return nil
        } catch { return error.description }
    }

    @Test func `Reads server, base, attributes, scope and filter`() throws {
        let url = try LDAPURL("ldap://ldap.example.org:1389/ou=People,dc=example?cn,mail,jpegPhoto?one?(uid=a*)")
        #expect(url.server == "ldap://ldap.example.org:1389")
        #expect(url.base == "ou=People,dc=example")
        #expect(url.attributes == ["cn", "mail", "jpegPhoto"])
        #expect(url.scope == .one)
        #expect(url.filter == "(uid=a*)")
    }

    @Test func `Reads a filter right after the base`() throws {
        for text in ["ldaps://h/ou=people,dc=x?(mail=*)", "ldaps://h/ou=people,dc=x?%28mail=*%29"] {
            let url = try LDAPURL(text)
            #expect(url.filter == "(mail=*)")
            #expect(url.attributes == [])
            #expect(url.scope == .sub)
        }
    }

    @Test func `Means all people below the base by default`() throws {
        for text in ["ldaps://h/dc=x", "ldaps://h/dc=x?", "ldaps://h/dc=x???"] {
            let url = try LDAPURL(text)
            #expect((url.filter, url.scope) == (nil, .sub))
        }
    }

    @Test func `Decodes base and filter`() throws {
        let url = try LDAPURL("LDAPS://h/o=Caf%C3%A9%3F%2C%20Ltd??sub?cn=%5c2a")
        #expect(url.base == "o=Café?, Ltd")
        #expect(url.filter == "(cn=\\2a)")
    }

    @Test(arguments: [
        "ldap://h/ou=a b, dc=x??sub?(&(objectClass=person) (sn=De Boer))",
        "ldap://h/ou=a%20b,%20dc=x/??Subtree?(&(objectClass=person) (sn=De Boer))",
        "ldap://h/ou=a b, dc=x?*?sub?(&(objectClass=person)%20(sn=De Boer))",
        "ldap://h/ou=a b, dc=x?(&(objectClass=person) (sn=De Boer))",
    ])
    func `Reads blanks, a slash at the end, all attributes and long words of scopes`(_ text: String) throws {
        let url = try LDAPURL(text)
        #expect(url.base == "ou=a b, dc=x")
        #expect(url.filter == "(&(objectClass=person) (sn=De Boer))")
        #expect(url.scope == .sub && url.attributes.isEmpty)
        #expect(try LDAPURL("ldap://h/dc=x??ONELEVEL").scope == .one)
    }

    @Test func `Keeps the path of a socket encoded`() throws {
        let url = try LDAPURL("ldapi://%2Frun%2Fslapd%2Fldapi/dc=x")
        #expect(url.server == "ldapi://%2Frun%2Fslapd%2Fldapi")
        #expect(url.isLocal)
    }

    @Test(arguments: ["localhost", "127.0.0.1", "127.8.9.1", "[::1]", "LOCALHOST"])
    func `Finds loopback`(_ host: String) throws { #expect(try LDAPURL("ldap://\(host):9/dc=x").isLocal) }

    @Test(arguments: ["127.0.0.1.example.org", "localhost.example.org", "10.0.0.1", "2130706433", "[::ffff:127.0.0.1]"])
    func `Takes no other name for loopback`(_ host: String) throws { #expect(try !LDAPURL("ldap://\(host)/").isLocal) }

    @Test(arguments: [
        ("http://h/", "does not begin"), ("ldap:h", "does not begin"), ("ldap:///dc=x", "no server"),
        ("ldap://ada@h/dc=x", "contains a user"), ("ldap://h:0/", "port"), ("ldap://h:70000/", "port"),
        ("ldap://[::1/dc=x", "bracket"), ("ldap://a b/dc=x", "server is malformed"), ("ldap://h/dc=x\t", "control"),
        ("ldap://h/dc=%zz", "percent-encoding"),
        ("ldap://h/dc=x?cn?every", "scope"), ("ldap://h/dc=x?(cn=a)?sub", "after the filter"),
        ("ldap://h/dc=x?(cn=a", "parentheses"), ("ldap://h/dc=x?(a=b)(c=d)", "parentheses"),
        ("ldap://h/dc=x?c(n", "malformed"), ("ldap://h/dc=x????!x-secure", "extension"),
        ("ldap://h/dc=x?jpegPhoto;binary", "without ;binary"), ("ldap://h/dc=%00", "percent-encoding"),
    ])
    func `Refuses what it cannot do`(_ text: String, _ reason: String) {
        #expect(refusal(text)?.contains(reason) == true, "\(refusal(text) ?? "accepted")")
    }

    @Test func `Refuses a plain connection beyond this machine`() throws {
        var server = DirectoryServer(try LDAPURL("ldap://ldap.example.org/dc=x"))
        #expect(server.refusal == .plain(server: "ldap://ldap.example.org"))
        server.startsTLS = true
        #expect(server.refusal == nil)
        server = DirectoryServer(try LDAPURL("ldaps://ldap.example.org/dc=x"))
        #expect(server.refusal == nil)
        server = DirectoryServer(try LDAPURL("ldap://127.0.0.1/dc=x"))
        #expect(server.refusal == nil)
        server = DirectoryServer(try LDAPURL("ldap://ldap.example.org/dc=x"))
        server.isInsecure = true
        #expect(server.refusal == nil)
    }
}
