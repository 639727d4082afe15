import SystemPackage
import Testing

@testable import TondoContacts

@Suite struct RecordedBookTests {
    @Test(arguments: RecordedBook.all) func `Every book comes out as expected`(fixture: RecordedBook) throws {
        try fixture.compare(described(fixture.bytes, name: fixture.name))
    }

    @Test func `There are books to look at`() {
        #expect(RecordedBook.all.count > 60)
    }

    @Test(arguments: RecordedBook.all) func `A second load gives the same contacts`(fixture: RecordedBook) throws {
        guard case .book(let format) = BookFormat.recognise(try fixture.bytes) else { return }
        let loads = (0..<2).map { _ in try? format.read(fixture.bytes, name: fixture.name) }
        #expect(loads[0] == loads[1])
    }

    /// Hostile files are made by cutting and damaging good ones.
    @Test(arguments: RecordedBook.all) func `No beginning of a book stops the reader`(fixture: RecordedBook) throws {
        let bytes = try fixture.bytes
        guard bytes.count < 20_000 else { return }
        for count in stride(from: 0, to: bytes.count, by: max(bytes.count / 97, 1)) {
            _ = described(Array(bytes.prefix(count)), name: "cut")
        }
    }
}
