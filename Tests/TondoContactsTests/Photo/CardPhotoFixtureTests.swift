import Foundation
import SystemPackage
import Testing

@testable import TondoContacts

/// Every card of every vCard fixture gets another photo, and loses it.
@Suite struct CardPhotoFixtureTests {
    static let books: [BookFixture] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: BookFixture.root.path)) ?? []
        return names.sorted().flatMap { BookFixture.all(in: $0) }
    }()

    /// A JPEG by its first bytes, of a length that leaves each padding.
    static func picture(_ count: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0] + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 5) }
    }

    /// The bytes of each contact, as its file has them, without a byte-order mark of the file.
    static func cards(_ book: BookFixture) throws -> [[UInt8]] {
        let file = try book.bytes
        guard case .book(.vCard) = BookFormat.recognise(file) else { return [] }
        let mark = TextLayout(file).markCount
        return try BookFormat.vCard.read(file, name: "book.vcf").contacts.compactMap { contact in
            contact.place.map { Array(file[max($0.bytes.lowerBound, mark)..<$0.bytes.upperBound]) }
        }
    }

    @Test func `There are cards to change`() {
        #expect(Self.books.count > 200)
    }

    @Test(arguments: books) func `A photo that is set is read back, and setting it again changes nothing`(
        _ book: BookFixture
    ) throws {
        for (index, card) in try Self.cards(book).enumerated() {
            let crop = index % 2 == 0 ? nil : PhotoCrop(x: -1, y: 2, width: 30, height: 40)
            let new = CardPhoto.Replacement(bytes: Self.picture(100 + index % 3), crop: crop)
            let changed = try CardPhoto.replaced(in: card, by: new, now: 1_800_000_000)
            let contact = try Self.contact(changed)
            #expect(try Self.photo(contact, changed) == new.bytes)
            #expect(try CardPhoto.replaced(in: changed, by: new, now: 1_800_000_000) == changed)
        }
    }

    /// Lines that stay, in their order, are all that is left without the photo.
    @Test(arguments: books) func `A photo that is removed takes whole lines with it, and no others`(
        _ book: BookFixture
    ) throws {
        for card in try Self.cards(book) {
            let new = CardPhoto.Replacement(bytes: Self.picture(100))
            let set = try CardPhoto.replaced(in: card, by: new, now: 1_800_000_000)
            let bare: [UInt8]
            do { bare = try CardPhoto.replaced(in: card, by: nil, now: 1_800_000_000) } catch {
                #expect("\(error)".contains("LOGO"))
                continue
            }
            #expect(try Self.contact(bare).photo == nil)
            var left = Self.lines(bare)[...]
            for line in Self.lines(card) where left.first == line { left.removeFirst() }
            // Its date may be another one.
            if Self.plain(card).contains("rev") { continue }
            #expect(left.isEmpty)
            #expect(try CardPhoto.replaced(in: set, by: nil, now: 1_800_000_000) == bare)
        }
    }

    @Test(arguments: books) func `A card without a photo and a date is what it was once its new photo is removed`(
        _ book: BookFixture
    ) throws {
        for card in try Self.cards(book) {
            let text = Self.plain(card)
            guard !text.contains("photo"), !text.contains("rev") else { continue }
            let set = try CardPhoto.replaced(in: card, by: .init(bytes: Self.picture(99)), now: 5)
            let back: [UInt8]
            do { back = try CardPhoto.replaced(in: set, by: nil, now: 6) } catch {
                #expect("\(error)".contains("LOGO"))
                continue
            }
            #expect(back == card)
        }
    }

    static func contact(_ card: [UInt8]) throws -> Contact {
        try #require(try BookFormat.vCard.read(card, name: "card.vcf").contacts.first)
    }

    static func photo(_ contact: Contact, _ card: [UInt8]) throws -> [UInt8]? {
        guard case .inline(.encoded(let text), _) = contact.photo else { return nil }
        return try card[text.bytes].withUnsafeBytes { bytes in
            Result { () throws(ContactsError) in try text.decoded(from: bytes) }
        }.get()
    }

    /// Unfolded, in lower case.
    private static func plain(_ card: [UInt8]) -> String {
        String(decoding: narrow(card), as: UTF8.self).replacing("\r\n ", with: "").lowercased()
    }

    /// Without the zeros of UTF-16.
    private static func narrow(_ card: [UInt8]) -> [UInt8] { card.filter { $0 != 0 } }

    private static func lines(_ card: [UInt8]) -> [[UInt8]] {
        narrow(card).split(omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }.map(Array.init)
    }
}
