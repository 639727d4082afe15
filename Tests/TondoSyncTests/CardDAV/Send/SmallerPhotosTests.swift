import Foundation
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Servers that take no large cards get the change with a smaller photo, once.
@Suite(.blocking) struct SmallerPhotosTests {
    private let trial: WriteTrial
    private var server: WritableBook { trial.server }

    init() throws {
        trial = try WriteTrial()
        trial.shrink = { card, bound in try? WriteTrial.withPhoto(Self.small(bound), in: card) }
    }

    private static let large = WriteTrial.photo(1, bytes: 90_000)
    private static func small(_ bound: Int) -> [UInt8] { WriteTrial.photo(2, bytes: bound - 10) }

    private var photo: [UInt8]? { WriteTrial.photo(in: server["ada.vcf"]) }

    @Test(arguments: [413, 507]) func `the next smaller photo is sent in the same run, and said`(status: Int) throws {
        try trial.setPhoto(Self.large)
        server.faults = [.status(status)]
        try trial.run()
        #expect(photo == Self.small(50_000) && server.changes.count == 2 && server.effects == 1)
        #expect(WriteTrial.photo(in: try trial.cards()["Ada.vcf"]) == Self.small(50_000))
        #expect(trial.outgoing.sent == 1 && trial.outgoing.fitted.map(\.name) == ["Ada"])
        #expect(trial.outgoing.fitted.first?.reason.contains("50 kB") == true)
        #expect(trial.pending.isEmpty && trial.reasons.isEmpty)
        #expect(try trial.run().fetched == 0)
    }

    @Test func `a server that takes no smaller one either is reported, and keeps what it has`() throws {
        try trial.setPhoto(Self.large)
        server.faults = [.status(413), .status(413)]
        try trial.run()
        #expect(trial.reasons == ["too-large"] && trial.pending.isEmpty && server.changes.count == 2)
        #expect(try trial.cards()["Ada.vcf"]?.contains("PHOTO") == false)
        #expect(try trial.trash().map { WriteTrial.photo(in: $0) } == [Self.large], "as it was set")
        try trial.run()
        #expect(server.changes.count == 2)
    }

    @Test func `a photo that cannot be made smaller is reported`() throws {
        trial.shrink = { _, _ in nil }
        try trial.setPhoto(Self.large)
        server.faults = [.status(413)]
        try trial.run()
        #expect(trial.reasons == ["too-large"] && server.changes.count == 1)
        #expect(try trial.trash().map { WriteTrial.photo(in: $0) } == [Self.large])
    }

    @Test func `a photo that is set later is sent as it is`() throws {
        try trial.setPhoto(Self.large)
        server.faults = [.status(413), .status(503)]
        try trial.run()
        #expect(trial.pending.first?.bound == 50_000)
        let other = WriteTrial.photo(3, bytes: 80_000)
        try trial.setPhoto(other)
        #expect(trial.pending.first?.bound == nil)
        try trial.run()
        #expect(photo == other && trial.outgoing.fitted.isEmpty)
    }

    @Test func `a run that ends before the answer goes on with the smaller photo`() throws {
        try trial.setPhoto(Self.large)
        server.faults = [.status(413), .broken]
        try trial.run()
        #expect(trial.waiting == [.unanswered])
        #expect(WriteTrial.photo(in: try trial.cards()["Ada.vcf"]) == Self.small(50_000))
        try trial.run()
        #expect(photo == Self.small(50_000) && server.effects == 1 && trial.outgoing.fitted.count == 1)
    }

    @Test func `a removal of a large card is none of this`() throws {
        try trial.removeCard()
        server.faults = [.status(507)]
        try trial.run()
        #expect(trial.reasons == ["too-large"])
        #expect(try trial.cards().keys.sorted() == ["Ada.vcf", "Bob.vcf"])
    }

    @Test(arguments: [(600_000, 500_000), (100_000, 50_000), (20_001, 20_000)])
    func `the next bound is below what the photo has`(bytes: Int, bound: Int) {
        #expect(PhotoShrinker.bound(under: bytes) == bound)
        #expect(PhotoShrinker.bound(under: 20_000) == nil)
    }
}
