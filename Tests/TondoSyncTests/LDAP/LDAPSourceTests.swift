import Foundation
import SystemPackage
import Testing
import TondoMirror
import TondoSync
import TondoTestSupport

/// Mirrors of slapd, with and without synchronisation (RFC 4533).
@Suite(.blocking, .enabled(if: Slapd.isInstalled, "needs slapd and ldap-utils")) struct LDAPSourceTests {
    private let folder: TemporaryFolder
    private var layout: MirrorLayout { MirrorLayout(name: "staff", in: folder.path) }

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func run(
        _ slapd: Slapd, as identity: DirectoryServer.Identity? = nil, _ rest: String = "/dc=example,dc=org",
        now: Int = 1_000_000_000
    ) throws -> LDAPSource.Report {
        var server = DirectoryServer(try slapd.url(rest))
        server.identity =
            identity ?? .simple(name: Slapd.administrator, password: Array(Slapd.password.utf8))
        let mirror = try MirrorFolder(layout: layout)
        return try LDAPSource(
            url: server.url, user: "test", client: try LDAPClient(server: server), mirror: mirror, now: now
        ).run()
    }

    /// The names of all people, by the names of their files.
    private func names() throws -> [String: String] {
        var names: [String: String] = [:]
        for file in try folder.names(in: "staff/cards") {
            let lines = String(decoding: try folder.bytes("staff/cards/\(file)"), as: UTF8.self)
                .split(separator: "\r\n")
            names[file] = lines.first { $0.hasPrefix("FN:") }.map { String($0.dropFirst(3)) }
        }
        return names
    }

    /// Numbers and times of all files.
    private func identities() throws -> [String: String] {
        var all: [String: String] = [:]
        for file in try folder.files(below: "staff") {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.pathString + "/staff/" + file)
            all[file] = "\(attributes[.systemFileNumber] ?? "") \(attributes[.modificationDate] ?? "")"
        }
        return all
    }

    @Test(arguments: [true, false]) func `An unchanged directory is not written again`(_ synchronises: Bool) throws {
        let slapd = try Slapd(.init(synchronises: synchronises, people: Slapd.people(0..<30)))
        let first = try run(slapd)
        #expect((first.added, first.changed) == (30, 0))
        #expect(try Set(names().values) == Set((0..<30).map { "Person \($0)" }))
        let before = try identities()
        let second = try run(slapd)
        #expect(second == LDAPSource.Report())
        #expect(try identities() == before)
    }

    @Test(arguments: [true, false]) func `Changes, additions and deletions are followed`(_ synchronises: Bool) throws {
        let slapd = try Slapd(.init(synchronises: synchronises, people: Slapd.people(0..<30)))
        try run(slapd)
        let before = try names()
        try slapd.modify(
            """
            dn: uid=person3,ou=people,dc=example,dc=org
            changetype: delete

            dn: uid=person4,ou=people,dc=example,dc=org
            changetype: modify
            replace: cn
            cn: Changed

            dn: uid=person5,ou=people,dc=example,dc=org
            changetype: modrdn
            newrdn: uid=moved
            deleteoldrdn: 1

            dn: uid=new,ou=people,dc=example,dc=org
            changetype: add
            objectClass: inetOrgPerson
            cn: New
            sn: New


            """)
        let report = try run(slapd)
        #expect((report.added, report.changed, report.outcome.removed) == (1, 1, 1))
        let after = try names()
        func file(_ name: String, _ names: [String: String]) -> String? { names.first { $0.value == name }?.key }
        #expect(file("Person 3", after) == nil)
        #expect(file("Changed", after) == file("Person 4", before))
        // A rename keeps the file.
        #expect(file("Person 5", after) == file("Person 5", before))
        #expect(file("New", after) != nil)
        #expect(after.count == 30)
    }

    @Test(arguments: [true, false]) func `A week later all is compared`(_ synchronises: Bool) throws {
        let slapd = try Slapd(.init(synchronises: synchronises, people: Slapd.people(0..<30)))
        try run(slapd)
        try slapd.modify("dn: uid=person3,ou=people,dc=example,dc=org\nchangetype: delete\n\n")
        let before = try identities()
        let report = try run(slapd, now: 1_000_000_000 + 8 * 86_400)
        #expect((report.added, report.changed, report.outcome.removed) == (0, 0, 1))
        #expect(try names().count == 29)
        let after = try identities()
        #expect(after.filter { $0.key.hasPrefix("cards/") }.allSatisfy { before[$0.key] == $0.value })
    }

    @Test(arguments: [true, false]) func `A size limit deletes nothing`(_ synchronises: Bool) throws {
        let slapd = try Slapd(.init(sizeLimit: 500, synchronises: synchronises, people: Slapd.people(0..<600)))
        try run(slapd)
        #expect(try names().count == 600)
        #expect(throws: LDAPError.self) { try run(slapd, as: .anonymous, now: 1_000_000_000 + 8 * 86_400) }
        #expect(try names().count == 600)
    }

    @Test func `A size limit mirrors a part, and says so`() throws {
        let slapd = try Slapd(.init(sizeLimit: 500, synchronises: false, people: Slapd.people(0..<600)))
        let error = #expect(throws: LDAPError.self) { try run(slapd, as: .anonymous) }
        #expect(error == .sizeLimit(entries: 500))
        #expect(try names().count == 500)
    }

    @Test(arguments: [true, false]) func `A file that was removed by hand comes back`(_ synchronises: Bool) throws {
        let slapd = try Slapd(.init(synchronises: synchronises, people: Slapd.people(0..<5)))
        try run(slapd)
        let file = try #require(try names().keys.first)
        try folder.remove("staff/cards/\(file)")
        try run(slapd)
        #expect(try names().count == 5)
    }

    @Test(arguments: [true, false])
    func `A file that another program changed comes back, and a lost state doubles no entry`(
        _ synchronises: Bool
    ) throws {
        let slapd = try Slapd(.init(synchronises: synchronises, people: Slapd.people(0..<5)))
        try run(slapd)
        let before = try names()
        let file = try #require(before.keys.sorted().first)
        let card = try folder.bytes("staff/cards/\(file)")
        try folder.write("foreign", to: "staff/cards/\(file)")
        try run(slapd)
        #expect(try folder.bytes("staff/cards/\(file)") == card)
        #expect(try folder.files(below: "staff/trash").contains { $0.hasSuffix("/\(file)") })
        try folder.remove("staff/state")
        try run(slapd)
        #expect(try names() == before)
    }

    @Test(arguments: [true, false]) func `A file whose bytes alone changed comes back within a week`(
        _ synchronises: Bool
    ) throws {
        let slapd = try Slapd(.init(synchronises: synchronises, people: Slapd.people(0..<5)))
        try run(slapd)
        let file = try #require(try names().keys.sorted().first)
        let card = try folder.bytes("staff/cards/\(file)")
        let damaged = String(decoding: card, as: UTF8.self).replacing("VERSION", with: "V\u{0}RSION")
        try folder.overwrite("staff/cards/\(file)", damaged, keepingTime: true)
        try run(slapd, now: 1_000_000_000 + 8 * 86_400)
        #expect(try folder.bytes("staff/cards/\(file)") == card)
    }

    @Test func `A cookie that the server rejects begins anew`() throws {
        let people = Slapd.people(0..<20)
        try run(try Slapd(.init(people: people)))
        // Another server with other entries, whose identifiers are new.
        let other = try Slapd(.init(people: Slapd.people(0..<18)))
        try run(other)
        // All old entries are gone, which waits for a second run that agrees.
        try run(other)
        #expect(try names().count == 18)
    }

    @Test func `Most entries gone wait for a second run`() throws {
        let slapd = try Slapd(.init(people: Slapd.people(0..<40)))
        try run(slapd)
        try slapd.modify(
            (0..<20).map { "dn: uid=person\($0),ou=people,dc=example,dc=org\nchangetype: delete\n\n" }.joined())
        #expect(try run(slapd).outcome.withheld == 20)
        #expect(try names().count == 40)
        #expect(try run(slapd).outcome.removed == 20)
        #expect(try names().count == 20)
    }

    @Test func `Another filter is another book`() throws {
        let slapd = try Slapd(.init(people: Slapd.people(0..<12)))
        try run(slapd, "/dc=example,dc=org?(uid=person1*)")
        #expect(try Set(names().values) == ["Person 1", "Person 10", "Person 11"])
        try run(slapd, "/ou=people,dc=example,dc=org?cn,jpegPhoto?one?(uid=person2)")
        try run(slapd, "/ou=people,dc=example,dc=org?cn,jpegPhoto?one?(uid=person2)")
        #expect(try Set(names().values) == ["Person 2"])
    }

    @Test func `A source runs by its configuration`() throws {
        let slapd = try Slapd(.init(hasPorts: true, people: Slapd.people(0..<3)))
        var source = SyncSource(
            name: "staff", kind: .ldap, url: "ldaps://127.0.0.1:\(slapd.securePort)/ou=people,dc=example,dc=org?(uid=*)"
        )
        source.user = Slapd.administrator
        source.certificates = slapd.folder.pathString + "/server.pem"
        source.secret.file = try folder.write("\(Slapd.password)\n", to: "password")
        let result = SourceRun(source: source, in: folder.path, options: .init()).run()
        #expect(result.error == nil)
        #expect((result.status.contacts, result.status.added) == (3, 3))
        source.secret.file = try folder.write("wrong\n", to: "other")
        let refused = SourceRun(source: source, in: folder.path, options: .init()).run()
        #expect(refused.status.error?.code == "ldap-credentials")
        #expect(refused.status.error?.message.contains("wrong") == false)
        // It is not sent again soon.
        var options = SourceRun.Options()
        options.isManual = false
        #expect(SourceRun(source: source, in: folder.path, options: options).run().isSkipped)
        #expect(try names().count == 3)
    }
}
