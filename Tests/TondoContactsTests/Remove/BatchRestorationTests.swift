import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoContacts

/// Many contacts come back into a file that another program changed since.
@Suite struct BatchRestorationTests {
    /// A book of one format: its text from the names of its contacts.
    struct Book: Sendable, CustomTestStringConvertible {
        let format: BookFormat
        let text: @Sendable ([String]) -> String
        var testDescription: String { format.word }

        func file(_ names: [String]) -> [UInt8] { Array(text(names).utf8) }

        static let all = [
            Book(format: .vCard) { names in
                names.map { "BEGIN:VCARD\nVERSION:3.0\nFN:\($0)\nNOTE:Some words\nEND:VCARD\n" }.joined()
            },
            Book(format: .ldif) { names in
                names.map { "dn: cn=\($0),dc=example\nobjectClass: person\ncn: \($0)\n" }.joined(separator: "\n")
            },
            Book(format: .csv) { names in
                "Name,Email,Notes\n" + names.map { "\($0),\($0)@example.org,Some words of a note\n" }.joined()
            },
            Book(format: .json(.tondo)) { names in
                let contacts = names.map { #"{"id":"\#($0)","name":{"formatted":"\#($0)"},"role":"A role"}"# }
                return "{\"tondo\":1,\"contacts\":[\n" + contacts.joined(separator: ",\n") + "\n]}\n"
            },
        ]
    }

    private func names(_ file: [UInt8], _ book: Book) throws -> [String] {
        try book.format.read(file, name: "book").contacts.map(\.displayName)
    }

    /// The records of contacts that were removed in this order, the last one first, and the file without them.
    private func remove(
        _ gone: [String], from file: [UInt8], _ book: Book
    ) throws -> (records: [TrashRecord], file: [UInt8]) {
        var (file, records) = (file, [TrashRecord]())
        for name in gone {
            let contact = try #require(
                try book.format.read(file, name: "book").contacts.first { $0.displayName == name })
            let removal = try FileEdit(removing: contact, from: file)
            records.append(TrashRecord(cut: removal.cut, of: contact, file: "/book", removedAt: 5))
            file = removal.remaining
        }
        return (records.reversed(), file)
    }

    /// Cards that are removed from the last one on.
    private func cuts(_ names: [String], of file: [UInt8]) throws -> (records: [TrashRecord], file: [UInt8]) {
        let contacts = try BookFormat.vCard.read(file, name: "book").contacts
        let gone = Set(names)
        var records: [TrashRecord] = []
        let rest = try FileEdit.applied(to: file, contacts: contacts.filter { gone.contains($0.displayName) }) {
            contact, cut in
            records.append(TrashRecord(cut: cut, of: contact, file: "/book", removedAt: 5))
        }
        return (records.reversed(), rest)
    }

    @Test(arguments: Book.all) func `They come back where each alone would, one after the other`(book: Book) throws {
        var random = SplitMix64(11)
        for _ in 0..<15 {
            let all = (0..<12).map { "Name\($0)x" }
            let gone = all.shuffled(using: &random).prefix(7)
            let (records, left) = try remove(Array(gone), from: book.file(all), book)
            // Another program adds some, and takes one away.
            var now = try names(left, book)
            now.insert("Newx", at: Int.random(in: 0...now.count, using: &random))
            now.remove(at: Int.random(in: 0..<now.count, using: &random))
            let file = book.file(now)
            var alone = file
            for record in records { alone = try record.restored(into: alone) }
            let batch = try TrashRecord.restored(records, into: file)
            #expect(batch.file == alone && batch.present.isEmpty)
            #expect(Set(try names(batch.file, book)) == Set(now).union(gone))
        }
    }

    @Test func `Those that were never removed are left alone`() throws {
        let book = Book.all[0]
        let all = (0..<6).map { "Name\($0)" }
        let (records, left) = try remove(["Name1", "Name4"], from: book.file(all), book)
        let file = book.file(try names(left, book) + ["Name9"])
        let whole = book.file(all + ["Name9"])
        #expect(try TrashRecord.restored(records, into: whole) == .init(file: whole, present: [0, 1]))
        #expect(try TrashRecord.restored(records, into: file).file == whole)
    }

    /// Each byte is moved, hashed and searched a few times, however many contacts come back.
    @Test(arguments: [200, 800], [false, true]) func `They cost a few passes over the file`(
        count: Int, hasNeighbours: Bool
    ) throws {
        let all = (0..<count).map { "Name\($0)" }
        let book = Book.all[0]
        let (records, left) = try cuts(
            all.enumerated().filter { $0.offset % 2 == 0 }.map(\.element), of: book.file(all))
        let file = hasNeighbours ? left + book.file(["New"]) : book.file((0..<count / 2).map { "Other\($0)" })
        var growing = GrowingFile(bytes: file, records: records)
        try growing.restoreAll()
        #expect(growing.bytes.count == book.file(all).count + (file.count - left.count))
        let lengths = Set(records.flatMap { [$0.neighbours.count, $0.beginning.count] }).count
        // Around each contact, some hundred bytes are looked at.
        #expect(growing.work <= (4 + lengths) * growing.bytes.count + records.count * (1_500 + 512 * lengths))
    }

    @Test func `Elements at the end of an array are put there one behind the other`() throws {
        let book = Book.all[3]
        let all = (0..<40).map { "Name\($0)" }
        let (records, _) = try remove(Array(all.prefix(20)), from: book.file(all), book)
        let batch = try TrashRecord.restored(records, into: book.file(["Other"]))
        #expect(try names(batch.file, book).count == 21)
        let none = try TrashRecord.restored(records, into: book.file([]))
        #expect(try names(none.file, book).count == 20)
    }
}
