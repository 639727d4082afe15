import Foundation
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Directories that answer in ways that slapd does not, as reports of other programs describe them.
@Suite(.blocking) struct OddDirectoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// One run of a mirror: the people in it.
    private func run(_ directory: ScriptedDirectory, base: String = "dc=example") throws -> Set<String> {
        let url = try LDAPURL("ldap://127.0.0.1:\(directory.port)/\(base)")
        let layout = MirrorLayout(name: "staff", in: folder.path)
        _ = try LDAPSource(
            url: url, user: nil, client: try LDAPClient(server: DirectoryServer(url)),
            mirror: try MirrorFolder(layout: layout), now: 1_000_000_000
        ).run()
        let cards = try folder.names(in: "staff/cards").map { try folder.bytes("staff/cards/\($0)") }
        return Set(
            cards.compactMap { card in
                String(decoding: card, as: UTF8.self).split(separator: "\r\n").first { $0.hasPrefix("FN:") }
                    .map { String($0.dropFirst("FN:Person".count)) }
            })
    }

    @Test func `A server that compares no times is searched as a whole`() throws {
        let people = Locked(["1", "2"])
        let directory = try ScriptedDirectory { search in
            search.comparesTimes ? .init(code: 53) : .init(people: people.withLock { $0 })
        }
        #expect(try run(directory) == ["1", "2"])
        people.withLock { $0 = ["2", "3"] }
        #expect(try run(directory) == ["2", "3"])
        #expect(directory.asked.map(\.comparesTimes) == [false, true, false])
    }

    @Test(arguments: [[" 1", " 2"], [" 1", "2"]])
    func `Entries without a time of change are not searched by time`(_ people: [String]) throws {
        let directory = try ScriptedDirectory { _ in .init(people: people) }
        for _ in 0..<2 { #expect(try run(directory) == Set(people)) }
        #expect(directory.asked.map(\.comparesTimes) == [false, false])
    }

    @Test(arguments: [2, 12, 53] as [UInt8])
    func `A server that refuses its own cookie is searched without pages`(_ code: UInt8) throws {
        let directory = try ScriptedDirectory(pages: true) { search in
            switch search.cookie {
            case nil: .init(people: ["1", "2", "3"])
            case []?: .init(people: ["1", "2"], cookie: "again")
            default: .init(code: code)
            }
        }
        #expect(try run(directory) == ["1", "2", "3"])
    }

    @Test func `A server without a tree below nothing is searched in the one that it names`() throws {
        let directory = try ScriptedDirectory { $0.base.isEmpty ? .init(code: 32) : .init(people: ["1"]) }
        #expect(try run(directory, base: "") == ["1"])
        #expect(directory.asked.map(\.base) == ["", "dc=example"])
        #expect(throws: LDAPError.self) { try run(try ScriptedDirectory { _ in .init(code: 32) }) }
    }

    private static func diagnostic(_ data: String) -> String {
        "80090308: LdapErr: DSID-0C090449, comment: AcceptSecurityContext error, data \(data), v4563"
    }

    @Test(
        arguments: [
            (49, diagnostic("775"), "ldap-account", "the account is locked: "),
            (49, diagnostic("532"), "ldap-account", "the password has expired: "),
            (49, diagnostic("52e"), "ldap-credentials", "Invalid credentials (80090308"),
            (49, "", "ldap-credentials", "Invalid credentials"),
            (19, "Exceed password retry limit.", "ldap-account", "Exceed password retry limit."),
        ] as [(UInt8, String, String, String)])
    func `A refusal names its reason, and one of the account is no wrong password`(
        bind: UInt8, text: String, code: String, said: String
    ) throws {
        let directory = try ScriptedDirectory(bind: (bind, text)) { _ in .init() }
        let error = try #require(throws: LDAPError.self) { try run(directory) }
        #expect(error.code == code)
        #expect(error.description.contains(said))
        #expect(SyncError.ldap(error).isRefusal == (code == "ldap-credentials"))
    }
}
