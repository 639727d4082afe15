import Foundation
import SystemPackage
import Testing
import TondoTestSupport
import TondoText

@testable import TondoContacts

/// `TondoSchema` writes from packed bytes what `PlainSchema` writes from contacts, byte for byte.
@Suite struct ContactWordsTests {
    private func check(_ contact: Contact, longest: Int? = nil) {
        let avatars = Array(#"{"1":"00"}"#.utf8)
        #expect(
            same(
                TondoSchema.listed(contact, avatar: "/a", avatars: avatars, longest: longest),
                PlainSchema.listed(contact, avatar: "/a", avatars: avatars, longest: longest)))
        var stored = PlainSchema.texts(of: contact, isShown: false)
        stored.add("members", contact.members)
        var bare = contact
        bare.photo = nil
        #expect(same(TondoSchema.line(bare, photo: nil), stored.bytes))
    }

    /// Texts, so that a failure can be read.
    private func same(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        if one == other { return true }
        Issue.record("\(String(decoding: one, as: UTF8.self)) is not \(String(decoding: other, as: UTF8.self))")
        return false
    }

    private static let books: [BookFixture] = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: BookFixture.root.path)) ?? []
        return folders.sorted().flatMap { BookFixture.all(in: $0) }
    }()

    @Test func `The contacts of all books have the JSON that they have unpacked`() throws {
        var contacts: [Contact] = []
        for book in Self.books {
            contacts += (try? Reading(book.bytes).contacts) ?? []
        }
        for book in RecordedBook.all {
            guard case .book(let format) = BookFormat.recognise(try book.bytes) else { continue }
            contacts += (try? format.read(book.bytes, name: book.name).contacts) ?? []
        }
        #expect(contacts.count > 300)
        for contact in contacts { check(contact) }
    }

    @Test func `Contacts with anything in their fields, also too much, have it`() {
        var numbers = SplitMix64(38)
        for _ in 0..<300 {
            let contact = randomContact(&numbers)
            check(contact)
            check(contact, longest: 5)
        }
        var plain = Contact(id: "plain")
        check(plain)
        plain.phones = [ContactPoint("8 900 123 45 67"), ContactPoint("+1 555")]
        plain.groups = [ContactGroup("\u{E9}", id: "e\u{301}"), ContactGroup("a", id: "b", online: -3)]
        plain.name.nicknames = ["\u{2028}\"\\\u{85}\n", String(repeating: "x", count: 7) + "\u{7F}xxxxxxx"]
        check(plain)
    }

    @Test func `Groups whose cards name the contact follow its own, and count for the limit`() {
        var contact = Contact(id: "ada")
        let naming = [ContactGroup("Club", id: "club"), ContactGroup("Chess", online: 2)]
        for own in [[], [ContactGroup("Friends")]] {
            contact.groups = own
            let packed = PackedContact(contact).named(by: naming)
            for longest in [nil, packed.size - 1, packed.size, 15] {
                var json: [UInt8] = []
                TondoSchema.addListed(
                    packed, headline: ContactHeadline(contact), avatar: nil, avatars: nil, longest: longest, to: &json)
                #expect(same(json, PlainSchema.listed(packed.contact, longest: longest)))
            }
        }
    }

    @Test func `The headline of a packed contact is that of the contact`() {
        var numbers = SplitMix64(39)
        var (one, other) = (ContactHeadlines(), ContactHeadlines())
        for _ in 0..<300 {
            let contact = randomContact(&numbers)
            #expect(one.headline(of: PackedContact(contact)) == other.headline(of: contact))
        }
    }
}
