import Foundation
import SystemPackage
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// A mirror in which other programs write, and one whose state is lost, from the server's answers to the report of the run.
@Suite(.blocking) struct ForeignFilesTests {
    private static let week = 7 * 86_400
    private static let now = 1_795_700_000

    private let book: FakeAddressBook
    private let trial: MirrorTrial

    init() throws {
        book = try FakeAddressBook()
        trial = try MirrorTrial(book.url)
        for name in ["ada.vcf", "bob.vcf", "eve.vcf"] { book.put(name) }
        book.state.withLock { $0.tag = { "tag-\($0)" } }
        #expect(trial.run(now: Self.now).error == nil)
        #expect(trial.run(now: Self.now).error == nil)
        book.server.forget()
    }

    private static let ada = "uid-ada.vcf.vcf"

    private func overwrite(_ text: String) throws {
        try trial.folder.write(Array(text.utf8), to: "work/cards/\(Self.ada)")
    }

    /// With the size and the time of before.
    private func damage() throws {
        let text = try trial.text(Self.ada).replacing("VERSION", with: "V\u{0}RSION")
        try trial.folder.overwrite("work/cards/\(Self.ada)", text, keepingTime: true)
    }

    private func expectServersCards() throws {
        #expect(try trial.cards().count == 3)
        for name in ["ada", "bob", "eve"] {
            #expect(try trial.text("uid-\(name).vcf.vcf") == FakeAddressBook.card("\(name).vcf"))
        }
    }

    private var fetched: Int { book.server.requests.filter { $0.body.contains("multiget") }.count }

    @Test(arguments: ["", "BEGIN:VCARD\nVERSION:3.0\nFN:Other\nEND:VCARD\n", "BEGIN:VCARD\nVERSION:3.0\nUID:uid-a"])
    func `a file that another program changed, cut or emptied is repaired by the next run`(text: String) throws {
        try overwrite(text)
        let result = trial.run(now: Self.now)
        #expect(result.error == nil)
        try expectServersCards()
        let foreign = try #require(result.status.foreign)
        #expect(foreign.changed == 1 && foreign.files.map(\.file) == [Self.ada])
        let place = try #require(foreign.files.first?.trash)
        #expect(try trial.folder.bytes("work/\(place)") == Array(text.utf8))
        #expect(trial.run(now: Self.now).status.foreign == nil)
    }

    @Test
    func `an unchanged run reads no card, and costs one request`() throws {
        let result = trial.run(now: Self.now)
        #expect(result.status.requests == 1 && result.status.foreign == nil)
    }

    @Test
    func `a file whose bytes alone changed is repaired within a week`() throws {
        try damage()
        #expect(trial.run(now: Self.now).status.foreign == nil)
        #expect(fetched == 0)
        let result = trial.run(now: Self.now + Self.week)
        #expect(result.error == nil && result.status.foreign?.changed == 1)
        try expectServersCards()
    }

    @Test
    func `a file whose bytes alone changed is not lost when the server has a new version`() throws {
        try damage()
        book.put("ada.vcf", FakeAddressBook.card("ada.vcf", note: "new"))
        #expect(trial.run(now: Self.now).status.foreign?.changed == 1)
        #expect(try trial.text(Self.ada) == FakeAddressBook.card("ada.vcf", note: "new"))
    }

    @Test
    func `a card that was changed here and deleted on the server is in the trash as it was changed`() throws {
        try overwrite("foreign")
        book.remove("ada.vcf")
        let result = trial.run(now: Self.now)
        #expect(result.status.removed == 1)
        let place = try #require(result.status.foreign?.files.first?.trash)
        #expect(try trial.folder.bytes("work/\(place)") == Array("foreign".utf8))
    }

    @Test
    func `a changed file stays while the server does not answer, and a server without the card loses it nothing`()
        throws
    {
        try overwrite("foreign")
        book.answer { _ in ScriptedServer.Reply(500) }
        #expect(trial.run(now: Self.now).error != nil)
        #expect(try trial.text(Self.ada) == "foreign")
        book.answer { _ in nil }
        #expect(trial.run(now: Self.now).status.foreign?.changed == 1)
        try expectServersCards()
    }

    @Test
    func `the report names what other programs did, as text and as JSON`() throws {
        try overwrite("foreign")
        try trial.folder.remove("work/cards/uid-bob.vcf.vcf")
        try trial.folder.write("own", to: "work/cards/own\u{7}.vcf")
        let (status, text) = try SyncProcess(trial).finish()
        #expect(status == 0, "\(text)")
        #expect(text.contains("1 file was changed by another program: \(Self.ada) (now in trash/"))
        #expect(text.contains("1 file was removed by another program, and fetched again: uid-bob.vcf.vcf\n"))
        #expect(text.contains("1 file was found that the server does not have, and left alone: own.vcf\n"))
        let json = try SyncProcess(trial) { $0.isJSON = true }.finish().text
        let line = try #require(json.split(separator: "\n").first { $0.hasPrefix("{") })
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let foreign = (object?["status"] as? [String: Any])?["foreign"] as? [String: Any]
        #expect(foreign?["new"] as? Int == 1)
        #expect((foreign?["files"] as? [[String: String]])?.first?["file"] == "own\u{7}.vcf")
    }

    @Test(arguments: [true, false], [true, false])
    func `a state that is lost doubles no card and loses none`(isCut: Bool, hasFormer: Bool) throws {
        if isCut {
            let state = try trial.folder.bytes("work/state")
            try trial.folder.write(Array(state.prefix(state.count / 2)), to: "work/state")
        } else {
            try trial.folder.remove("work/state")
        }
        if !hasFormer { try? trial.folder.remove("work/state.former") }
        book.put("bob.vcf", FakeAddressBook.card("bob.vcf", note: "new"))
        book.put("new.vcf")
        let result = trial.run(now: Self.now)
        #expect(result.error == nil)
        #expect(result.status.recovered == (isCut ? .damaged : .lost))
        #expect(try trial.cards().count == 4)
        #expect(try trial.text("uid-bob.vcf.vcf") == FakeAddressBook.card("bob.vcf", note: "new"))
        #expect(result.status.foreign?.new ?? 0 == 0)
        let next = trial.run(now: Self.now)
        #expect(next.error == nil && next.status.recovered == nil && next.status.foreign == nil)
        #expect(try trial.cards().count == 4)
    }

    @Test
    func `a lost state waits for a server that answers`() throws {
        try trial.folder.remove("work/state")
        try? trial.folder.remove("work/state.former")
        book.answer { _ in ScriptedServer.Reply(500) }
        #expect(trial.run(now: Self.now).error != nil)
        book.answer { _ in nil }
        #expect(trial.run(now: Self.now).error == nil)
        try expectServersCards()
    }
}
