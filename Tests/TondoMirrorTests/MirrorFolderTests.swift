import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import TondoMirror

struct MirrorFolderTests {
    private let folder: TemporaryFolder
    private let layout: MirrorLayout

    init() throws {
        folder = try TemporaryFolder()
        layout = MirrorLayout(name: "work", in: folder.path)
    }

    private static func item(_ id: String, _ text: String = "BEGIN:VCARD", version: String = "1", name: String? = nil)
        -> MirrorItem
    {
        MirrorItem(id: id, version: version, name: name, bytes: Array(text.utf8))
    }

    private func cards() throws -> [String] { try folder.files(below: "work/cards") }

    /// Puts all of them and ends the run.
    @discardableResult
    private func run(_ items: [MirrorItem], removing gone: Set<String> = [], token: String = "1") throws
        -> MirrorOutcome
    {
        let mirror = try MirrorFolder(layout: layout)
        try mirror.put(items)
        return try mirror.finish(removing: gone, attributes: ["token": token])
    }

    @Test
    func `cards get the names of their UIDs, and others the digest of their names at the source`() throws {
        try run([Self.item("/a", name: "ada"), Self.item("/b", name: "../../etc/passwd"), Self.item("/c")])
        #expect(try cards().count == 3)
        #expect(try cards().contains("ada.vcf"))
        #expect(try cards().allSatisfy { !$0.contains("/") && $0.hasSuffix(".vcf") })
    }

    @Test
    func `names are unique under case folding`() throws {
        try run([Self.item("/a", name: "ada"), Self.item("/b", name: "ADA"), Self.item("/c", name: "Ada")])
        #expect(Set(try cards().map { $0.lowercased() }).count == 3)
    }

    @Test
    func `a file of another program is never overwritten or removed`() throws {
        try folder.write("foreign", to: "work/cards/ada.vcf")
        try run([Self.item("/a", name: "ada")])
        #expect(try folder.bytes("work/cards/ada.vcf") == Array("foreign".utf8))
        #expect(try cards().count == 2)
        try run([], removing: ["/a"], token: "2")
        try run([], removing: ["/a"], token: "2")
        #expect(try cards() == ["ada.vcf"])
    }

    @Test
    func `a file that another program makes while cards are written is left to it`() throws {
        let mirror = try MirrorFolder(layout: layout)
        // After the mirror looked for names in use.
        for name in ["ada.vcf", "bob.vcf"] { try folder.write("foreign", to: "work/cards/\(name)") }
        try mirror.put([Self.item("/a", name: "ada"), Self.item("/b", name: "bob"), Self.item("/c", name: "eve")])
        _ = try mirror.finish(attributes: [:])
        for name in ["ada.vcf", "bob.vcf"] {
            #expect(try folder.bytes("work/cards/\(name)") == Array("foreign".utf8))
        }
        #expect(try cards().count == 5)
        #expect(Set(mirror.state.members.values.map(\.file)).isDisjoint(with: ["ada.vcf", "bob.vcf"]))
    }

    @Test
    func `a card that another program changed is not taken for an equal one`() throws {
        try run([Self.item("/a", "BEGIN:VCARD 1", name: "ada")])
        try folder.write("BEGIN:VCARD 2", to: "work/cards/ada.vcf")
        let mirror = try MirrorFolder(layout: layout)
        #expect(try mirror.put([Self.item("/a", "BEGIN:VCARD 1", name: "ada")]) == [.changed])
        #expect(try folder.bytes("work/cards/ada.vcf") == Array("BEGIN:VCARD 1".utf8))
    }

    @Test(arguments: [nil, [:], ["https://example.org/a b.jpg": "", "https://example.org/%20": "photos/1.jpg"]])
    func `the state knows the photos that a card names`(photos: [String: String]?) throws {
        do {
            let mirror = try MirrorFolder(layout: layout)
            try mirror.put([MirrorItem(id: "/a", version: "1", name: "ada", bytes: [1], photos: photos)])
            _ = try mirror.finish(attributes: [:])
        }
        #expect(try MirrorFolder(layout: layout).state.photos["/a"] == photos)
    }

    @Test
    func `the state survives, and knows versions and attributes`() throws {
        try run([Self.item("/a b/%25\n", version: "\"W/ü\"", name: "ada")], token: "data:,3172")
        let mirror = try MirrorFolder(layout: layout)
        #expect(mirror.version(of: "/a b/%25\n") == "\"W/ü\"")
        #expect(mirror.state.attributes == ["token": "data:,3172"])
        #expect(mirror.missing.isEmpty)
    }

    @Test
    func `equal bytes are not rewritten`() throws {
        try run([Self.item("/a", name: "ada")])
        let before = FileStatus(layout.cards.appending("ada.vcf"))
        let mirror = try MirrorFolder(layout: layout)
        #expect(try mirror.put([Self.item("/a", version: "2", name: "ada")]) == [.unchanged])
        _ = try mirror.finish(attributes: ["token": "2"])
        #expect(FileStatus(layout.cards.appending("ada.vcf")) == before)
        #expect(mirror.version(of: "/a") == "2")
    }

    @Test
    func `a run without a change writes nothing`() throws {
        try run([Self.item("/a", name: "ada")])
        let before = [layout.state, layout.cards, layout.root].map { FileStatus($0) }
        try run([])
        #expect([layout.state, layout.cards, layout.root].map { FileStatus($0) } == before)
    }

    @Test
    func `deleted cards go to a dated trash`() throws {
        try run((0..<3).map { Self.item("/\($0)", "card \($0)", name: "c\($0)") })
        #expect(try run([], removing: ["/1"]) == MirrorOutcome(removed: 1))
        #expect(try cards() == ["c0.vcf", "c2.vcf"])
        let trash = try folder.files(below: "work/trash")
        #expect(trash.count == 1)
        #expect(trash.first?.hasSuffix("/c1.vcf") == true)
        #expect(trash.first?.split(separator: "-").count == 3)
    }

    @Test
    func `an emptied source empties the mirror with the second run only`() throws {
        try run((0..<3).map { Self.item("/\($0)", name: "c\($0)") })
        let all: Set = ["/0", "/1", "/2"]
        #expect(try run([], removing: all, token: "2") == MirrorOutcome(withheld: 3))
        #expect(try cards().count == 3)
        // The source must report them again.
        #expect(try MirrorFolder(layout: layout).state.attributes == ["token": "1"])
        #expect(try run([], removing: all, token: "2") == MirrorOutcome(removed: 3))
        #expect(try cards().isEmpty)
    }

    @Test
    func `a run that finds the contacts again forgets what was withheld`() throws {
        try run((0..<3).map { Self.item("/\($0)", name: "c\($0)") })
        try run([], removing: ["/0", "/1", "/2"])
        try run([])
        #expect(try run([], removing: ["/0", "/1", "/2"]).withheld == 3)
    }

    @Test
    func `a file that was removed by hand is missing and can be put again`() throws {
        try run([Self.item("/a", name: "ada"), Self.item("/b", name: "bob")])
        try folder.remove("work/cards/ada.vcf")
        let mirror = try MirrorFolder(layout: layout)
        #expect(mirror.missing == ["/a"])
        #expect(mirror.version(of: "/a") == "")
        try mirror.put([Self.item("/a", version: "1", name: "ada")])
        _ = try mirror.finish(attributes: ["token": "1"])
        #expect(try cards() == ["ada.vcf", "bob.vcf"])
    }

    @Test
    func `two processes do not write one mirror`() throws {
        let mirror = try MirrorFolder(layout: layout)
        #expect(throws: MirrorError.busy(layout.root)) { try MirrorFolder(layout: layout) }
        withExtendedLifetime(mirror) {}
    }

    @Test
    func `what was placed before a kill is known afterwards`() throws {
        let mirror = try MirrorFolder(layout: layout)
        try mirror.put([Self.item("/a", name: "ada")])
        // The journal is closed without a commit, as by a kill.
        _ = consume mirror
        let next = try MirrorFolder(layout: layout)
        #expect(next.version(of: "/a") == "1")
        try next.put([Self.item("/a", name: "ada")])
        _ = try next.finish(attributes: [:])
        #expect(try cards() == ["ada.vcf"])
        #expect(!folder.exists("work/journal"))
    }

    @Test
    func `a journal whose last line was cut off loses no later entry`() throws {
        try run([Self.item("/b", name: "bob")])
        try folder.write("carol.vcf 1 /c 0123", to: "work/journal")
        for _ in 0..<2 {
            let mirror = try MirrorFolder(layout: layout)
            try mirror.put([Self.item("/a", name: "ada")])
            _ = consume mirror
        }
        try run([Self.item("/a", name: "ada")])
        #expect(try cards() == ["ada.vcf", "bob.vcf"])
    }

    @Test(arguments: ["../x.vcf", "/etc/x.vcf", "photos/../../x", ".", "a//b", ""])
    func `a state that names a file elsewhere is damaged`(file: String) throws {
        var state = MirrorState()
        state.members["/a"] = .init(file: file, version: "1")
        var text: [UInt8] = []
        try state.write { text += $0 }
        #expect(throws: MirrorState.Failure.damaged) { try MirrorState(text) }
    }

    @Test
    func `a file that another program placed under an announced name is foreign`() throws {
        let mirror = try MirrorFolder(layout: layout)
        try mirror.put([Self.item("/a", name: "ada")])
        _ = consume mirror
        try folder.write("foreign", to: "work/cards/ada.vcf")
        try run([Self.item("/a", name: "ada")])
        #expect(try folder.bytes("work/cards/ada.vcf") == Array("foreign".utf8))
        #expect(try cards().count == 2)
    }

    @Test
    func `a dry run writes nothing`() throws {
        let mirror = try MirrorFolder(layout: layout, dry: true)
        #expect(try mirror.put([Self.item("/a")]) == [.added])
        #expect(try mirror.finish(attributes: [:]) == MirrorOutcome())
        #expect(try folder.files().isEmpty)
    }

    @Test
    func `a state of any bytes is read or refused`() throws {
        var state = MirrorState()
        state.members["/a"] = .init(file: "a.vcf", version: "1", digest: FileDigest([1]), stamp: 7)
        state.members["/b"] = .init(file: "b.vcf", version: "")
        state.photos["/a"] = ["https://example.org/a.jpg": ""]
        state.withheld = ["/a"]
        var text: [UInt8] = []
        try state.write { text += $0 }
        #expect(try MirrorState(text) == state)
        for count in 0..<text.count {
            #expect(throws: MirrorState.Failure.self) { try MirrorState(Array(text.prefix(count))) }
            for byte: UInt8 in [0x0A, 0x20, 0x25, 0x30, 0xFF] {
                var changed = text
                changed[count] = byte
                _ = try? MirrorState(changed)
                _ = try? MirrorState(Array(changed.prefix(count + 1)))
            }
        }
    }

    @Test
    func `a state is read in pieces of any size`() throws {
        var state = MirrorState()
        for number in 0..<40 { state.members["/\(number)"] = .init(file: "\(number).vcf", version: "v \(number)") }
        var text: [UInt8] = []
        try state.write { text += $0 }
        for size in 1...70 {
            var reader = MirrorStateReader(size: text.count, tail: text.suffix(MirrorStateReader.tail))
            for start in stride(from: 0, to: text.count, by: size) {
                try reader.take(text[start..<min(start + size, text.count)])
            }
            #expect(try reader.finish() == state)
        }
    }

    @Test
    func `a large state is read as it was written`() throws {
        let items = (0..<9_000).map { Self.item("/\($0)", name: "name-of-card-\($0)") }
        for start in stride(from: 0, to: items.count, by: 500) { try run(Array(items[start..<(start + 500)])) }
        #expect(try folder.bytes("work/state").count > 1 << 18)
        let mirror = try MirrorFolder(layout: layout)
        #expect(mirror.cards == 9_000 && mirror.missing.isEmpty)
    }

    @Test
    func `photos lie beside the cards and do not count as contacts`() throws {
        let photo = MirrorItem(id: "photo:1", version: "", name: "abcd", kind: .photo("jpg"), bytes: [1])
        try run([Self.item("/a", name: "ada"), photo])
        #expect(try cards() == ["ada.vcf", "photos/abcd.jpg"])
        #expect(try MirrorFolder(layout: layout).cards == 1)
        #expect(try run([], removing: ["photo:1"]).removed == 0)
        #expect(try cards() == ["ada.vcf"])
    }

    @Test
    func `the status is one file that is read back`() throws {
        let mirror = try MirrorFolder(layout: layout)
        var status = MirrorStatus(kind: "carddav", lastRun: 100)
        (status.lastSuccess, status.contacts) = (100, 3)
        try status.write(layout)
        #expect(MirrorStatus.read(layout) == status)
        #expect(status.age(now: 160) == 60)
        withExtendedLifetime(mirror) {}
    }
}
