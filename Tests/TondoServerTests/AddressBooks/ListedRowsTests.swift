import Testing
import TondoContacts

@testable import TondoServer

@Suite struct ListedRowsTests {
    private let directory = ContactDirectory()

    private static let variants = [
        ContactList.Variant(), ContactList.Variant(sort: .family), ContactList.Variant(sort: .family, locale: "sv"),
    ]

    init() {
        for number in 0..<300 { directory.put(contact(number, family: "Öberg \(number)"), in: 0) }
    }

    private func contact(_ number: Int, family: String) -> Contact {
        var contact = Contact(id: "id\(number)")
        (contact.name.given, contact.name.family) = ("Ada", family)
        return contact
    }

    private func json(_ variant: ContactList.Variant = .init()) -> String {
        var json: [UInt8] = []
        let list = ContactList(of: directory.snapshot)
        list.add(0..<list.count, variant: variant, to: &json)
        return String(decoding: json, as: UTF8.self)
    }

    @Test func `A list says the same when it is asked for again, in each order and locale`() {
        let first = Self.variants.map { json($0) }
        #expect(Set(first).count == 3, "they differ in the section")
        #expect(Self.variants.map { json($0) } == first)
        #expect(Self.variants.reversed().map { json($0) } == first.reversed())
    }

    @Test func `A contact that changed is said anew, and those beside it stay`() {
        let first = json()
        directory.put(contact(7, family: "Zeppelin"), in: 0)
        let changed = json()
        #expect(changed.contains(#""displayName":"Ada Zeppelin""#) && !changed.contains(#""Ada Öberg 7""#))
        directory.put(contact(7, family: "Öberg 7"), in: 0)
        #expect(json() == first)
    }

    @Test func `What lists know besides the contact is not kept`() {
        let first = json()
        _ = directory.setFavourite("id3", true)
        let favourite = json()
        #expect(favourite.contains(#""favourite":true"#))
        _ = directory.setFavourite("id3", false)
        #expect(json() == first)
    }

    @Test func `The bytes that are kept are limited, and given back with the block`() {
        let budget = ListedRows.Budget(most: 10)
        var rows: ListedRows? = ListedRows(budget: budget)
        var json: [UInt8] = []
        for row in 0..<3 { rows?.keep([1, 2, 3, 4], of: "id\(row)", inRow: row, of: 3, variant: .init()) }
        rows?.keep([1, 2, 3, 4], of: "id0", inRow: 0, of: 3, variant: .init())
        #expect(budget.bytes == 8)
        #expect((0..<3).map { rows?.add($0, variant: .init(), to: &json) } == ["id0", "id1", nil])
        #expect(json == [1, 2, 3, 4, 1, 2, 3, 4])
        rows = nil
        #expect(budget.bytes == 0)
    }

    @Test func `Rows of few orders and locales are kept`() {
        let budget = ListedRows.Budget(most: 1_000)
        let rows = ListedRows(budget: budget)
        for variant in Self.variants { rows.keep([1], of: "id0", inRow: 0, of: 1, variant: variant) }
        #expect(budget.bytes == 2)
        var json: [UInt8] = []
        #expect(rows.add(0, variant: Self.variants[2], to: &json) == nil)
    }
}
