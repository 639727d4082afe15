import Testing
import TondoTestSupport

@testable import TondoContacts

/// Nothing of one person must be shown as another's, whatever happened to the file.
@Suite struct DamagedBookTests {
    /// Together ten thousand.
    private static let booksOfWriter = 1_250

    @Test(arguments: MarkedBook.Writer.allCases)
    func `No contact of a damaged book has values of two records`(writer: MarkedBook.Writer) {
        var numbers = SplitMix64(0x5EED + UInt64(writer.number))
        for number in 0..<Self.booksOfWriter {
            var book = MarkedBook(writer, &numbers)
            var damages: [MarkedBook.Damage] = []
            // The next one leaves its record and the neighbours alone, see `MarkedBook.Damage`.
            for _ in 0...Int.random(in: 0...1, using: &numbers) {
                let damage = writer.damages.randomElement(using: &numbers) ?? .lineDeleted
                book.take(damage, &numbers)
                damages.append(damage)
            }
            for marks in book.marksOfContacts() where marks.count > 1 {
                let text = String(decoding: book.bytes, as: UTF8.self)
                Issue.record("\(writer) book \(number), \(damages): marks \(marks.sorted())\n\(text)")
                return
            }
        }
    }

    @Test(arguments: MarkedBook.Writer.allCases)
    func `A whole book has each value with its record`(writer: MarkedBook.Writer) {
        var numbers = SplitMix64(1)
        let book = MarkedBook(writer, &numbers)
        #expect(book.marksOfContacts() == book.marks.map { [$0] })
    }

    @Test(arguments: MarkedBook.Writer.allCases)
    func `A book behind another one without a line end leaves each value with its record`(writer: MarkedBook.Writer) {
        guard writer.damages.contains(.joined) else { return }
        var numbers = SplitMix64(2)
        for _ in 0..<20 {
            var book = MarkedBook(writer, &numbers)
            book.take(.joined, &numbers)
            let found = Set(book.marksOfContacts().flatMap { $0 })
            // The record at the joint may be refused, the others not.
            #expect(found.count >= book.marks.count - 1, "\(String(decoding: book.bytes, as: UTF8.self))")
        }
    }
}
