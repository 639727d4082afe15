import Synchronization
import SystemPackage
import Testing
import TondoText

@testable import TondoContacts

/// Tables that are made to be slow or large.
@Suite struct HostileTableTests {
    /// The bytes of a file, which counts those that were passed: each MB is reported each time it was read.
    private final class Passes: Sendable {
        // Safe because the bytes are written before any reader has them.
        private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
        private let count = Mutex(0)

        init(_ text: [UInt8]) {
            bytes = .allocate(byteCount: text.count, alignment: 1)
            bytes.copyBytes(from: text)
        }

        deinit { bytes.deallocate() }

        var file: FileBytes {
            FileBytes(UnsafeRawBufferPointer(bytes), owner: self) { range in self.count.withLock { $0 += range.count } }
        }

        /// How often the whole file was read.
        var passes: Int { count.withLock { $0 } / bytes.count }
    }

    /// Each of four separators is tried on the first rows, and an unsuccessful search for a quote is repeated a few times.
    private static let mostPasses = 24

    private func read(_ text: some Sequence<UInt8>) throws(ContactsError) -> (contents: BookContents, passes: Int) {
        let file = Passes(Array(text))
        let contents = try BookFormat.csv.read(file.file, name: "book.csv")
        return (contents, file.passes)
    }

    private static let row = "Ada,a@b.c\n"

    @Test func `A hundred thousand columns are refused with their number`() {
        let header = "Name,Email" + String(repeating: ",a", count: 100_000) + "\n"
        let error = #expect(throws: ContactsError.self) { try read((header + Self.row).utf8) }
        #expect(error == .overLimit(.columns, found: 100_002, limit: 16_384))
        #expect(error?.code == "book-too-large" && "\(error.map { "\($0)" } ?? "")".contains("100002 columns"))
    }

    @Test func `A hundred thousand columns inside a table end it, and its contacts are kept`() throws {
        let header = "Name,Email" + String(repeating: ",Phone", count: 100_000) + "\n"
        let contents = try read(("Name,Email\n" + Self.row + header + Self.row).utf8).contents
        #expect(contents.contacts.map(\.displayName) == ["Ada"])
        #expect(contents.failures.map(\.error) == [.overLimit(.columns, found: 100_002, limit: 16_384)])
        #expect(contents.failures.first?.line == 3)
    }

    @Test func `As many columns as a sheet of Excel has are read`() throws {
        let header = "Name,Email" + String(repeating: ",Größe", count: 16_382) + "\n"
        #expect(try read((header + Self.row).utf8).contents.contacts.map(\.displayName) == ["Ada"])
    }

    @Test func `A row of separators takes no memory for its fields`() {
        var rows = CSVRows(
            text: SourceText(Array(repeating: UInt8(ascii: ","), count: 300_000)), separator: UInt8(ascii: ","))
        let row = rows.next()
        #expect(row?.count == 300_001 && row?.fields.count == CSVRows.mostFields)
    }

    @Test func `A name of 600 kB is read a bounded number of times`() throws {
        let name = String(repeating: "Phone ", count: 100_000)
        let (contents, passes) = try read(("Name,Email,\"\(name)\"\n" + Self.row).utf8)
        #expect(contents.contacts.map(\.displayName) == ["Ada"] && contents.contacts[0].phones.isEmpty)
        #expect(passes <= Self.mostPasses)
    }

    @Test(arguments: ["\"", "\"\"\"", "\"a\",\"", "a,\"b\n\""])
    func `Quotes without end are read a bounded number of times`(quotes: String) throws {
        let line = quotes + String(repeating: "x", count: 60) + "\n"
        let text = "Name,Email\n" + String(repeating: line, count: 8_192) + Self.row
        #expect(try read(text.utf8).passes <= Self.mostPasses)
    }

    @Test func `A text in no character set is read a bounded number of times`() throws {
        // No reading explains the third name, so that each is tried.
        let text = Array("Name,Email,".utf8) + [0xFF, 0x81, 0xFF] + Array("\n".utf8)
        let row = Array("Ada,a@b.c,".utf8) + [0xE4, 0x0A]
        let rows = Array(repeatElement(row, count: 20_000).joined())
        let (contents, passes) = try read(text + rows)
        #expect(contents.contacts.count == 20_000 && passes <= Self.mostPasses)
    }
}
