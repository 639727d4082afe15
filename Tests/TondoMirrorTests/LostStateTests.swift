import Foundation
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import TondoMirror

/// A mirror whose file `state` is lost or damaged doubles no card and loses none.
struct LostStateTests {
    private let mirror: MirrorTestFolder

    init() throws {
        mirror = try MirrorTestFolder()
        // Two states: the first without `new`.
        try mirror.run(Self.cards.dropLast())
        try mirror.run(Self.cards)
        var status = MirrorStatus(kind: "carddav", lastRun: 1)
        status.succeed(1)
        try status.write(mirror.layout)
    }

    private static func item(_ id: String, _ text: String, name: String?) -> MirrorItem {
        MirrorTestFolder.item(id, text, name: name)
    }

    /// One UID twice, and a card without one.
    private static let cards = [
        item("/a", "ada", name: "ada"), item("/b", "bob", name: "bob"), item("/twin", "twin", name: "ada"),
        item("/none", "none", name: nil), item("/new", "new", name: "new"),
    ]

    enum Loss: CaseIterable, Sendable {
        case removed, empty, cut, other, both

        func harm(_ mirror: MirrorTestFolder) throws {
            let state = try mirror.folder.bytes("work/state")
            switch self {
            case .removed: try mirror.folder.remove("work/state")
            case .empty: try mirror.folder.write([UInt8](), to: "work/state")
            case .cut: try mirror.folder.write(Array(state.dropLast(20)), to: "work/state")
            case .other: try mirror.folder.write(Array("BEGIN:VCARD\n".utf8), to: "work/state")
            case .both:
                try mirror.folder.remove("work/state")
                try mirror.folder.remove("work/state.former")
            }
        }
    }

    @Test(arguments: Loss.allCases)
    func `the cards of the earlier state are taken over`(loss: Loss) throws {
        let before = try mirror.cards()
        let stamps = before.keys.map { FileStatus(mirror.layout.cards.appending($0)) }
        try loss.harm(mirror)
        let report = try mirror.run(Self.cards)
        #expect(report.recovery == ([.removed, .both].contains(loss) ? .lost : .damaged))
        #expect(try mirror.cards() == before)
        #expect(before.keys.map { FileStatus(mirror.layout.cards.appending($0)) } == stamps)
        #expect(report.foreign.isEmpty)
        let next = try mirror.run(Self.cards)
        #expect(next.recovery == nil && next.changes.allSatisfy { $0 == .unchanged })
    }

    @Test
    func `a state of a backup doubles no card that came since`() throws {
        let late = [Self.item("/late", "late", name: "late"), Self.item("/nameless", "nameless", name: nil)]
        let state = try mirror.folder.bytes("work/state")
        try mirror.run(Self.cards + late)
        let before = try mirror.cards()
        try mirror.folder.write(state, to: "work/state")
        let report = try mirror.run(Self.cards + late)
        #expect(try mirror.cards() == before)
        #expect(report.foreign.isEmpty && report.recovery == nil)
    }

    @Test
    func `a file of another program with the name of a new card stays, and is no member`() throws {
        try mirror.write("own", to: "late.vcf")
        let report = try mirror.run(Self.cards + [Self.item("/late", "late", name: "late")])
        #expect(try mirror.cards()["late.vcf"] == "own")
        #expect(report.names(.new) == ["late.vcf"])
        #expect(try mirror.cards().count == 7)
    }

    @Test(arguments: Loss.allCases)
    func `a card that changed meanwhile replaces its file`(loss: Loss) throws {
        try loss.harm(mirror)
        let changed = Self.cards.map {
            Self.item($0.id, String(decoding: $0.bytes, as: UTF8.self) + " 2", name: $0.name)
        }
        let before = try mirror.cards()
        try mirror.run(changed)
        #expect(try mirror.cards() == before.mapValues { $0 + " 2" })
    }

    @Test(arguments: Loss.allCases)
    func `what another program wrote meanwhile is in the trash`(loss: Loss) throws {
        try loss.harm(mirror)
        try mirror.overwrite("bob.vcf", "foreign")
        try mirror.write("own", to: "own.vcf")
        let report = try mirror.run(Self.cards)
        #expect(try mirror.cards()["bob.vcf"] == "bob")
        #expect(try mirror.cards().count == 6)
        #expect(try mirror.trash().contains("foreign"))
        #expect(report.names(.changed) == ["bob.vcf"] && report.names(.new) == ["own.vcf"])
    }

    @Test(arguments: Loss.allCases)
    func `everything has to be listed and fetched again`(loss: Loss) throws {
        try loss.harm(mirror)
        let open = try MirrorFolder(layout: mirror.layout)
        #expect(open.state.attributes["token"] == nil)
        #expect(Self.cards.allSatisfy { open.version(of: $0.id) ?? "" == "" })
    }

    @Test(arguments: Loss.allCases)
    func `a run that ends early leaves the rest to the next one`(loss: Loss) throws {
        try loss.harm(mirror)
        let before = try mirror.cards()
        do {
            let open = try MirrorFolder(layout: mirror.layout)
            try open.put(Array(Self.cards.suffix(1)))
            try open.commit()
        }
        try mirror.run(Self.cards)
        #expect(try mirror.cards() == before)
        #expect(try mirror.run(Self.cards).recovery == nil)
    }

    @Test
    func `cards that the server deleted meanwhile leave the mirror`() throws {
        try mirror.folder.remove("work/state")
        let open = try MirrorFolder(layout: mirror.layout)
        try open.put(Self.cards.filter { $0.id != "/b" })
        _ = try open.finish(removing: Set(open.state.members.keys).intersection(["/b"]), attributes: [:])
        #expect(try mirror.cards()["bob.vcf"] == nil)
        #expect(try mirror.trash() == ["bob"])
    }

    @Test
    func `a damaged state is kept in the trash`() throws {
        try mirror.folder.write(Array("tondo-mirror 2\nitem x".utf8), to: "work/state")
        try mirror.run(Self.cards)
        #expect(try mirror.trash() == ["tondo-mirror 2\nitem x"])
    }

    @Test
    func `a state of a newer version is left alone`() throws {
        let newer = Array("tondo-mirror 3\nend 1\n".utf8)
        try mirror.folder.write(newer, to: "work/state")
        #expect(throws: MirrorError.newer(mirror.layout.state)) { try MirrorFolder(layout: mirror.layout) }
        #expect(try mirror.folder.bytes("work/state") == newer)
    }

    @Test
    func `in a mirror without a complete run, files are another program's unless they are equal`() throws {
        let fresh = try MirrorTestFolder()
        try fresh.write("foreign", to: "ada.vcf")
        try fresh.write("bob", to: "bob.vcf")
        let report = try fresh.run(Self.cards)
        #expect(report.recovery == nil)
        #expect(try fresh.cards()["ada.vcf"] == "foreign")
        #expect(try fresh.cards().values.count { $0 == "bob" } == 1)
        #expect(report.names(.new) == ["ada.vcf"])
    }
}
