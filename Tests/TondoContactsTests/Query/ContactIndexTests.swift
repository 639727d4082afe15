import Foundation
import Testing
import TondoTestSupport

@testable import TondoContacts

@Suite struct ContactIndexTests {
    /// What a search finds, spelled out without any index: each word in the folded texts of one contact, or a number in a
    /// phone number.
    private func finds(_ query: String, in contact: Contact) -> Bool {
        let words = ContactSearch.folded(query).split(whereSeparator: \.isWhitespace)
        if words.isEmpty { return true }
        let isNumber = query.allSatisfy { $0.isWhitespace || "0123456789+-().\u{A0}".contains($0) }
        let digits = PhoneMask.digits(of: query)
        if isNumber, !digits.isEmpty, contact.phones.contains(where: { has(digits, in: $0.value) }) { return true }
        let name = contact.name
        let texts =
            [name.formatted, name.given, name.family, name.additional, name.prefix, name.suffix] + name.nicknames
            + contact.organisation + contact.emails.map(\.value) + contact.phones.map(\.value)
        let field = Array(ContactSearch.folded(texts.joined(separator: "\n")).unicodeScalars)
        return words.allSatisfy { word in
            let word = Array(word.unicodeScalars)
            return field.indices.contains { field[$0...].starts(with: word) }
        }
    }

    private func has(_ number: String, in phone: String) -> Bool {
        let digits = PhoneMask.digits(of: phone)
        if digits.contains(number) { return true }
        guard let mobile = PhoneMask.russianMobile(phone) else { return false }
        return mobile.contains(number) || number.first == "8" && mobile.hasPrefix("7" + number.dropFirst())
    }

    private let pieces = [
        "Ada", "ada", "ÅDA", "A\u{30A}da", "Zoë", "Zoe\u{308}", "Łuk", "Straße", "STRASSE", "ss", "ẞ", "Ёлка", "елк",
        "И\u{306}",
        "й", "👩‍💻", "👩", "👩🏽‍💻", "🇸🇪", "ø", "ﬁ", "fi", "İ", "i\u{307}", "ı", "한국", "한", "ᄒ", "नि", "न", "e\u{301}", "\u{301}",
        "Ｗｉｄｅ", "ǆ", "ς", "Σ", "\0", "\r\n", " ", "\u{2028}", "\u{200D}", "+7", "8", "916", "(916) 000-00-01",
        "555-0100", "@example.org", ".",
    ]

    private func text(_ numbers: inout SplitMix64, most: Int) -> String {
        (0..<Int.random(in: 0...most, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }
            .joined()
    }

    private func contact(_ numbers: inout SplitMix64) -> Contact {
        var contact = Contact(id: "\(numbers.next())")
        contact.name.given = text(&numbers, most: 2)
        contact.name.family = text(&numbers, most: 2)
        contact.name.formatted = text(&numbers, most: 3)
        contact.name.nicknames = [text(&numbers, most: 1)]
        contact.organisation = [text(&numbers, most: 1), text(&numbers, most: 1)]
        if Bool.random(using: &numbers) { contact.emails = [ContactPoint(text(&numbers, most: 2))] }
        let phones = ["8 (916) 000-00-01", "+7 916 555 01 00", "9165550100", "89165550100", "+1 555 0100", "8916", ""]
        contact.phones = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
            ContactPoint(phones.randomElement(using: &numbers) ?? "")
        }
        if Bool.random(using: &numbers) { contact.messengers[.signal] = "" }
        contact.groups = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
            let name = text(&numbers, most: 1)
            return ContactGroup(name, id: Bool.random(using: &numbers) ? "g\(numbers.next() % 4)" : nil)
        }
        return contact
    }

    private func rows(_ contacts: [Contact], where isIn: (Contact) -> Bool) -> UInt128 {
        contacts.enumerated().reduce(0) { isIn($1.element) ? $0 | 1 << UInt128($1.offset) : $0 }
    }

    @Test(arguments: 0..<8) func `The index finds what looking into each contact finds`(seed: UInt64) {
        var numbers = SplitMix64(seed)
        let contacts = (0..<[0, 1, 60, 128][Int(seed % 4)]).map { _ in contact(&numbers) }
        let index = ContactIndex(contacts)
        for _ in 0..<40 {
            let query = text(&numbers, most: 3)
            let search = ContactSearch(query)
            let expected = rows(contacts) { finds(query, in: $0) }
            #expect(
                index.rows(.init(filter: ContactFilter(), search: search, group: nil)) == expected,
                "\(query.debugDescription)")
            #expect(rows(contacts, where: search.finds) == expected, "\(query.debugDescription)")
        }
    }

    @Test(arguments: 0..<4) func `All conditions of a selection hold together`(seed: UInt64) {
        var numbers = SplitMix64(100 + seed)
        let contacts = (0..<128).map { _ in contact(&numbers) }
        let index = ContactIndex(contacts)
        for _ in 0..<20 {
            var selection = ContactSelection()
            selection.filter = ContactFilter(
                Set([.phone, .email, .messenger(.signal)].shuffled(using: &numbers).prefix(1)))
            selection.search = ContactSearch(text(&numbers, most: 1))
            selection.group = Bool.random(using: &numbers) ? text(&numbers, most: 1) : "g\(numbers.next() % 4)"
            let chosen = Set(selection.chosen(from: contacts).map(\.id))
            let found = index.rows(.init(filter: selection.filter, search: selection.search, group: selection.group))
            #expect(found == rows(contacts) { chosen.contains($0.id) })
        }
    }

    @Test func `What a contact takes in the index is a little more than its texts`() {
        let contacts = (0..<128).map { number in
            var contact = Contact(id: "\(number)")
            (contact.name.given, contact.name.family) = ("Given\(number)", "Family\(number)")
            contact.name.formatted = "Given\(number) Family\(number)"
            contact.emails = [ContactPoint("given\(number)@example.org")]
            contact.phones = [ContactPoint("+46 70 000 \(1_000 + number)")]
            return contact
        }
        #expect(ContactIndex(contacts).size / 128 < 120)
    }

    @Test func `Texts beyond the capacity are left out`() {
        let contacts = (0..<200).map { Contact(id: "\($0)") }
        #expect(
            ContactIndex(contacts).rows(.init(filter: ContactFilter(), search: ContactSearch(""), group: nil)) == .max)
    }
}
