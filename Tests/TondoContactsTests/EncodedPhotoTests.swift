import Testing

@testable import TondoContacts

@Suite struct EncodedPhotoTests {
    private let book = Array("PHOTO:QUJDREVGR0g=\r\n".utf8)

    private func photo(in book: [UInt8], _ range: Range<Int>) -> EncodedPhoto {
        book.withUnsafeBytes { EncodedPhoto(range, of: $0, encoding: .base64) }
    }

    private func decoded(_ photo: EncodedPhoto, _ book: [UInt8]) throws -> [UInt8] {
        try book.withUnsafeBytes { try photo.decoded(from: UnsafeRawBufferPointer(rebasing: $0[photo.bytes])) }
    }

    @Test func `A picture is decoded from the book's bytes when it is asked for`() throws {
        #expect(try decoded(photo(in: book, 6..<18), book) == Array("ABCDEFGH".utf8))
    }

    @Test func `A book that changed meanwhile gives no wrong picture`() {
        let photo = photo(in: book, 6..<18)
        for index in 6..<18 {
            var changed = book
            changed[index] ^= 1
            #expect(throws: ContactsError.photoChanged) { try decoded(photo, changed) }
        }
        #expect(throws: ContactsError.photoChanged) {
            try Array(book[6..<17]).withUnsafeBytes { try photo.decoded(from: $0) }
        }
    }

    @Test func `The same text elsewhere is the same picture`() {
        let moved = Array("N:A\r\n".utf8) + book
        #expect(photo(in: book, 6..<18) == photo(in: moved, 11..<23))
        #expect(photo(in: book, 6..<18) != photo(in: book, 6..<17))
    }

    @Test func `Text without any byte in it is broken`() {
        #expect(throws: ContactsError.photoBroken("no bytes")) { try decoded(photo(in: book, 17..<18), book) }
    }
}
