import Foundation
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import TondoMirror

/// Nothing that another program writes into a mirror is lost, and the mirror has the server's versions.
struct ForeignChangesTests {
    private let mirror: MirrorTestFolder

    init() throws { mirror = try MirrorTestFolder() }

    private static func item(_ name: String, _ text: String) -> MirrorItem {
        MirrorTestFolder.item("/\(name)", text, name: name)
    }

    /// How another program changes a file.
    enum Writer: CaseIterable, Sendable {
        case overwrites, renames, truncates
        /// With the size and the time that the file had.
        case hides

        func change(_ mirror: MirrorTestFolder, _ card: String, _ text: String) throws {
            switch self {
            case .overwrites: try mirror.overwrite(card, text)
            case .truncates: try mirror.overwrite(card, "")
            case .renames:
                try mirror.write(text, to: "\(card).new")
                try AtomicFile.rename(
                    mirror.layout.cards.appending("\(card).new"), to: mirror.layout.cards.appending(card))
            case .hides:
                try mirror.folder.overwrite("work/cards/\(card)", text, keepingTime: true)
            }
        }

        func rest(of text: String) -> String { self == .truncates ? "" : text }
    }

    @Test(arguments: Writer.allCases)
    func `a changed file goes to the trash when the server has a new version`(writer: Writer) throws {
        try mirror.run([Self.item("ada", "server 1")])
        try writer.change(mirror, "ada.vcf", "foreign!")
        let report = try mirror.run([Self.item("ada", "server 2")])
        #expect(try mirror.cards() == ["ada.vcf": "server 2"])
        #expect(try mirror.trash() == [writer.rest(of: "foreign!")])
        #expect(report.names(.changed) == ["ada.vcf"])
        let place = try #require(report.foreign.files.first?.trash)
        #expect(mirror.folder.exists("work/\(place)"))
    }

    @Test(arguments: Writer.allCases)
    func `a changed file goes to the trash when the server deletes the card`(writer: Writer) throws {
        try mirror.run([Self.item("ada", "server 1")])
        try writer.change(mirror, "ada.vcf", "foreign!")
        let report = try mirror.run([], removing: ["/ada"])
        #expect(try mirror.cards().isEmpty)
        #expect(try mirror.trash() == [writer.rest(of: "foreign!")])
        #expect(report.names(.changed) == ["ada.vcf"])
    }

    @Test(arguments: Writer.allCases.filter { $0 != .hides })
    func `a changed file has to be fetched again`(writer: Writer) throws {
        try mirror.run([Self.item("ada", "server 1"), Self.item("bob", "server 1")])
        try writer.change(mirror, "ada.vcf", "foreign!")
        let open = try MirrorFolder(layout: mirror.layout)
        #expect(open.incomplete == ["/ada"])
        #expect(open.version(of: "/ada") == "" && open.version(of: "/bob") == "1")
    }

    @Test
    func `a file of which the disk lost some bytes is found by the weekly reading`() throws {
        try mirror.run([Self.item("ada", "server 1"), Self.item("bob", "server 1")])
        try Writer.hides.change(mirror, "ada.vcf", "s\u{0}rver 1")
        let open = try MirrorFolder(layout: mirror.layout)
        #expect(open.incomplete.isEmpty)
        open.verify()
        #expect(open.incomplete == ["/ada"])
        #expect(try open.put([Self.item("ada", "server 1")]) == [.changed])
        _ = try open.finish(attributes: [:])
        #expect(try mirror.cards()["ada.vcf"] == "server 1")
        #expect(try mirror.trash() == ["s\u{0}rver 1"])
    }

    @Test
    func `a file that was only touched is not fetched again, and read once`() throws {
        try mirror.run([Self.item("ada", "server 1")])
        try mirror.overwrite("ada.vcf", "server 1")
        let report = try mirror.run([])
        #expect(report.foreign.isEmpty)
        let stamp = FileStatus(mirror.layout.cards.appending("ada.vcf"))?.stamp
        #expect(try MirrorFile.state(at: mirror.layout.state).members["/ada"]?.stamp == stamp)
    }

    @Test
    func `a file that was removed is named when it is back`() throws {
        try mirror.run([Self.item("ada", "server 1"), Self.item("bob", "server 1")])
        try mirror.folder.remove("work/cards/ada.vcf")
        let report = try mirror.run([Self.item("ada", "server 1")])
        #expect(report.names(.removed) == ["ada.vcf"])
        #expect(try mirror.cards().count == 2 && mirror.trash().isEmpty)
    }

    @Test
    func `a new file is named in each run and never removed`() throws {
        try mirror.run([Self.item("ada", "server 1")])
        for name in ["own.vcf", "photos/own.jpg", ".hidden", "half.tmp"] { try mirror.write("own", to: name) }
        for _ in 0..<2 {
            #expect(try mirror.run([]).names(.new) == ["own.vcf", "photos/own.jpg"])
        }
        try mirror.run([], removing: ["/ada"])
        #expect(try mirror.cards().count == 4)
        #expect(try mirror.trash() == ["server 1"])
    }

    @Test
    func `of many files some are named and all are counted`() throws {
        let cards = (0..<30).map { Self.item("c\($0)", "server \($0)") }
        try mirror.run(cards)
        for number in 0..<30 { try mirror.overwrite("c\(number).vcf", "foreign") }
        let foreign = try mirror.run(cards).foreign
        #expect(foreign.changed == 30 && foreign.files.count == ForeignFiles.most)
    }

    @Test
    func `a dry run names what another would find, and writes nothing`() throws {
        try mirror.run([Self.item("ada", "server 1"), Self.item("bob", "server 1")])
        try mirror.overwrite("ada.vcf", "foreign")
        try mirror.folder.remove("work/cards/bob.vcf")
        let before = try mirror.folder.files()
        let trial = try MirrorFolder(layout: mirror.layout, dry: true)
        try trial.put([Self.item("ada", "server 1"), Self.item("bob", "server 1")])
        #expect(trial.foreign.changed == 1 && trial.foreign.removed == 1)
        #expect(try mirror.folder.files() == before)
    }

    @Test
    func `a file that a state without digests lists is kept when it is replaced`() throws {
        try mirror.run([Self.item("ada", "server 1"), Self.item("bob", "server 1")])
        let old = "tondo-mirror 1\nattribute token 1\nitem ada.vcf 1 %2Fada\nitem bob.vcf 1 %2Fbob\nend 4\n"
        try mirror.folder.write(Array(old.utf8), to: "work/state")
        let open = try MirrorFolder(layout: mirror.layout)
        #expect(open.incomplete.isEmpty)
        try open.put([Self.item("ada", "server 2")])
        #expect(try mirror.trash() == ["server 1"])
        // The next whole listing has everything again, and knows the digests then.
        open.verify()
        #expect(open.incomplete == ["/bob"])
        #expect(try open.put([Self.item("bob", "server 1")]) == [.unchanged])
        _ = try open.finish(attributes: [:])
        #expect(open.foreign.isEmpty)
        #expect(try MirrorFile.state(at: mirror.layout.state).members.values.allSatisfy(\.digest.isKnown))
    }
}

/// Another program that writes in the moment in which a file is replaced.
struct ForeignWriteMomentTests {
    private let mirror: MirrorTestFolder

    init() throws {
        mirror = try MirrorTestFolder()
        try mirror.run([MirrorTestFolder.item("/ada", "server 1", name: "ada")])
    }

    /// A run that replaces the card, while `act` is done at a step of it.
    private func run(at step: MirrorFolder.Step, _ act: @escaping () throws -> Void) throws
        -> MirrorTestFolder.Report
    {
        var isDone = false
        let report = try mirror.run([MirrorTestFolder.item("/ada", "server 2", name: "ada")]) { now, _ in
            guard now == step, !isDone else { return }
            isDone = true
            do { try act() } catch { Issue.record(error) }
        }
        #expect(isDone)
        return report
    }

    @Test(arguments: [MirrorFolder.Step.staged, .announced, .readied], ForeignChangesTests.Writer.allCases)
    func `what is written before the exchange is in the trash`(
        step: MirrorFolder.Step, writer: ForeignChangesTests.Writer
    ) throws {
        let report = try run(at: step) { try writer.change(mirror, "ada.vcf", "foreign!") }
        #expect(try mirror.cards() == ["ada.vcf": "server 2"])
        #expect(try mirror.trash() == [writer.rest(of: "foreign!")])
        #expect(report.names(.changed) == ["ada.vcf"])
    }

    @Test
    func `a program that renames its file there behind the exchange is found by the next run`() throws {
        _ = try run(at: .exchanged) { try ForeignChangesTests.Writer.renames.change(mirror, "ada.vcf", "foreign!") }
        let report = try mirror.run([MirrorTestFolder.item("/ada", "server 2", name: "ada")])
        #expect(report.names(.changed) == ["ada.vcf"])
        #expect(try mirror.cards() == ["ada.vcf": "server 2"])
        #expect(try mirror.trash() == ["foreign!"])
    }

    @Test(.enabled(if: Lease.isGranted, "needs a file system with leases"))
    func `a program that has the file open and writes after the exchange loses nothing`() throws {
        let path = [mirror.folder.pathString, "work", "cards", "ada.vcf"].joined(separator: "/")
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let report = try run(at: .exchanged) {}
        try file.write(contentsOf: Data("foreign!".utf8))
        try file.close()
        #expect(try mirror.cards() == ["ada.vcf": "server 2"])
        #expect(try mirror.trash() == ["foreign!"])
        #expect(report.names(.changed) == ["ada.vcf"])
    }

    @Test(arguments: [MirrorFolder.Step.announced, .readied])
    func `a file that is removed before the exchange is there afterwards`(step: MirrorFolder.Step) throws {
        _ = try run(at: step) { try mirror.folder.remove("work/cards/ada.vcf") }
        #expect(try mirror.cards() == ["ada.vcf": "server 2"])
        #expect(try mirror.trash().isEmpty)
    }

    @Test
    func `a folder in the place of a card goes to the trash with all that is in it`() throws {
        let report = try run(at: .readied) {
            try mirror.folder.remove("work/cards/ada.vcf")
            try mirror.write("foreign", to: "ada.vcf/deep/note.txt")
        }
        #expect(try mirror.cards() == ["ada.vcf": "server 2"])
        #expect(try mirror.trash() == ["foreign"])
        #expect(report.names(.changed) == ["ada.vcf"])
    }
}
