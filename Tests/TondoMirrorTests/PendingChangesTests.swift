import Foundation
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoMirror

/// Changes that are made in a mirror, until its source has them.
struct PendingChangesTests {
    private let mirror: MirrorTestFolder
    private static let writable = [
        "source": "https://example.org/", "user": "ada", "\(MirrorState.writable)/book/": MirrorState.yes,
    ]

    init() throws {
        mirror = try MirrorTestFolder()
        try run([Self.item("/book/ada", "a 1"), Self.item("/book/bob", "b 1")])
    }

    private static func item(_ id: String, _ text: String, version: String = "1") -> MirrorItem {
        MirrorItem(
            id: id, version: version, name: id.split(separator: "/").last.map(String.init), bytes: Array(text.utf8))
    }

    @discardableResult
    private func run(_ items: [MirrorItem], attributes: [String: String] = writable) throws -> MirrorFolder {
        let folder = try MirrorFolder(layout: mirror.layout)
        try folder.put(items)
        _ = try folder.finish(attributes: attributes)
        return folder
    }

    private func file(_ name: String = "ada.vcf") -> FilePath { mirror.layout.cards.appending(name) }

    private func edit(_ name: String = "ada.vcf", item: String? = nil) -> MirrorEdit? {
        MirrorEdit(mirror.layout, of: file(name), item: item)
    }

    private var changes: [PendingChange] {
        PendingChanges(mirror.layout).notes().compactMap { PendingChanges(mirror.layout).change(of: $0.id) }
    }

    /// As a program does that changes a card. `after`: nil removes it.
    private func change(_ name: String = "ada.vcf", from before: String?, to after: String?, item: String? = nil) throws
    {
        let found = try #require(edit(name, item: item))
        try found.change(from: before.map { Array($0.utf8) }, to: after.map { Array($0.utf8) }, name: "Ada") {
            if let after { try mirror.write(after, to: name) } else { try mirror.folder.remove("work/cards/\(name)") }
        }
    }

    @Test(arguments: [nil, "no", ""]) func `a mirror whose server is not written to has no changes`(value: String?)
        throws
    {
        var attributes = Self.writable
        attributes["\(MirrorState.writable)/book/"] = value
        try run([], attributes: attributes)
        #expect(edit() == nil)
    }

    @Test func `a file that is none of the mirror's has none either`() throws {
        try mirror.write("own", to: "own.vcf")
        #expect(edit("own.vcf") == nil)
    }

    @Test func `a change holds both cards and the version of the first one`() throws {
        try change(from: "a 1", to: "a 2")
        let change = try #require(changes.first)
        #expect(change.id == "/book/ada" && change.etag == "1" && change.account == "https://example.org/ ada")
        #expect(change.before == Array("a 1".utf8) && change.after == Array("a 2".utf8))
    }

    @Test func `a card that the state does not know has no version`() throws {
        try mirror.write("a 1b", to: "ada.vcf")
        try change(from: "a 1b", to: "a 2")
        #expect(changes.first?.etag == "")
    }

    @Test(arguments: ["{\"tondoPending\":9}", "", "\0\0"])
    func `a file that cannot be read is named, and neither sent nor removed`(text: String) throws {
        try change(from: "a 1", to: "a 2")
        let name = try #require(try mirror.folder.files(below: "work/pending").first { $0.hasSuffix(".json") })
        try mirror.folder.write(Array(text.utf8), to: "work/pending/\(name)")
        let found = PendingChanges(mirror.layout).unreadable()
        #expect(found.map(\.name) == ["pending/\(name)"] && found.map(\.code) == ["damaged"] && changes.isEmpty)
        try run([])
        #expect(mirror.folder.exists("work/pending/\(name)"))
    }

    @Test(arguments: [true, false])
    func `what became of a change is on the disk before it is forgotten`(isAbandoned: Bool) throws {
        try change(from: "a 1", to: "a 2")
        let pending = try #require(changes.first)
        let folder = try MirrorFolder(layout: mirror.layout)
        var reported: [Int] = []
        folder.onForget = { reported.append(changes.count) }
        if isAbandoned {
            try folder.abandon(pending)
        } else {
            try folder.end(pending, with: Self.item("/book/ada", "a 3", version: "3"), isKept: true)
        }
        #expect(reported.isEmpty && changes == [pending])
        try folder.commit()
        #expect(reported == [1] && changes.isEmpty)
    }

    @Test func `a change whose end cannot be reported is not forgotten`() throws {
        try change(from: "a 1", to: "a 2")
        let pending = try #require(changes.first)
        let folder = try MirrorFolder(layout: mirror.layout)
        folder.onForget = { throw Errno.noSpace }
        try folder.end(pending, with: Self.item("/book/ada", "a 3", version: "3"), isKept: true)
        #expect(throws: MirrorError.self) { try folder.commit() }
        #expect(changes == [pending])
    }

    @Test func `the change is on the disk before the card is another one`() throws {
        let found = try #require(edit())
        try found.change(from: Array("a 1".utf8), to: nil, name: "Ada") {
            let cards = try mirror.cards()
            #expect(changes.count == 1 && cards["ada.vcf"] == "a 1")
        }
    }

    @Test func `a card that cannot be changed leaves no change behind`() throws {
        struct Failure: Error {}
        let found = try #require(edit())
        #expect(throws: Failure.self) {
            try found.change(from: Array("a 1".utf8), to: nil, name: "Ada") { throw Failure() }
        }
        #expect(changes.isEmpty)
        try change(from: "a 1", to: "a 2")
        #expect(throws: Failure.self) {
            try found.change(from: Array("a 2".utf8), to: nil, name: "Ada") { throw Failure() }
        }
        #expect(changes.map(\.after) == [Array("a 2".utf8)])
    }

    @Test func `two changes of one card are one, from the first card to the last`() throws {
        try change(from: "a 1", to: "a 2")
        try change(from: "a 2", to: "a 3")
        let change = try #require(changes.first)
        #expect(changes.count == 1 && change.etag == "1" && change.earlier.isEmpty)
        #expect(change.before == Array("a 1".utf8) && change.after == Array("a 3".utf8))
    }

    @Test func `what was sent stays known when the change goes on`() throws {
        try change(from: "a 1", to: "a 2")
        let sent = try #require(changes.first)
        #expect(try PendingChanges(mirror.layout).replace(sent, by: sent.attempted))
        try change(from: "a 2", to: nil)
        let change = try #require(changes.first)
        #expect(change.etag.isEmpty && change.after == nil)
        #expect(change.bases == [Array("a 1".utf8), Array("a 2".utf8)])
    }

    @Test func `a change that goes on meanwhile is not ended`() throws {
        try change(from: "a 1", to: "a 2")
        let sent = try #require(changes.first)
        try change(from: "a 2", to: "a 3")
        try PendingChanges(mirror.layout).end(sent)
        #expect(changes.map(\.after) == [Array("a 3".utf8)])
        #expect(try PendingChanges(mirror.layout).replace(sent, by: sent.attempted) == false)
    }

    @Test func `the mirror neither misses nor repairs what was changed here`() throws {
        try change(from: "a 1", to: "a 2")
        try change("bob.vcf", from: "b 1", to: nil)
        let folder = try MirrorFolder(layout: mirror.layout)
        folder.verify()
        #expect(folder.incomplete.isEmpty && folder.foreign.isEmpty)
        #expect(folder.isPending("/book/ada") && folder.isPending("/book/bob"))
    }

    @Test func `what another program changes later is repaired, and the change stays`() throws {
        try change(from: "a 1", to: "a 2")
        try mirror.overwrite("ada.vcf", "foreign")
        #expect(try MirrorFolder(layout: mirror.layout).incomplete == ["/book/ada"])
        #expect(changes.map(\.after) == [Array("a 2".utf8)])
    }

    @Test func `a change that arrives while a card is replaced is no foreign one`() throws {
        let folder = try MirrorFolder(layout: mirror.layout)
        try change(from: "a 1", to: "a 2")
        try folder.put([Self.item("/book/ada", "a 9", version: "9")])
        _ = try folder.finish(attributes: Self.writable)
        #expect(folder.foreign.isEmpty)
        #expect(try mirror.trash().isEmpty)
        #expect(changes.map(\.after) == [Array("a 2".utf8)])
    }

    @Test func `a card that was made while the source's came under another name leaves no second file`() throws {
        let item = Self.item("/book/cy", "c 9", version: "9")
        do {
            let running = try MirrorFolder(layout: mirror.layout)
            try change("cy2.vcf", from: nil, to: "c 0", item: item.id)
            try running.put([item])
            _ = try running.finish(attributes: Self.writable)
        }
        #expect(try mirror.cards().keys.sorted() == ["ada.vcf", "bob.vcf", "cy.vcf", "cy2.vcf"])
        let next = try MirrorFolder(layout: mirror.layout)
        try next.end(try #require(changes.first), with: item, isKept: true)
        try next.commit()
        #expect(changes.isEmpty && next.foreign.isEmpty, "\(next.foreign)")
        #expect(try mirror.cards() == ["ada.vcf": "a 1", "bob.vcf": "b 1", "cy.vcf": "c 9"])
        #expect(try mirror.trash().count == 1)
    }

    @Test func `a change ends with the card that the source has`() throws {
        try change(from: "a 1", to: "a 2")
        let folder = try MirrorFolder(layout: mirror.layout)
        try folder.end(try #require(changes.first), with: Self.item("/book/ada", "a 2s", version: "2"), isKept: false)
        try folder.commit()
        #expect(changes.isEmpty && folder.foreign.isEmpty)
        #expect(try mirror.cards()["ada.vcf"] == "a 2s")
        #expect(try mirror.trash().isEmpty)
        #expect(folder.version(of: "/book/ada") == "2")
    }

    @Test func `a change that is refused is in the trash, and the card of the source is back`() throws {
        try change(from: "a 1", to: "a 2")
        let folder = try MirrorFolder(layout: mirror.layout)
        let kept = try folder.end(
            try #require(changes.first), with: Self.item("/book/ada", "a 9", version: "9"), isKept: true)
        try folder.commit()
        #expect(try mirror.cards()["ada.vcf"] == "a 9")
        #expect(try mirror.trash() == ["a 2"])
        #expect(kept?.hasSuffix("/ada.vcf") == true && folder.foreign.isEmpty)
    }

    @Test func `a card that was removed there is no member any more`() throws {
        try change(from: "a 1", to: nil)
        do {
            let folder = try MirrorFolder(layout: mirror.layout)
            try folder.end(try #require(changes.first), with: nil, isKept: false)
            try folder.commit()
        }
        #expect(try mirror.cards().keys.sorted() == ["bob.vcf"])
        #expect(try MirrorFolder(layout: mirror.layout).state.members.keys.sorted() == ["/book/bob"])
    }

    @Test func `a card that is created here keeps its name once it is there`() throws {
        try change("eve.vcf", from: nil, to: "e 1", item: "/book/eve")
        let folder = try MirrorFolder(layout: mirror.layout)
        #expect(folder.foreign.isEmpty)
        try folder.end(try #require(changes.first), with: Self.item("/book/eve", "e 1", version: "4"), isKept: false)
        try folder.commit()
        #expect(try mirror.cards().keys.sorted() == ["ada.vcf", "bob.vcf", "eve.vcf"])
        #expect(folder.state.members["/book/eve"]?.file == "eve.vcf")
    }

    /// Between any two steps of the end of a change: the mirror is copied there.
    @Test func `a run that is killed ends the change once more, and nothing is lost or doubled`() throws {
        try change(from: "a 1", to: "a 2")
        let images = Locked<[MirrorTestFolder]>([])
        let folder = try MirrorFolder(layout: mirror.layout)
        folder.onStep = { [mirror] _, _ in
            do {
                let image = try mirror.copy()
                images.withLock { $0.append(image) }
            } catch { Issue.record(error) }
        }
        let item = Self.item("/book/ada", "a 2s", version: "2")
        try folder.end(try #require(changes.first), with: item, isKept: false)
        try folder.commit()
        let found = images.withLock { $0 }
        #expect(found.count > 3)
        for image in found {
            let again = try MirrorFolder(layout: image.layout)
            let change = try #require(PendingChanges(image.layout).change(of: "/book/ada"))
            try again.end(change, with: item, isKept: false)
            try again.commit()
            #expect(try image.cards() == ["ada.vcf": "a 2s", "bob.vcf": "b 1"])
            #expect(try image.trash().isEmpty)
            #expect(PendingChanges(image.layout).notes().isEmpty && again.foreign.isEmpty)
        }
    }

    @Test func `a change for a file outside of the mirror, or of a newer version, is none`() throws {
        try change(from: "a 1", to: "a 2")
        let name = try #require(try mirror.folder.names(in: "work/pending").first { $0.hasSuffix(".json") })
        let text = String(decoding: try mirror.folder.bytes("work/pending/\(name)"), as: UTF8.self)
        for other in [
            text.replacing("\"ada.vcf\"", with: "\"../ada.vcf\""),
            text.replacing("\"tondoPending\":1", with: "\"tondoPending\":2"), String(text.prefix(40)),
        ] {
            #expect(other != text)
            try mirror.folder.write(Array(other.utf8), to: "work/pending/\(name)")
            #expect(changes.isEmpty)
        }
    }
}
