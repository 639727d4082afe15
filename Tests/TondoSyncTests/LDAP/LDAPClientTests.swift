import Dispatch
import Foundation
import Testing
import TondoSync
import TondoTestSupport

/// Against slapd.
@Suite(.blocking, .enabled(if: Slapd.isInstalled, "needs slapd and ldap-utils")) struct LDAPClientTests {
    private func search(_ filter: String = "(uid=*)", _ method: LDAPSearch.Method = .plain) -> LDAPSearch {
        LDAPSearch(
            base: Slapd.base, scope: .sub, filter: filter, attributes: LDAPCard.attributes + LDAPCard.identity,
            method: method)
    }

    private func names(_ client: LDAPClient, _ search: LDAPSearch) throws -> (names: [String], answer: LDAPAnswer) {
        var names: [String] = []
        let answer = try client.search(search) { entry, _ in names.append(entry.text("cn") ?? "") }
        return (names, answer)
    }

    private func error<Result>(_ body: () throws -> Result) -> LDAPError? {
        do {
            _ = try body()
            return nil
        } catch { return error as? LDAPError }
    }

    @Test func `Entries arrive with their values`() throws {
        let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + (0..<20_000).map { UInt8(truncatingIfNeeded: $0) }
        let slapd = try Slapd(.init(people: Slapd.people(0..<1) { _ in photo }))
        var found: [LDAPEntry] = []
        let answer = try slapd.client().search(search()) { entry, _ in found.append(entry) }
        #expect(answer.entries == 1)
        let entry = try #require(found.first)
        #expect(entry.name == "uid=person0,ou=people,dc=example,dc=org")
        #expect(entry.text("mail") == "person0@example.org")
        #expect(entry.bytes("jpegphoto") == [photo])
        #expect(entry.text("entryuuid")?.utf8.count == 36)
        #expect(entry.text("userpassword") == nil)
    }

    @Test func `Pages are read to their end`() throws {
        let slapd = try Slapd(.init(people: Slapd.people(0..<25)))
        let client = try slapd.client()
        #expect(client.features.pages)
        let (names, answer) = try names(client, search("(uid=*)", .paged(10)))
        #expect(Set(names).count == 25)
        #expect(answer.cookie == [])
    }

    @Test(arguments: [LDAPSearch.Method.plain, .paged(100), .sync(cookie: [])])
    func `A size limit delivers a part, and fails`(_ method: LDAPSearch.Method) throws {
        let slapd = try Slapd(.init(sizeLimit: 500, people: Slapd.people(0..<600)))
        let client = try LDAPClient(server: DirectoryServer(try slapd.url()))
        var count = 0
        let error = error { try client.search(search("(uid=*)", method)) { _, _ in count += 1 } }
        #expect(error == .sizeLimit(entries: count))
        #expect(1...500 ~= count)
    }

    @Test func `A synchronisation delivers changes and deletions`() throws {
        let slapd = try Slapd(.init(people: Slapd.people(0..<20)))
        let client = try slapd.client()
        #expect(client.features.synchronises)
        var ids: [String: EntryID] = [:]
        let first = try client.search(search("(uid=*)", .sync(cookie: []))) { entry, id in ids[entry.name] = id }
        #expect(ids.count == 20)
        #expect(first.refreshDeletes != nil)
        #expect(!first.cookie.isEmpty)
        try slapd.modify(
            """
            dn: uid=person3,ou=people,dc=example,dc=org
            changetype: delete

            dn: uid=person4,ou=people,dc=example,dc=org
            changetype: modify
            replace: cn
            cn: Renamed

            dn: uid=person5,ou=people,dc=example,dc=org
            changetype: modrdn
            newrdn: uid=moved
            deleteoldrdn: 1


            """)
        var (changed, phases) = ([String: EntryID](), RefreshPhases())
        let second = try client.search(search("(uid=*)", .sync(cookie: first.cookie))) {
            phases.take($0)
        } entry: {
            changed[$0.name] = $1
        }
        #expect(changed.count == 2)
        // A rename keeps the identity.
        let moved = "uid=moved,ou=people,dc=example,dc=org"
        #expect(changed[moved] == ids["uid=person5,ou=people,dc=example,dc=org"])
        let gone = ids.filter { phases.isGone($0.value, refreshDeletes: second.refreshDeletes == true) }
        #expect(Array(gone.keys) == ["uid=person3,ou=people,dc=example,dc=org"])
    }

    @Test func `A server without synchronisation says so`() throws {
        let slapd = try Slapd(.init(synchronises: false, people: Slapd.people(0..<1)))
        let client = try slapd.client()
        #expect(!client.features.synchronises)
        #expect(error { try client.search(search("(uid=*)", .sync(cookie: []))) { _, _ in } }?.resultCode == 12)
    }

    @Test func `A wrong password is refused, and not shown`() throws {
        let slapd = try Slapd()
        var server = DirectoryServer(try slapd.url())
        server.identity = .simple(name: Slapd.administrator, password: Array("wrong-secret".utf8))
        let error = error { try LDAPClient(server: server) }
        #expect(error?.code == "ldap-credentials")
        #expect(error?.description.contains("wrong-secret") == false)
        #expect(error?.isTransient == false)
    }

    @Test func `An empty password is never sent`() throws {
        let slapd = try Slapd()
        var server = DirectoryServer(try slapd.url())
        server.identity = .simple(name: Slapd.administrator, password: [])
        #expect(error { try LDAPClient(server: server) }?.code == "ldap-credentials")
    }

    @Test func `The user of a Unix socket is an identity`() throws {
        let slapd = try Slapd(.init(people: Slapd.people(0..<1)))
        var server = DirectoryServer(try slapd.url())
        server.identity = .external
        let client = try LDAPClient(server: server)
        #expect(try names(client, search()).names == ["Person 0"])
    }

    @Test(arguments: [true, false]) func `A certificate must be trusted`(_ startsTLS: Bool) throws {
        let slapd = try Slapd(.init(hasPorts: true, people: Slapd.people(0..<1)))
        let address = startsTLS ? "ldap://127.0.0.1:\(slapd.port)" : "ldaps://127.0.0.1:\(slapd.securePort)"
        var server = DirectoryServer(try LDAPURL("\(address)/dc=example,dc=org"))
        server.startsTLS = startsTLS
        #expect(error { try LDAPClient(server: server) }?.code == "ldap-tls")
        server.authorities = slapd.folder.pathString + "/server.pem"
        #expect(try names(try LDAPClient(server: server), search()).names == ["Person 0"])
        (server.authorities, server.isInsecure) = (nil, true)
        #expect(try names(try LDAPClient(server: server), search()).names == ["Person 0"])
    }

    @Test func `A certificate must be the host's`() throws {
        let slapd = try Slapd(.init(hasPorts: true))
        // Loopback, but not in the certificate.
        var server = DirectoryServer(try LDAPURL("ldaps://127.0.0.2:\(slapd.securePort)/dc=example,dc=org"))
        server.authorities = slapd.folder.pathString + "/server.pem"
        let code = error { try LDAPClient(server: server) }?.code
        #expect(code == "ldap-tls" || code == "ldap-unreachable")
    }

    @Test func `A server that accepts and keeps silent is left`() throws {
        let silent = try SilentServer()
        var server = DirectoryServer(try LDAPURL("ldap://127.0.0.1:\(silent.port)/dc=x"))
        server.seconds = 1
        let start = ContinuousClock.now
        #expect(error { try LDAPClient(server: server) }?.isTransient == true)
        #expect(ContinuousClock.now - start < .seconds(45))
    }

    @Test func `A server that stops within a message is left`() throws {
        // The first bytes of an answer to a bind, which announces more.
        let silent = try SilentServer(sending: [0x30, 0x40, 0x02, 0x01])
        var server = DirectoryServer(try LDAPURL("ldap://127.0.0.1:\(silent.port)/dc=x"))
        server.seconds = 1
        let start = ContinuousClock.now
        #expect(error { try LDAPClient(server: server) }?.isTransient == true)
        #expect(ContinuousClock.now - start < .seconds(45))
    }

    @Test func `What is not LDAP is refused`() throws {
        let other = try SilentServer(sending: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), closes: true)
        var server = DirectoryServer(try LDAPURL("ldap://127.0.0.1:\(other.port)/dc=x"))
        server.seconds = 1
        #expect(error { try LDAPClient(server: server) } != nil)
    }

    @Test func `A caller can stop a search`() throws {
        let slapd = try Slapd(.init(people: Slapd.people(0..<10)))
        var server = DirectoryServer(try slapd.url())
        server.identity = .simple(name: Slapd.administrator, password: Array(Slapd.password.utf8))
        var goesOn = true
        let client = try LDAPClient(server: server) { goesOn }
        var count = 0
        let error = error {
            try client.search(search()) { _, _ in
                count += 1
                goesOn = false
            }
        }
        #expect(error == .stopped)
        #expect(count == 1)
    }

    @Test func `Referrals are not followed`() throws {
        let silent = try SilentServer()
        let referral = """
            dn: ou=elsewhere,dc=example,dc=org
            objectClass: referral
            objectClass: extensibleObject
            ou: elsewhere
            ref: ldap://127.0.0.1:\(silent.port)/dc=x


            """
        let slapd = try Slapd(.init(people: Slapd.people(0..<2) + referral))
        #expect(try names(try slapd.client(), search()).names.count == 2)
        #expect(silent.connections == 0)
    }
}

extension LDAPError {
    fileprivate var resultCode: Int32? { if case .result(let code, _) = self { code } else { nil } }
}
