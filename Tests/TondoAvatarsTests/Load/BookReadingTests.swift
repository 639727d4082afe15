import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars
@testable import TondoContacts

@Suite struct BookReadingTests {
    /// A book of two cards, of which the system had no descriptor for the second.
    private func reading(isWatching: Bool) throws -> (BookReading, [AddressBook.FoundItem]) {
        let small = try SmallBook()
        try small.write(SmallBook.card("ada"), to: "ada.vcf")
        let book = try AddressBook(small.path)
        var scan = try book.scan()
        scan.files.append(
            .failed(ContactFailure(file: "bo.vcf", line: nil, error: .unreadable(.tooManyOpenFiles))))
        var (reading, items) = (BookReading(isWatching ? BookSnapshot() : nil), [AddressBook.FoundItem]())
        reading.read(book, scan) { _, item in
            items.append(item)
            return true
        }
        return (reading, items)
    }

    @Test func `A file for which no descriptor was free is read in the next look, and is no failure`() throws {
        let (reading, items) = try reading(isWatching: true)
        #expect(reading.needsAnotherLook && reading.failures == 0 && items.count == 1)
        #expect(reading.snapshot?.files == ["ada.vcf"])
    }

    @Test func `The snapshot and the events share the bytes of a contact`() throws {
        let (reading, items) = try reading(isWatching: true)
        let found = try items[0].get()
        guard case .packed(let packed) = found else { return #expect(Bool(false)) }
        let kept = try #require(reading.snapshot?.parts["ada.vcf"]?.people.first)
        #expect(packed.bytes.withUnsafeBytes(\.baseAddress) == kept.bytes.withUnsafeBytes(\.baseAddress))
        #expect(packed.id == reading.snapshot?.ids.first && found.contact.name.formatted == kept.name.formatted)
    }

    @Test func `Where no later look is possible, it is a failure`() throws {
        let (reading, items) = try reading(isWatching: false)
        #expect(!reading.needsAnotherLook && reading.failures == 1 && items.count == 2)
    }
}
