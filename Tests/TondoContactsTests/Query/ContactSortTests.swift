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
        ("", ["2", "10", "Room 2", "Room 10", "Room 10a", "Room 011"]),
    ]) func `Names are in the locale's order, forwards and backwards`(locale: String, expected: [String]) {
        var numbers = SplitMix64(3)
        let shuffled = expected.shuffled(using: &numbers)
        #expect(sorted(shuffled, ContactSort(.family, locale: locale)) == expected)
        #expect(sorted(shuffled, ContactSort(.family, isDescending: true, locale: locale)) == expected.reversed())
    }

    @Test func `Contacts without the name come last in both directions, by their ids`() {
        let book = contacts(["", "B", " ", "A", ""])
        #expect(ContactSort(.family).order(of: book) == [3, 1, 0, 2, 4])
        #expect(ContactSort(.family, isDescending: true).order(of: book) == [1, 3, 0, 2, 4])
    }

    private func contact(_ id: String, given: String, family: String, formatted: String = "") -> Contact {
        var contact = Contact(id: id)
        contact.name.given = given
        contact.name.family = family
        contact.name.formatted = formatted
        return contact
    }

    @Test func `Equal names are ordered by the other name, in both directions`() {
        let book = [
            contact("1", given: "Ada", family: "Moe"), contact("2", given: "Zoe", family: "Aas"),
            contact("3", given: "Ada", family: "Bye"), contact("4", given: "Ada", family: ""),
            contact("5", given: "Ada", family: "Lie"),
        ]
        #expect(ContactSort(.given).sorted(book).map(\.id) == ["3", "5", "1", "4", "2"])
        #expect(ContactSort(.given, isDescending: true).sorted(book).map(\.id) == ["2", "1", "5", "3", "4"])
        #expect(ContactSort(.family).sorted(book).map(\.id) == ["2", "4", "3", "5", "1"])
    }

    @Test(arguments: [ContactSort.Name.given, .family])
    func `Companies and people with one name stand by what is shown of them`(_ name: ContactSort.Name) {
        let book = [
            contact("zoe", given: "Zoe", family: "Zander"),
            contact("mill", given: "", family: "", formatted: "Mill Ltd"),
            contact("cher", given: "Cher", family: ""), contact("nobel", given: "", family: "Nobel"),
            contact("none", given: "", family: ""), contact("ada", given: "Ada", family: "Aas"),
        ]
        #expect(ContactSort(name).sorted(book).map(\.id) == ["ada", "cher", "mill", "nobel", "zoe", "none"])
        var headlines = ContactHeadlines(sort: name)
        #expect(book.map { headlines.headline(of: $0).section } == ["Z", "M", "C", "N", "#", "A"])
    }

    @Test func `Companies and nicknames without another name stand by them`() {
        var book = [
            contact("zoe", given: "Zoe", family: "Zander"), contact("mill", given: "", family: ""),
            contact("nick", given: "", family: ""), contact("mail", given: "", family: ""),
            contact("ada", given: "Ada", family: "Aas"),
        ]
        book[1].organisation = ["\u{2800}", "Mill Ltd"]
        book[2].name.nicknames = ["Nick"]
        book[3].emails = [ContactPoint("bo@example.org")]
        #expect(ContactSort(.family).sorted(book).map(\.id) == ["ada", "mill", "nick", "zoe", "mail"])
        var headlines = ContactHeadlines(sort: .family)
        for contact in book {
            let packed = PackedContact(contact)
            #expect(packed.listedName == contact.listedName)
            #expect(headlines.headline(of: packed) == headlines.headline(of: contact))
            #expect(headlines.section(of: packed) == headlines.headline(of: contact).section)
        }
        #expect(book.map { headlines.headline(of: $0).section } == ["Z", "M", "N", "#", "A"])
    }

    @Test func `Chinese family names stand by their own sound, and under no letter in the order of strokes`() {
        let names = ["曾国藩", "单", "王", "曾经的朋友"]
        let book = names.map { contact($0, given: "", family: "", formatted: $0) }
        #expect(ContactSort(.family, locale: "zh_CN").sorted(book).map(\.id) == ["曾经的朋友", "单", "王", "曾国藩"])
        var (pinyin, strokes) = (SectionTitles(locale: "zh_CN"), SectionTitles(locale: "zh_TW"))
        #expect(names.map { pinyin.title(of: $0) } == ["Z", "S", "W", "C"])
        #expect(names.map { strokes.title(of: $0) } == ["曾", "单", "王", "曾"])
    }

    @Test func `Names without a difference are ordered by the formatted name, then by the id`() {
        let book = [
            contact("c", given: "Ada", family: "Moe", formatted: "Moe, Ada"),
            contact("b", given: "Ada", family: "Moe", formatted: "Ada Moe"),
            contact("a", given: "Ada", family: "Moe", formatted: "Ada Moe"), contact("d", given: "Ada", family: "Moe"),
        ]
        for book in [book, book.reversed()] {
            #expect(ContactSort(.given).sorted(book).map(\.id) == ["a", "b", "c", "d"])
            #expect(ContactSort(.family, isDescending: true).sorted(book).map(\.id) == ["c", "a", "b", "d"])
        }
    }

    @Test func `Contacts without the sorted name stand where the shown one belongs`() {
        let book = [
            contact("1", given: "Cy", family: ""), contact("2", given: "Ada", family: ""),
            contact("3", given: "Bo", family: "Lie"), contact("4", given: "", family: "", formatted: "Zoo"),
            contact("5", given: "", family: "", formatted: "Bar"),
        ]
        #expect(ContactSort(.family).sorted(book).map(\.id) == ["2", "5", "1", "3", "4"])
    }

    @Test func `Names that the rules do not distinguish are ordered by the other name`() {
        // A soft hyphen has no weight.
        let book = [
            contact("1", given: "Ada", family: "Moe"), contact("2", given: "A\u{AD}da", family: "Lie"),
            contact("3", given: "Ada", family: "Aas"),
        ]
        #expect(ContactSort(.given).sorted(book).map(\.id) == ["3", "2", "1"])
    }

    @Test func `The order does not depend on the order of the book`() {
        var numbers = SplitMix64(17)
        var book = (0..<60).map { index in
            contact(
                "\(index)", given: ["Ada", "ada", "Bo", ""][index % 4], family: ["Moe", "Lie", ""][index % 3],
                formatted: ["", "X", "Y"][index % 7 % 3])
        }
        let order = ContactSort(.given).sorted(book).map(\.id)
        for _ in 0..<10 {
            book.shuffle(using: &numbers)
            #expect(ContactSort(.given).sorted(book).map(\.id) == order)
        }
    }

    @Test func `Given names are sorted by themselves`() {
        let book = contacts(["ab", "ba"])
        #expect(ContactSort(.given).order(of: book) == [1, 0])
    }

    @Test func `Names are sorted and indexed by their readings, if they have some`() {
        var book = contacts(["高橋", "青木", "佐藤", "van den Berg", "Ada"])
        for (index, reading) in ["たかはし", "あおき", "さとう", "Berg", ""].enumerated() {
            book[index].name.sortFamily = reading
        }
        #expect(ContactSort(.family, locale: "ja").order(of: book) == [4, 3, 1, 2, 0])
        var headlines = ContactHeadlines(sort: .family, locale: "ja")
        #expect(book.map { headlines.headline(of: $0).section } == ["た", "あ", "さ", "B", "A"])
        // The other name decides by its reading, too.
        for index in book.indices { book[index].name.given = "x" }
        #expect(ContactSort(.given, locale: "ja").order(of: book) == [4, 3, 1, 2, 0])
        let comparison = NameComparison(sort: ContactSort(.given, locale: "ja"))
        let keys = book.map { comparison.key(of: $0.name, id: $0.id) }
        #expect(comparison.isBefore(keys[1], keys[2]) && comparison.isBefore(keys[2], keys[0]))
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

    @Test func `Ten thousand names are in their order, equal ones in that of their ids`() {
        var numbers = SplitMix64(5)
        let names = (0..<10_000).map { _ in "Петров\(Int.random(in: 1000...6000, using: &numbers))" }
        let sorted = ContactSort(.family).order(of: contacts(names)).map { (names[$0], "\($0)") }
        #expect(sorted.count == names.count && zip(sorted, sorted.dropFirst()).allSatisfy { $0 < $1 })
    }
}
