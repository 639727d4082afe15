import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

struct MirrorWriterTests {
    private let trial: MirrorTrial
    private let mirror: MirrorFolder

    init() throws {
        trial = try MirrorTrial("http://127.0.0.1/")
        mirror = try MirrorFolder(layout: trial.layout)
    }

    private static func item(_ id: String) -> MirrorItem {
        MirrorItem(id: id, version: "1", name: id, bytes: Array("BEGIN:VCARD".utf8))
    }

    @Test
    func `a batch is written while the caller goes on`() throws {
        let (writer, gate, started) = (MirrorWriter(mirror: mirror), Gate(), Gate())
        try writer.put {
            started.open()
            gate.pass()
            return [Self.item("ada")]
        }
        #expect(started.pass())
        #expect(try trial.cards().isEmpty)
        gate.open()
        try writer.finish()
        #expect(try trial.cards() == ["ada.vcf"])
        #expect(writer.added == 1)
    }

    @Test
    func `a batch waits for the one before`() throws {
        let writer = MirrorWriter(mirror: mirror)
        let before = Locked<[Int]>([])
        for number in 0..<5 {
            try writer.put {
                before.withLock { $0.append(number) }
                return [Self.item("c\(number)"), Self.item("d")]
            }
            #expect(writer.added == (number == 0 ? 0 : number + 1))
        }
        try writer.finish()
        #expect(before.withLock { $0 } == [0, 1, 2, 3, 4])
        #expect(writer.added == 6 && writer.changed == 0)
    }

    @Test
    func `a failure is thrown once, by the next call`() throws {
        let writer = MirrorWriter(mirror: mirror)
        try trial.folder.remove("work/tmp")
        try writer.put { [Self.item("ada")] }
        #expect(throws: MirrorError.self) { try writer.put { [Self.item("bob")] } }
        try writer.finish()
        #expect(writer.added == 0)
    }
}

struct CompressionTests {
    @Test
    func `nothing is asked for before there is something to judge`() {
        var compression = Compression()
        compression.note(bytes: 200_000, .seconds(10))
        #expect(!compression.isAsked)
    }

    @Test
    func `a slow network is, a fast one is not`() {
        var (slow, fast) = (Compression(), Compression())
        for _ in 0..<3 {
            slow.note(bytes: 1_000_000, .milliseconds(110))
            fast.note(bytes: 1_000_000, .milliseconds(90))
        }
        #expect(slow.isAsked && !fast.isAsked)
    }

    @Test
    func `bytes that arrive at once are fast`() {
        var compression = Compression()
        compression.note(bytes: 1 << 20, .zero)
        #expect(!compression.isAsked)
    }

    @Test
    func `cards are not compressed on a fast network, and listings are`() throws {
        let book = try FakeAddressBook()
        book.put("ada.vcf")
        #expect(try MirrorTrial(book.url).run().error == nil)
        let encodings = book.server.requests.map { ($0.body.contains("multiget"), $0.headers["accept-encoding"]) }
        #expect(encodings.allSatisfy { $0.1 == ($0.0 ? "identity" : "gzip") })
    }
}
