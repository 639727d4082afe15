import Foundation
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Lost, doubled and overwritten contacts that people report of other clients and of servers, with data of our own.
@Suite(.blocking) struct ReportedServersTests {
    private let trial: WriteTrial
    private var server: WritableBook { trial.server }

    init() throws { trial = try WriteTrial() }

    private static let (first, second) = (WriteTrial.photo(1), WriteTrial.photo(2))

    private var photo: [UInt8]? { WriteTrial.photo(in: server["ada.vcf"]) }

    /// https://github.com/pimutils/vdirsyncer/issues/739
    @Test func `a run that is interrupted after an upload finds no conflict with itself`() throws {
        try trial.setPhoto(Self.first)
        server.faults = [.lost]
        try trial.run()
        try trial.run()
        #expect(photo == Self.first && server.effects == 1 && trial.reasons.isEmpty && trial.pending.isEmpty)
    }

    /// https://github.com/pimutils/vdirsyncer/issues/696
    @Test func `one card with a failed condition does not keep the others from being sent`() throws {
        try trial.setPhoto(Self.first)
        try trial.setPhoto(Self.second, of: "Bob.vcf")
        server.faults = [.status(412), .status(412), .status(412)]
        try trial.run()
        #expect(trial.waiting == [.changing])
        #expect(WriteTrial.photo(in: server["bob.vcf"]) == Self.second)
    }

    /// https://github.com/pimutils/vdirsyncer/pull/964
    @Test func `after 409 nothing is deleted to be made again`() throws {
        try trial.setPhoto(Self.first)
        server.faults = [.status(409)]
        try trial.run()
        #expect(server.changes.map(\.line) == ["PUT /ada/book/ada.vcf"])
        #expect(server["ada.vcf"] == WriteTrial.card("Ada") && trial.reasons == ["rejected"])
    }

    /// https://github.com/DouglasdeMoura/chroncal/issues/226 and proxies that compress
    @Test func `a weak ETag neither ends in a circle nor loses the change`() throws {
        server.tag = { "W/\($0)" }
        server.put("ada.vcf", WriteTrial.card("Ada", note: "weak"))
        try trial.run()
        try trial.setPhoto(Self.first)
        try trial.run()
        #expect(server.changes.map(\.condition) == ["If-Match \"2\""])
        #expect(photo == Self.first && trial.pending.isEmpty)
    }

    @Test func `a server that compares weak tags letter by letter gets the change`() throws {
        server.tag = { "W/\($0)" }
        server.comparesLiterally = true
        server.put("ada.vcf", WriteTrial.card("Ada", note: "weak"))
        try trial.run()
        try trial.setPhoto(Self.first)
        try trial.run()
        #expect(server.changes.map(\.condition) == ["If-Match \"2\"", "If-Match W/\"2\""])
        #expect(photo == Self.first && trial.pending.isEmpty)
    }

    @Test func `a server that knows none of its weak tags is reported once`() throws {
        server.tag = { "W/\($0)" }
        server.put("ada.vcf", WriteTrial.card("Ada", note: "weak"))
        try trial.run()
        try trial.setPhoto(Self.first)
        server.faults = [.status(412), .status(412)]
        try trial.run()
        #expect(trial.reasons == ["weak-etag"] && trial.pending.isEmpty)
        #expect(try trial.trash().map { WriteTrial.photo(in: $0) } == [Self.first])
        try trial.run()
        #expect(trial.reasons.isEmpty && server.changes.count == 2)
    }

    /// https://github.com/Intermesh/groupoffice/issues/556
    @Test func `an ETag without quotes gets them in the condition`() throws {
        server.tag = { $0.replacing("\"", with: "") }
        server.put("ada.vcf", WriteTrial.card("Ada", note: "bare"))
        try trial.run()
        try trial.setPhoto(Self.first)
        try trial.run()
        #expect(server.changes.map(\.condition) == ["If-Match \"2\""])
        #expect(photo == Self.first)
    }

    /// https://github.com/aluxnimm/outlookcaldavsynchronizer/issues/442
    @Test func `a change is never sent with the ETag of a version that it was not made from`() throws {
        try trial.setPhoto(Self.first)
        let theirs = try WriteTrial.withPhoto(Self.second, in: WriteTrial.card("Ada"))
        server.put("ada.vcf", theirs)
        try trial.run()
        #expect(server.changes.map(\.condition) == ["If-Match \"0\""])
        #expect(server["ada.vcf"] == theirs)
    }

    /// https://github.com/owncloud-archive/contacts/issues/920, https://github.com/nextcloud/contacts/issues/257
    @Test func `a server that returns no ETag is asked for it before the next change`() throws {
        try trial.setPhoto(Self.first)
        try trial.run()
        try trial.setPhoto(Self.second)
        try trial.run()
        #expect(server.changes.map(\.condition) == ["If-Match \"0\"", "If-Match \"2\""])
        #expect(photo == Self.second)
    }

    /// https://github.com/owncloud/core/issues/21049
    @Test func `a card without an ETag is not overwritten`() throws {
        server.tag = { _ in "" }
        server.put("ada.vcf", WriteTrial.card("Ada", note: "untagged"))
        try trial.run()
        try trial.setPhoto(Self.first)
        try trial.run()
        #expect(server.changes.isEmpty && trial.waiting == [.noTag] && trial.pending.count == 1)
    }

    /// https://github.com/sabre-io/Baikal/issues/897, https://github.com/nextcloud/server/issues/6447
    @Test(arguments: [413, 507]) func `a card that is too large is reported, and not sent for ever`(status: Int) throws
    {
        try trial.setPhoto(Self.first)
        server.faults = [.status(status)]
        try trial.run()
        #expect(trial.reasons == ["too-large"] && trial.pending.isEmpty)
        #expect(try trial.trash().map { WriteTrial.photo(in: $0) } == [Self.first])
        try trial.run()
        #expect(server.changes.count == 1)
    }

    /// https://github.com/Alinto/sogo-connector.tb31/issues/2, https://github.com/nextcloud/contacts/issues/854
    @Test func `a conflict of UIDs concerns one card, and not the book`() throws {
        try trial.setPhoto(Self.first)
        try trial.setPhoto(Self.second, of: "Bob.vcf")
        server.faults = [.status(403, "<d:error xmlns:d=\"DAV:\"><c:no-uid-conflict/></d:error>")]
        try trial.run()
        #expect(trial.reasons == ["rejected"])
        #expect(WriteTrial.photo(in: server["bob.vcf"]) == Self.second)
    }

    /// https://github.com/nextcloud/contacts/issues/561
    @Test(arguments: [400, 415, 422]) func `a card that does not please the server is reported once`(status: Int) throws
    {
        try trial.setPhoto(Self.first)
        server.faults = [.status(status)]
        try trial.run()
        #expect(trial.reasons == ["rejected"])
        try trial.run()
        #expect(trial.reasons.isEmpty && server.changes.count == 1)
    }

    /// https://github.com/owncloud-archive/contacts/issues/1011
    @Test func `a server that makes another photo of it is noticed once, and right`() throws {
        try trial.setPhoto(Self.first)
        server.faults = [.stores { card in (try? WriteTrial.withPhoto(Self.second, in: card)) ?? card }]
        try trial.run()
        #expect(trial.reasons == ["altered"] && trial.pending.isEmpty)
        #expect(WriteTrial.photo(in: try trial.cards()["Ada.vcf"]) == Self.second)
        try trial.run()
        #expect(trial.reasons.isEmpty && server.changes.count == 1)
    }

    /// https://github.com/nextcloud/contacts/issues/1820
    @Test func `a server that drops the photo is noticed once, and the photo is in the trash`() throws {
        try trial.setPhoto(Self.first)
        server.faults = [.stores { card in (try? WriteTrial.withPhoto(nil, in: card)) ?? card }]
        try trial.run()
        #expect(trial.reasons == ["dropped"] && trial.pending.isEmpty)
        #expect(try trial.trash().map { WriteTrial.photo(in: $0) } == [Self.first])
        try trial.run()
        #expect(trial.reasons.isEmpty && server.changes.count == 1)
    }

    /// https://github.com/sabre-io/dav/issues/732
    @Test func `a server that rewrites the card is right, and the photo has arrived`() throws {
        try trial.setPhoto(Self.first)
        server.faults = [
            .stores { $0.replacing("END:VCARD", with: "PRODID:server\r\nREV:20260101T000000Z\r\nEND:VCARD") }
        ]
        try trial.run()
        #expect(trial.reasons.isEmpty && trial.outgoing.sent == 1)
        #expect(try trial.cards()["Ada.vcf"]?.contains("PRODID:server") == true)
        #expect(try trial.run().fetched == 0)
    }

    /// https://github.com/nextcloud/contacts/issues/2199
    @Test func `a card with several photos, empty ones among them, gets one`() throws {
        let lines = "PHOTO;VALUE=URI:\r\nPHOTO;VALUE=URI:\r\nEND:VCARD"
        server.put("ada.vcf", WriteTrial.card("Ada").replacing("END:VCARD", with: lines))
        try trial.run()
        try trial.setPhoto(Self.first)
        try trial.run()
        #expect(photo == Self.first && server["ada.vcf"]?.matches(of: /PHOTO/).count == 1)
    }

    /// https://github.com/etesync/etesync-dav/issues/49
    @Test func `a server that takes a change and does not have it gets it three times at most`() throws {
        try trial.setPhoto(Self.first)
        server.faults = [.status(204), .status(204), .status(204)]
        var reasons: [String] = []
        for _ in 0..<4 {
            try trial.run()
            reasons += trial.reasons
        }
        #expect(server.changes.count == 3 && reasons == ["lost"] && trial.pending.isEmpty)
        #expect(try trial.trash().map { WriteTrial.photo(in: $0) } == [Self.first])
    }

    /// A property that no contact shows is another client's change, too.
    @Test(arguments: ["CATEGORIES:work", "KEY:abc", "X-OWN;P=1:value", "GEO:geo:1,2"])
    func `a contact that another client changed anyhow is not deleted`(line: String) throws {
        try trial.removeCard()
        server.put("ada.vcf", WriteTrial.card("Ada").replacing("END:VCARD", with: "\(line)\r\nEND:VCARD"))
        try trial.run()
        #expect(trial.reasons == ["conflict"] && server["ada.vcf"]?.contains(line) == true)
        #expect(try trial.cards()["Ada.vcf"]?.contains(line) == true)
    }

    @Test func `a card whose place another contact has by now does not get the photo`() throws {
        try trial.setPhoto(Self.first)
        server.put("ada.vcf", WriteTrial.card("Eve"))
        try trial.run()
        #expect(trial.reasons == ["conflict"] && server["ada.vcf"] == WriteTrial.card("Eve"))
        #expect(try trial.trash().contains { WriteTrial.photo(in: $0) == Self.first })
    }

    @Test func `a server that wants a pause stops the changes, and not what is fetched`() throws {
        try trial.setPhoto(Self.first)
        server.put("bob.vcf", WriteTrial.card("Bob", note: "new"))
        server.faults = [.later(60)]
        try trial.run()
        #expect(trial.pending.count == 1 && server.changes.count == 1)
        #expect(trial.outgoing.reason(trial.pending[0].id) == .pause)
        #expect(try trial.cards()["Bob.vcf"]?.contains("NOTE:new") == true)
        try trial.run()
        #expect(photo == Self.first)
    }

    @Test func `a card that was gone for a moment comes back with the next list`() throws {
        try trial.setPhoto(Self.first)
        let card = try #require(server["ada.vcf"])
        server.remove("ada.vcf")
        try trial.run()
        #expect(trial.reasons == ["deleted"])
        server.put("ada.vcf", card)
        for _ in 0..<2 { try trial.run() }
        #expect(try trial.cards()["Ada.vcf"] != nil)
    }

    @Test func `where the server grants changes, a refusal is that of one card`() throws {
        server.privileges = ["read", "write"]
        try trial.run(after: 8 * 86_400)
        try trial.setPhoto(Self.first)
        try trial.setPhoto(Self.second, of: "Bob.vcf")
        server.faults = [.status(403)]
        try trial.run()
        #expect(trial.reasons == ["read-only"] && trial.outgoing.sent == 1)
    }

    /// A server that is taken over could collect contacts by it.
    @Test func `a redirect to another server gets no card`() throws {
        try trial.setPhoto(Self.first)
        server.faults = [.moved("http://127.0.0.2/ada/book/ada.vcf")]
        try trial.run()
        #expect(trial.pending.count == 1 && server.changes.count == 1)
        #expect(server.changes.allSatisfy { $0.line == "PUT /ada/book/ada.vcf" } && server.strangers == 0)
        try trial.run()
        #expect(photo == Self.first)
    }

    @Test func `a contact that was restored here leaves the mirror when its change is given up`() throws {
        let card = try trial.folder.bytes("work/cards/Ada.vcf")
        let item = FakeAddressBook.path + "ada.vcf"
        try trial.removeCard()
        try trial.run()
        try trial.change(item: item) { _ in card }
        trial.isWritable = false
        for _ in 0..<2 { try trial.run() }
        #expect(trial.pending.isEmpty)
        #expect(try trial.cards()["Ada.vcf"] == nil)
        #expect(try trial.trash().contains { $0.contains("FN:Ada") })
    }

    @Test func `a card that a server does not find for a moment is named, and comes back`() throws {
        try trial.removeCard()
        server.faults = [.status(404)]
        server.hidden = "ada.vcf"
        let report = try trial.run()
        #expect(server.effects == 0 && report.missing.map(\.card) == [FakeAddressBook.path + "ada.vcf"])
        server.hidden = nil
        try trial.run()
        #expect(try trial.cards()["Ada.vcf"] != nil)
    }
}
