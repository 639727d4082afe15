import Foundation
import SystemPackage
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Runs that send changes, killed before and after each request and between any two steps on the disk: the mirror and the server
/// are copied there, and the next run begins with the copies.
@Suite(.blocking) struct KilledSendTests {
    enum Change: CaseIterable { case set, removePhoto, remove, restore }

    private static let photo = WriteTrial.photo(1)

    /// A mirror with a change that waits.
    private static func start(_ change: Change) throws -> WriteTrial {
        let trial = try WriteTrial()
        switch change {
        case .set: try trial.setPhoto(photo)
        case .removePhoto:
            try trial.setPhoto(photo)
            try trial.run()
            try trial.setPhoto(nil)
        case .remove: try trial.removeCard()
        case .restore:
            let card = try trial.cards()["Ada.vcf"]
            try trial.removeCard()
            try trial.run()
            try trial.change(item: "/ada/book/ada.vcf") { _ in card.map { Array($0.utf8) } }
        }
        return trial
    }

    private static func images(
        of trial: WriteTrial, _ run: (WriteTrial, @escaping () -> Void) throws -> Void
    ) throws -> [WriteTrial] {
        var images: [WriteTrial] = []
        func take() { do { images.append(try trial.image()) } catch { Issue.record(error) } }
        trial.server.onRequest = take
        try run(trial, take)
        trial.server.onRequest = {}
        return images
    }

    private static func expect(_ trial: WriteTrial, isLike whole: WriteTrial, effects: Int, _ place: String) throws {
        #expect(trial.server["ada.vcf"] == whole.server["ada.vcf"], "\(place)")
        #expect(try trial.cards() == whole.cards(), "\(place)")
        #expect(trial.server.effects == effects, "\(place): sent twice, or not at all")
        #expect(trial.pending.isEmpty && trial.reasons.isEmpty, "\(place)")
        #expect(try trial.folder.names(in: "work/tmp").isEmpty, "\(place)")
    }

    @Test(arguments: Change.allCases) func `the next run goes on, and the server has one change`(change: Change) throws
    {
        let whole = try Self.start(change)
        let before = whole.server.effects
        let images = try Self.images(of: whole) { try $0.run(onStep: $1) }
        #expect(whole.server.effects == before + 1)
        #expect(images.count > 8)
        for (number, image) in images.enumerated() {
            try image.run()
            try Self.expect(image, isLike: whole, effects: before + 1, "\(change), step \(number)")
        }
    }

    /// Also where the server does not look at conditions: then only what it has tells whether a change has arrived.
    @Test(arguments: Change.allCases)
    func `so it does with a server that ignores conditions`(change: Change) throws {
        let whole = try Self.start(change)
        let before = whole.server.effects
        let images = try Self.images(of: whole) { try $0.run(onStep: $1) }
        for (number, image) in images.enumerated() {
            image.server.ignoresConditions = true
            try image.run()
            try Self.expect(image, isLike: whole, effects: before + 1, "\(change), step \(number)")
        }
    }

    /// Two kills in a row.
    @Test func `a run that goes on may be killed as well`() throws {
        let whole = try Self.start(.set)
        let images = try Self.images(of: whole) { try $0.run(onStep: $1) }
        for number in stride(from: 0, to: images.count, by: 4) {
            let copy = try images[number].image()
            for second in try Self.images(of: copy, { try $0.run(onStep: $1) }) {
                try second.run()
                try Self.expect(second, isLike: whole, effects: 1, "the second kill")
            }
        }
    }

    @Test(arguments: Change.allCases, ["lost", "broken", "late"])
    func `an answer that is lost or late makes no second change`(change: Change, fault: String) throws {
        let whole = try Self.start(change)
        try whole.run()
        let trial = try Self.start(change)
        let effects = trial.server.effects + 1
        trial.server.faults = [fault == "lost" ? .lost : fault == "broken" ? .broken : .late]
        try trial.run()
        if !trial.pending.isEmpty { try trial.run() }
        try Self.expect(trial, isLike: whole, effects: effects, fault)
    }

    /// Between the record of a change and the change of the card.
    @Test func `a program that is killed while it changes a card has changed it`() throws {
        let trial = try WriteTrial()
        let image = Locked<WriteTrial?>(nil)
        let edit = try #require(MirrorEdit(trial.layout, of: trial.layout.cards.appending("Ada.vcf")))
        let card = try trial.folder.bytes("work/cards/Ada.vcf")
        try edit.change(from: card, to: try WriteTrial.withPhoto(Self.photo, in: card), name: "Ada") {
            let copy = try trial.image()
            image.withLock { $0 = copy }
        }
        let killed = try #require(image.withLock { $0 })
        try killed.run()
        #expect(WriteTrial.photo(in: killed.server["ada.vcf"]) == Self.photo)
        #expect(WriteTrial.photo(in: try killed.cards()["Ada.vcf"]) == Self.photo)
        #expect(killed.pending.isEmpty)
    }
}
