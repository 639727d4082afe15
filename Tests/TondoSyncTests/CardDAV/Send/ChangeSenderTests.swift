import Foundation
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Changes of a mirror on their way to a server.
@Suite(.blocking) struct ChangeSenderTests {
    private let trial: WriteTrial
    private var server: WritableBook { trial.server }

    init() throws { trial = try WriteTrial() }

    private static let (first, second) = (WriteTrial.photo(1), WriteTrial.photo(2))

    private func expectDone(_ photo: [UInt8]?) throws {
        #expect(WriteTrial.photo(in: server["ada.vcf"]) == photo)
        #expect(WriteTrial.photo(in: try trial.cards()["Ada.vcf"]) == photo)
        #expect(trial.pending.isEmpty && trial.reasons.isEmpty)
    }

    @Test func `a photo is sent with the ETag of the card, as RFC 6350 writes lines`() throws {
        try trial.setPhoto(Self.first)
        try trial.run()
        let change = try #require(server.changes.first)
        #expect(server.changes.count == 1 && change.line == "PUT /ada/book/ada.vcf")
        #expect(change.condition == "If-Match \"0\"" && change.type == "text/vcard; charset=utf-8")
        #expect(change.body.replacing("\r\n", with: "").utf8.allSatisfy { $0 != 0x0A && $0 != 0x0D })
        #expect(trial.outgoing.sent == 1)
        try expectDone(Self.first)
    }

    @Test func `the next run sends nothing, and fetches nothing`() throws {
        try trial.setPhoto(Self.first)
        try trial.run()
        let report = try trial.run()
        #expect(server.changes.count == 1 && report.fetched == 0)
    }

    @Test func `a photo is removed`() throws {
        try trial.setPhoto(Self.first)
        try trial.run()
        try trial.setPhoto(nil)
        try trial.run()
        #expect(server.changes.last?.condition == "If-Match \"2\"")
        try expectDone(nil)
    }

    @Test func `a contact is removed, and stays away`() throws {
        try trial.removeCard()
        #expect(try trial.run().failed == 0)
        #expect(server.changes.map(\.line) == ["DELETE /ada/book/ada.vcf"])
        #expect(server.changes[0].condition == "If-Match \"0\"")
        try trial.run(after: 8 * 86_400)
        #expect(server["ada.vcf"] == nil && server["bob.vcf"] != nil)
        #expect(try trial.cards().keys.sorted() == ["Bob.vcf"])
    }

    @Test func `a contact that was removed there comes back under its name`() throws {
        let card = try trial.cards()["Ada.vcf"]
        try trial.removeCard()
        try trial.run()
        try trial.change(item: "/ada/book/ada.vcf") { _ in card.map { Array($0.utf8) } }
        try trial.run()
        #expect(server.changes.last?.line == "PUT /ada/book/ada.vcf")
        #expect(server.changes.last?.condition == "If-None-Match *")
        #expect(server["ada.vcf"] == WriteTrial.card("Ada"))
        #expect(try trial.cards().keys.sorted() == ["Ada.vcf", "Bob.vcf"])
    }

    @Test func `what was undone before a run changes nothing there`() throws {
        let card = try trial.cards()["Ada.vcf"]
        try trial.setPhoto(Self.first)
        try trial.change { _ in card.map { Array($0.utf8) } }
        try trial.run()
        #expect(server.effects == 0)
        try expectDone(nil)
    }

    @Test func `what was undone after a lost answer is undone there`() throws {
        let card = try trial.cards()["Ada.vcf"]
        try trial.setPhoto(Self.first)
        server.faults = [.lost]
        try trial.run()
        try trial.change { _ in card.map { Array($0.utf8) } }
        try trial.run()
        #expect(server.effects == 2)
        try expectDone(nil)
    }

    @Test func `another client's telephone number stays`() throws {
        try trial.setPhoto(Self.first)
        server.put("ada.vcf", WriteTrial.card("Ada", note: "another client's"))
        try trial.run()
        #expect(server.changes.map(\.condition) == ["If-Match \"0\"", "If-Match \"2\""])
        #expect(server["ada.vcf"]?.contains("NOTE:another client's\r\n") == true)
        try expectDone(Self.first)
    }

    @Test func `another client's photo stays, and the own one is in the trash`() throws {
        try trial.setPhoto(Self.first)
        server.put("ada.vcf", try WriteTrial.withPhoto(Self.second, in: WriteTrial.card("Ada")))
        try trial.run()
        #expect(trial.reasons == ["conflict"] && server.effects == 0 && trial.pending.isEmpty)
        #expect(trial.outgoing.refused.map(\.name) == ["Ada"])
        #expect(WriteTrial.photo(in: try trial.cards()["Ada.vcf"]) == Self.second)
        #expect(try trial.trash().map { WriteTrial.photo(in: $0) } == [Self.first])
    }

    @Test func `a contact that another client changed is not removed`() throws {
        try trial.removeCard()
        server.put("ada.vcf", WriteTrial.card("Ada", note: "another client's"))
        try trial.run()
        #expect(trial.reasons == ["conflict"] && server.effects == 0)
        #expect(try trial.cards()["Ada.vcf"]?.contains("another client's") == true)
    }

    @Test func `a contact that another client removed does not come back with its photo`() throws {
        try trial.setPhoto(Self.first)
        server.remove("ada.vcf")
        try trial.run()
        #expect(trial.reasons == ["deleted"] && server["ada.vcf"] == nil && server.effects == 0)
        #expect(try trial.cards().keys.sorted() == ["Bob.vcf"])
        #expect(try trial.trash().map { WriteTrial.photo(in: $0) } == [Self.first])
    }

    @Test func `a contact that is removed on both sides is removed`() throws {
        try trial.removeCard()
        server.remove("ada.vcf")
        try trial.run()
        #expect(trial.reasons.isEmpty && trial.pending.isEmpty && trial.outgoing.sent == 1)
    }

    @Test func `a card that changes at the moment of the request is not overwritten`() throws {
        try trial.setPhoto(Self.first)
        server.faults = [.overtaken(WriteTrial.card("Ada", note: "at this moment"))]
        try trial.run()
        #expect(server["ada.vcf"]?.contains("NOTE:at this moment\r\n") == true)
        try expectDone(Self.first)
    }

    @Test func `a card that always changes waits for the next run`() throws {
        try trial.setPhoto(Self.first)
        server.faults = (0..<3).map { .overtaken(WriteTrial.card("Ada", note: "\($0)")) }
        try trial.run()
        #expect(trial.waiting == [.changing] && server.effects == 0 && trial.pending.count == 1)
        // The mirror shows the change meanwhile.
        #expect(WriteTrial.photo(in: try trial.cards()["Ada.vcf"]) == Self.first)
        try trial.run()
        try expectDone(Self.first)
    }

    @Test func `a source that is not writable any more sends nothing, and gives up what waits`() throws {
        try trial.setPhoto(Self.first)
        trial.isWritable = false
        try trial.run()
        #expect(server.changes.isEmpty && trial.pending.isEmpty && trial.reasons == ["off"])
        #expect(try trial.cards()["Ada.vcf"]?.contains("PHOTO") == false)
        #expect(try trial.trash().map { WriteTrial.photo(in: $0) } == [Self.first])
        #expect(throws: WriteTrial.ChangeIsRefused.self) { try trial.removeCard("Bob.vcf") }
    }

    @Test func `programs go by the setting also after a run that failed`() throws {
        trial.isWritable = false
        server.onRequest = { throw HTTPError.timeout(host: "127.0.0.1") }
        #expect(throws: SyncError.self) { try trial.run() }
        #expect(throws: WriteTrial.ChangeIsRefused.self) { try trial.setPhoto(Self.first) }
    }

    @Test func `a book that answers 404 for everything deletes no contact`() throws {
        try trial.setPhoto(Self.first)
        try trial.removeCard("Bob.vcf")
        server.isGone = true
        _ = try? trial.run()
        #expect(trial.reasons.isEmpty && trial.outgoing.sent == 0 && trial.pending.count == 2)
        server.isGone = false
        try trial.run()
        try expectDone(Self.first)
        #expect(server["bob.vcf"] == nil)
    }

    @Test(arguments: [500, 501, 403])
    func `a server that answers the question for privileges with an error is written to`(
        status: Int
    ) throws {
        server.privilegeStatus = status
        try trial.run(after: 8 * 86_400)
        try trial.setPhoto(Self.first)
        try trial.run()
        try expectDone(Self.first)
    }

    @Test func `a card that cannot be read at the server ends its change, and the mirror's stays`() throws {
        try trial.setPhoto(Self.first)
        server.put("ada.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\n")
        for _ in 0..<3 { _ = try? trial.run() }
        #expect(trial.pending.isEmpty && server.changes.allSatisfy { $0.body.isEmpty == false })
        #expect(try trial.trash().contains { WriteTrial.photo(in: $0) == Self.first })
    }

    @Test func `another spelling of the URL is no other account`() throws {
        try trial.setPhoto(Self.first)
        trial.url = "http://127.0.0.1:80" + FakeAddressBook.path
        try trial.run()
        #expect(trial.reasons.isEmpty && trial.pending.isEmpty)
        #expect(WriteTrial.photo(in: server["ada.vcf"]) == Self.first)
    }

    @Test func `a change never goes to another server`() throws {
        try trial.setPhoto(Self.first)
        trial.url = "http://127.0.0.1:81" + FakeAddressBook.path
        try trial.run()
        #expect(server.changes.isEmpty && trial.reasons == ["account"] && trial.pending.isEmpty)
    }

    @Test func `a change never goes to another account`() throws {
        try trial.setPhoto(Self.first)
        trial.user = "eve"
        try trial.run()
        #expect(server.changes.isEmpty && trial.reasons == ["account"] && trial.pending.isEmpty)
        #expect(WriteTrial.photo(in: try trial.cards()["Ada.vcf"]) == nil)
        #expect(try trial.trash().contains { WriteTrial.photo(in: $0) == Self.first })
    }

    @Test(arguments: [["read"], ["read", "read-acl"], []])
    func `a book that only permits reading has no changes`(privileges: [String]) throws {
        server.privileges = privileges
        try trial.run(after: 8 * 86_400)
        #expect(throws: WriteTrial.ChangeIsRefused.self) { try trial.setPhoto(Self.first) }
    }

    @Test(arguments: ["all", "write", "write-content"])
    func `a book that permits changes has them`(privilege: String) throws {
        server.privileges = ["read", privilege]
        try trial.run(after: 8 * 86_400)
        try trial.setPhoto(Self.first)
        try trial.run()
        try expectDone(Self.first)
    }

    @Test(arguments: [403, 405, 501]) func `a book that refuses a change is read from then on`(status: Int) throws {
        try trial.setPhoto(Self.first)
        try trial.removeCard("Bob.vcf")
        server.faults = [.status(status)]
        try trial.run()
        // The second one is not even tried.
        #expect(server.changes.count == 1 && server.effects == 0)
        #expect(trial.reasons == ["read-only", "read-only"] && trial.pending.isEmpty)
        #expect(WriteTrial.photo(in: try trial.cards()["Ada.vcf"]) == nil)
        #expect(try trial.cards().keys.sorted() == ["Ada.vcf", "Bob.vcf"])
        #expect(throws: WriteTrial.ChangeIsRefused.self) { try trial.setPhoto(Self.first) }
    }

    @Test func `where a change was taken before, a refusal is that of one card`() throws {
        try trial.setPhoto(Self.first, of: "Bob.vcf")
        try trial.run()
        try trial.setPhoto(Self.first)
        try trial.removeCard("Bob.vcf")
        server.faults = [.status(403)]
        try trial.run()
        #expect(trial.reasons == ["read-only"] && trial.outgoing.sent == 1)
        #expect(server["bob.vcf"] == nil)
        try trial.setPhoto(Self.first)
    }

    @Test func `a refused password ends the run, and the change waits`() throws {
        try trial.setPhoto(Self.first)
        server.faults = [.status(401)]
        #expect(throws: SyncError.self) { try trial.run() }
        #expect(trial.pending.count == 1)
        try trial.run()
        try expectDone(Self.first)
    }

    /// Whatever a server says to a change, and how often: the change is there once, or it is reported, or it waits.
    @Test(arguments: [
        200, 201, 202, 204, 207, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 422, 423, 424,
        428, 429, 431, 451, 500, 501, 502, 503, 504, 507, 508, 511,
    ])
    func `no status loses or doubles a change`(status: Int) throws {
        for isRemoval in [false, true] {
            let trial = try WriteTrial()
            if isRemoval { try trial.removeCard() } else { try trial.setPhoto(Self.first) }
            trial.server.faults = [.status(status)]
            var reasons: [String] = []
            for _ in 0..<4 {
                _ = try? trial.run()
                reasons += trial.reasons
            }
            let isDone =
                isRemoval
                ? trial.server["ada.vcf"] == nil : WriteTrial.photo(in: trial.server["ada.vcf"]) == Self.first
            #expect(trial.server.effects == (isDone ? 1 : 0), "\(status)")
            #expect(reasons.count == (isDone ? 0 : 1), "\(status): \(reasons)")
            #expect(trial.pending.isEmpty, "\(status)")
            let isSame = try trial.cards()["Ada.vcf"] == trial.server["ada.vcf"]?.replacing("\r\n", with: "\n")
            #expect(isSame, "\(status)")
        }
    }
}
