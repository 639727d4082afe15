import Foundation
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// The same runs against servers that people use.
@Suite(
    .blocking, .enabled(if: RealServer.isInstalled, "Tests/Sync/environment makes the servers' environment"),
    .serialized)
struct RealServerTests {
    private func trial(_ server: RealServer) throws -> MirrorTrial {
        var trial = try MirrorTrial(server.account)
        trial.source.user = "ada"
        trial.source.secret.file = server.secret
        return trial
    }

    @Test(arguments: RealServer.Kind.allCases)
    func `a mirror follows its account`(kind: RealServer.Kind) throws {
        let server = try RealServer(kind)
        let trial = try trial(server)
        for number in 0..<120 { try server.put("c\(number).vcf", FakeAddressBook.card("c\(number)")) }
        let first = trial.run()
        #expect(first.error == nil)
        #expect(first.status.added == 120)
        #expect(try trial.cards().count == 120)

        let second = trial.run()
        #expect(second.error == nil)
        #expect(second.status.requests == 1)
        #expect(second.status.changed + second.status.added + second.status.removed == 0)

        try server.put("c0.vcf", FakeAddressBook.card("c0", note: "changed"))
        try server.put("J%C3%B6rg%25%40.vcf", FakeAddressBook.card("joerg"))
        try server.remove("c1.vcf")
        let third = trial.run()
        #expect(third.error == nil)
        #expect(third.status.changed == 1 && third.status.added == 1 && third.status.removed == 1)
        #expect(try trial.text("uid-c0.vcf").contains("NOTE:changed"))
        #expect(try trial.cards().count == 120)
    }

    @Test(arguments: RealServer.Kind.allCases)
    func `a token that the server does not know costs a full listing and nothing else`(kind: RealServer.Kind) throws {
        let server = try RealServer(kind)
        let trial = try trial(server)
        for number in 0..<5 { try server.put("c\(number).vcf", FakeAddressBook.card("c\(number)")) }
        trial.run()
        do {
            let mirror = try MirrorFolder(layout: trial.layout)
            let attributes = mirror.state.attributes.mapValues { value in
                value.hasPrefix("token ") ? "token http://radicale.org/ns/sync/0000" : value
            }
            _ = try mirror.finish(attributes: attributes)
        }
        try server.remove("c1.vcf")
        let result = trial.run()
        #expect(result.error == nil)
        #expect(result.status.removed == 1 && result.status.added == 0 && result.status.changed == 0)
        #expect(trial.run().status.requests == 1)
    }

    @Test
    func `a wrong password is reported without it`() throws {
        let server = try RealServer(.radicale)
        var trial = try trial(server)
        trial.source.secret.file = try trial.folder.write("wr0ng!word\n", to: "wrong")
        let result = trial.run()
        #expect(result.error?.code == "unauthorized")
        #expect(!"\(result)".contains("wr0ng"))
    }
}
