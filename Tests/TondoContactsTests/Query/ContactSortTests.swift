import Testing
import TondoTestSupport

@testable import TondoContacts

@Suite struct ContactSortTests {
    private func contacts(_ families: [String]) -> [Contact] {
        families.enumerated().map { index, family in
            var contact = Contact(id: "\(index)")
            contact.name.family = family
            contact.name.given = String(family.reversed())
            return contact
        }
    }

    private func sorted(_ families: [String], _ sort: ContactSort) -> [String] {
        sort.sorted(contacts(families)).map(\.name.family)
    }

    @Test(arguments: [
        ("", ["apple", "Apple", "Émile", "Emily", "Ol", "Öl", "Zebra", "Ёлка", "Жук", "яма", "李", "王", "张"]),
        ("sv_SE", ["Emily", "Zebra", "Ångström", "Ärla", "Öl"]),
        ("de_DE", ["Ångström", "Ärla", "Emily", "Öl", "Zebra"]),
        ("ru_RU", ["Елка", "Ёлка", "Жук", "яма", "Ada"]),
        ("zh_CN", ["李", "王", "张", "Ada", "Жук"]),
        ("en_US", ["Ada", "Жук", "陈", "李明", "王"]),
    ]) func `Names are in the locale's order, forwards and backwards`(locale: String, expected: [String]) {
        var numbers = SplitMix64(3)
        let shuffled = expected.shuffled(using: &numbers)
        #expect(sorted(shuffled, ContactSort(.family, locale: locale)) == expected)
        #expect(sorted(shuffled, ContactSort(.family, isDescending: true, locale: locale)) == expected.reversed())
    }

    @Test func `Contacts without the name come last in both directions, in the book's order`() {
        let book = contacts(["", "B", " ", "A", ""])
        #expect(ContactSort(.family).order(of: book) == [3, 1, 0, 2, 4])
        #expect(ContactSort(.family, isDescending: true).order(of: book) == [1, 3, 0, 2, 4])
    }

    @Test func `Equal names keep the book's order in both directions`() {
        let book = contacts(["B", "A", "B", "A", "B"])
        #expect(ContactSort(.family).order(of: book) == [1, 3, 0, 2, 4])
        #expect(ContactSort(.family, isDescending: true).order(of: book) == [0, 2, 4, 1, 3])
    }

    @Test func `Given names are sorted by themselves`() {
        let book = contacts(["ab", "ba"])
        #expect(ContactSort(.given).order(of: book) == [1, 0])
    }

    @Test func `Orders are read from words`() {
        #expect(ContactSort("family-desc") == ContactSort(.family, isDescending: true))
        #expect(ContactSort("Given", locale: "sv") == ContactSort(.given, locale: "sv"))
        #expect(ContactSort("given-asc") == ContactSort(.given))
        for text in ["", "age", "family-", "family-desc-desc", "-desc"] { #expect(ContactSort(text) == nil) }
    }

    @Test func `The environment gives the locale as in POSIX`() {
        #expect(ContactSort.locale(ofEnvironment: ["LANG": "ru_RU.UTF-8"]) == "ru_RU")
        #expect(
            ContactSort.locale(ofEnvironment: ["LANG": "ru_RU", "LC_COLLATE": "de_DE@euro", "LC_ALL": ""]) == "de_DE")
        #expect(ContactSort.locale(ofEnvironment: ["LC_ALL": "C.UTF-8", "LANG": "ru_RU"]) == "")
        #expect(ContactSort.locale(ofEnvironment: [:]) == "")
    }

    @Test func `Ten thousand names are sorted in a moment`() {
        var numbers = SplitMix64(5)
        let names = (0..<10_000).map { _ in "Петров\(Int.random(in: 0...5000, using: &numbers))" }
        let time = ContinuousClock().measure { _ = ContactSort(.family).order(of: contacts(names)) }
        #expect(time < .seconds(10))
    }
}
