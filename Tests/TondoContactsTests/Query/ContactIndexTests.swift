import Foundation
import Testing
import TondoTestSupport

@testable import TondoContacts

@Suite struct ContactIndexTests {
    /// Whether each word is in the folded texts of one contact: the least that a search finds.
    private func holds(_ query: String, in contact: Contact) -> Bool {
        let texts = contact.searchedTexts.map { Array(SearchFold.folded($0.text).unicodeScalars) }
        return query.split(whereSeparator: \.isWhitespace).allSatisfy { word in
            let word = Array(SearchFold.folded(String(word)).unicodeScalars)
            return word.isEmpty || texts.contains { text in text.indices.contains { text[$0...].starts(with: word) } }
        }
    }

    private func found(_ index: ContactIndex, _ contacts: [Contact], _ condition: ContactIndex.Condition) -> UInt128 {
        index.rows(condition) { SearchRows(contacts) }
    }

    private let pieces = [
        "Ada", "ada", "ÅDA", "A\u{30A}da", "Zoë", "Zoe\u{308}", "Łuk", "Straße", "STRASSE", "ss", "ẞ", "Ёлка", "елк",
        "И\u{306}",
        "й", "👩‍💻", "👩", "👩🏽‍💻", "🇸🇪", "ø", "ﬁ", "fi", "İ", "i\u{307}", "ı", "한국", "한", "ᄒ", "नि", "न", "e\u{301}", "\u{301}",
        "Ｗｉｄｅ", "ǆ", "ς", "Σ", "Дмитрий", "dmitry", "惠美", "hui", "mei", "タナカ", "tanaka", "Müller", "muell", "O’B",
        "علی", "\0", "\r\n", " ", "\u{2028}", "\u{200D}", "+7", "8", "916", "(916) 000-00-01",
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
        contact.introduction = text(&numbers, most: 3)
        contact.addresses = [ContactPoint("Street 1\n" + text(&numbers, most: 1))]
        if Bool.random(using: &numbers) { contact.emails = [ContactPoint(text(&numbers, most: 2))] }
        let phones = ["8 (916) 000-00-01", "+7 916 555 01 00", "9165550100", "89165550100", "+1 555 0100", "8916", ""]
        contact.phones = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
            ContactPoint(phones.randomElement(using: &numbers) ?? "")
        }
        if Bool.random(using: &numbers) {
            contact.messengers[.signal] = ["", "ada", "+7 916 555 01 00"].randomElement()
        }
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
            let found = found(index, contacts, .init(filter: ContactFilter(), search: search, group: nil))
            #expect(rows(contacts, where: search.finds) == found, "\(query.debugDescription)")
            let least = rows(contacts) { holds(query, in: $0) }
            #expect(found & least == least, "\(query.debugDescription)")
        }
    }

    @Test(arguments: 0..<8) func `What is found has a match, whose ranges are in its text`(seed: UInt64) {
        var numbers = SplitMix64(200 + seed)
        for _ in 0..<60 {
            let (contact, query) = (contact(&numbers), text(&numbers, most: 2))
            let search = ContactSearch(query)
            if search.isEmpty || !search.finds(contact) { continue }
            let match = search.match(in: contact)
            #expect(match != nil, "\(query.debugDescription)")
            let ranges = match?.ranges ?? []
            #expect(!ranges.isEmpty && ranges.allSatisfy { !$0.isEmpty }, "\(query.debugDescription)")
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            #expect((ranges.last?.upperBound ?? 0) <= match?.text.utf16.count ?? 0, "\(query.debugDescription)")
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
            let found = found(
                index, contacts,
                .init(filter: selection.filter, search: selection.search, group: selection.group))
            #expect(found == rows(contacts) { chosen.contains($0.id) })
        }
    }

    @Test func `What a contact takes for searches is a little more than its texts`() {
        let contacts = (0..<128).map { number in
            var contact = Contact(id: "\(number)")
            (contact.name.given, contact.name.family) = ("Дмитрий", "Иванов\(number)")
            contact.name.formatted = "Дмитрий Иванов\(number)"
            contact.organisation = ["Harbour Pilots"]
            contact.addresses = [ContactPoint("Main Street 1\n12345 Gothenburg")]
            contact.emails = [ContactPoint("given\(number)@example.org")]
            contact.phones = [ContactPoint("+46 70 000 \(1_000 + number)")]
            return contact
        }
        #expect(SearchRows(contacts).size / 128 < 200)
    }

    @Test func `Contacts beyond the capacity are left out`() {
        let contacts = (0..<200).map { Contact(id: "\($0)") }
        let condition = ContactIndex.Condition(filter: ContactFilter(), search: ContactSearch(""), group: nil)
        #expect(found(ContactIndex(contacts), contacts, condition) == .max)
    }

    @Test func `A list without a search needs no texts`() {
        let condition = ContactIndex.Condition(filter: ContactFilter([.email]), search: ContactSearch(" "), group: "a")
        _ = ContactIndex([Contact(id: "a")]).rows(condition) {
            Issue.record("folded")
            return SearchRows([Contact]())
        }
        #expect(!condition.isSearch && !condition.isWhole)
    }
}
