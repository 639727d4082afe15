import SystemPackage
import Testing

@testable import TondoContacts

/// Contacts that are changed in their file, and become what they were.
@Suite struct RevertTests {
    private static let photo = CardPhoto.Replacement(bytes: CardPhotoFixtureTests.picture(300))

    private func contacts(_ file: [UInt8]) throws -> [Contact] {
        try BookFormat.vCard.read(file, name: "book.vcf").contacts
    }

    private func card(_ name: String, _ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "UID:\(name)", "FN:\(name)"] + lines + ["END:VCARD", ""]).joined(
            separator: "\r\n")
    }

    private func file(_ cards: String...) -> [UInt8] { Array(cards.joined().utf8) }

    /// Gives contacts of the file this photo. The records are in the order of undoing.
    private func set(
        _ photo: CardPhoto.Replacement?, of names: [String], in file: [UInt8]
    ) throws -> (file: [UInt8], records: [TrashRecord]) {
        let wanted = try contacts(file).filter { names.contains($0.id) }
        var records: [TrashRecord] = []
        let changed = try FileEdit.applied(to: file, contacts: wanted) { _, card throws(ContactsError) in
            try CardPhoto.replaced(in: card, by: photo, now: 7)
        } each: { contact, cut in
            if !cut.isEmpty { records.append(TrashRecord(cut: cut, of: contact, file: "/book", removedAt: 7)) }
        }
        return (changed, records.reversed())
    }

    @Test(arguments: CardPhotoFixtureTests.books) func `Each card of each book is what it was after a change is undone`(
        _ book: BookFixture
    ) throws {
        let file = try book.bytes
        guard case .book(.vCard) = BookFormat.recognise(file), let all = try? contacts(file) else { return }
        for contact in all {
            var cuts: [Cut] = []
            let changed: [UInt8]
            do {
                changed = try FileEdit.applied(to: file, contacts: [contact]) { _, card throws(ContactsError) in
                    try CardPhoto.replaced(in: card, by: Self.photo, now: 7)
                } each: { _, cut in
                    cuts.append(cut)
                }
            } catch {
                // Equal cards are told apart by what surrounds them.
                guard case .contactMoved = error else { throw error }
                continue
            }
            let record = TrashRecord(cut: cuts[0], of: contact, file: "/book", removedAt: 7)
            #expect(try record.restored(into: changed) == file)
            #expect(try TrashRecord(decoding: record.encoded()) == record)
        }
    }

    @Test func `The other cards stay byte for byte, and all come back together`() throws {
        let before = file(card("a", "PHOTO:/9j/4AAQSkZJRgABAQAAYABgAAD"), card("b"), "\r\n", card("c", "NOTE:n"))
        let (after, records) = try set(Self.photo, of: ["a", "c"], in: before)
        #expect(records.count == 2)
        #expect(after.firstRange(of: Array(card("b").utf8)) != nil)
        #expect(try TrashRecord.restored(records, into: after) == .init(file: before, present: []))
        #expect(try TrashRecord.restored(records.reversed(), into: after).file == before)
    }

    @Test func `A photo that is there already is no change`() throws {
        let before = file(card("a"), card("b"))
        let (after, _) = try set(Self.photo, of: ["a"], in: before)
        let (again, records) = try set(Self.photo, of: ["a"], in: after)
        #expect(again == after && records.isEmpty)
    }

    @Test func `Changes of one card are undone one after the other`() throws {
        let first = file(card("a"), card("b"))
        let (second, one) = try set(Self.photo, of: ["a"], in: first)
        let (third, two) = try set(.init(bytes: CardPhotoFixtureTests.picture(9)), of: ["a"], in: second)
        #expect(try TrashRecord.restored(two, into: third).file == second)
        #expect(try TrashRecord.restored(two + one, into: third).file == first)
        #expect(throws: ContactsError.self) { try TrashRecord.restored(one, into: third) }
    }

    @Test func `A card that moved in its file is found, and what came meanwhile stays`() throws {
        let (after, records) = try set(Self.photo, of: ["a"], in: file(card("a"), card("b")))
        let changed = try contacts(after)[0].place.map { Array(after[$0.bytes]) } ?? []
        let moved = file(card("new"), card("b", "NOTE:edited")) + changed
        #expect(
            try TrashRecord.restored(records, into: moved).file
                == file(card("new"), card("b", "NOTE:edited"), card("a")))
    }

    @Test func `A card that another program changed since is left alone`() throws {
        let (after, records) = try set(Self.photo, of: ["a"], in: file(card("a"), card("b")))
        let text = String(decoding: after, as: UTF8.self).replacing("FN:a", with: "FN:A.")
        #expect(throws: ContactsError.refused("the contact was changed or removed since")) {
            try records[0].restored(into: Array(text.utf8))
        }
    }

    @Test func `A change that never reached the file is known as such`() throws {
        let before = file(card("a"), card("b"))
        let (_, records) = try set(Self.photo, of: ["a"], in: before)
        #expect(try TrashRecord.restored(records, into: before) == .init(file: before, present: [0]))
    }

    @Test func `A rewrite that changes more than the photo is refused`() throws {
        let before = file(card("a"), card("b"))
        let wanted = [try contacts(before)[0]]
        for text in [card("a", "TEL:1"), "", card("a") + card("b"), "BEGIN:VCARD\r\nFN:a\r\n"] {
            #expect(throws: ContactsError.self) {
                try FileEdit.applied(to: before, contacts: wanted) { _, _ throws(ContactsError) in
                    Array(text.utf8)
                } each: { _, _ in
                }
            }
        }
    }

    @Test(arguments: [#"[{"first_name":"A"}]"#, "First Name,Last Name\r\nA,b\r\n", "dn: cn=a\ncn: A\n"])
    func `Books of other formats say that they store no photos`(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard case .book(let format) = BookFormat.recognise(bytes) else { throw ContactsError.notABook }
        let all = try format.read(bytes, name: "book").contacts
        let error = #expect(throws: ContactsError.self) {
            try FileEdit.applied(to: bytes, contacts: all) { _, card throws(ContactsError) in
                card
            } each: { _, _ in
            }
        }
        #expect("\(try #require(error))".hasPrefix("not changed: only vCards can store a photo, not "))
    }

    @Test func `Programs before this one refuse the record, which they would put beside the card`() throws {
        let (_, records) = try set(Self.photo, of: ["a"], in: file(card("a")))
        let text = String(decoding: try records[0].encoded(), as: UTF8.self)
        #expect(text.contains("\"tondoTrash\" : 2"))
    }
}
