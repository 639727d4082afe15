import Testing
import TondoContacts

@testable import TondoServer

@Suite struct ContactRowsTests {
    private func packed(_ id: String, _ name: String = "") -> PackedContact {
        var contact = Contact(id: id)
        contact.name.given = name
        return PackedContact(contact)
    }

    @Test func `Any changes lead to the rows of an array`() {
        // The same choices in every run (a linear congruential generator).
        var state: UInt64 = 3
        func choice(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        var (rows, expected) = (ContactRows((0..<300).map { packed("\($0)") }), (0..<300).map { "\($0)" })
        for step in 0..<3_000 {
            let id = "\(choice(900))"
            let old = expected.firstIndex(of: id)
            switch choice(step < 1_500 ? 4 : 6) {
            case 0: #expect(rows.replace(packed(id))?.id == old.map { expected[$0] })
            case 1, 2, 3:
                // Often where it is, or at an end.
                let index = [old ?? 0, choice(expected.count + 1), 0, expected.count + 1][choice(4)]
                expected.removeAll { $0 == id }
                let place = min(index, expected.count)
                expected.insert(id, at: place)
                let (former, position) = rows.put(packed(id), at: index)
                #expect(former?.id == old.map { _ in id } && position == place)
            default:
                let removed = rows.remove(id)
                #expect(removed?.old.id == old.map { expected[$0] } && removed?.position == old)
                expected.removeAll { $0 == id }
            }
            if step % 100 > 0 { continue }
            #expect(rows.contacts.map(\.id) == expected && rows.count == expected.count)
            #expect(rows.makeBlocks().flatMap { $0.contacts.map(\.id) } == expected)
            #expect(
                zip(expected, expected.dropFirst()).allSatisfy {
                    rows.isBefore($0, $1) && !rows.isBefore($1, $0)
                })
        }
    }

    @Test func `Contacts that come one after the other fill their blocks, also in a book that is reversed`() {
        var rows = ContactRows((0..<1_280).map { packed("\($0)") })
        #expect(rows.makeBlocks().count == 10)
        for number in 0..<1_280 { rows.put(packed("\(1_279 - number)"), at: number) }
        #expect(rows.contacts.map(\.id) == (0..<1_280).reversed().map { "\($0)" })
        #expect(rows.makeBlocks().count <= 12)
    }

    @Test func `A contact that is put where it is makes its block again alone, also a full one`() {
        var rows = ContactRows((0..<1_024).map { packed("\($0)") })
        let before = rows.makeBlocks()
        for place in [128, 255, 1_023] { rows.put(packed("\(place)", "new"), at: place) }
        #expect(zip(before, rows.makeBlocks()).map { $0 !== $1 } == (0..<8).map { [1, 7].contains($0) })
    }

    @Test func `An insertion in the middle makes one block again`() {
        var rows = ContactRows((0..<1_000).map { packed("\($0)") })
        rows.remove("300")
        let before = rows.makeBlocks()
        rows.put(packed("new"), at: 290)
        let after = rows.makeBlocks()
        #expect(zip(before, after).count { $0 !== $1 } == 1)
    }

    private static let names = ["Ada", "Öl", "Zoë", "Ёлка", "李", "", "Bo", "ada", "Straße", "Ada "]

    @Test func `One changed name is put into the order that is known, and costs no sort of all`() {
        var numbers = SystemRandomNumberGenerator()
        func contact(_ id: Int) -> PackedContact {
            var contact = Contact(id: "\(id)")
            contact.name.given = Self.names.randomElement(using: &numbers) ?? ""
            contact.name.family = Self.names.randomElement(using: &numbers) ?? ""
            return PackedContact(contact)
        }
        for sort in [ContactSort(.given), ContactSort(.family, isDescending: true), ContactSort(.given, locale: "sv")] {
            var rows = ContactRows((0..<2_000).map(contact))
            let orders = NameOrders()
            _ = orders.order(sort, of: rows.makeBlocks())
            for round in 0..<10 {
                let id = "\(100 * round)"
                switch round % 3 {
                case 0: _ = rows.replace(contact(100 * round))
                case 1: rows.remove(id)
                default: rows.put(contact(5_000 + round), at: 77 * round)
                }
                let blocks = rows.makeBlocks()
                #expect(orders.order(sort, of: blocks) == NameOrders().order(sort, of: blocks))
                #expect(orders.sortedNames == 2_000)
            }
        }
    }

    @Test func `Groups of blocks are those of all contacts`() {
        func contact(_ number: Int) -> Contact {
            var contact = Contact(id: "\(number)")
            contact.groups = (0..<number % 4).map { ContactGroup("G\((number + $0) % 7)") }
            contact.isOnline = number % 3 == 0
            if number % 50 == 0 { contact.groups.append(ContactGroup("G1", online: number)) }
            return contact
        }
        let contacts = (0..<1_000).map(contact)
        let rows = ContactRows(contacts.map { PackedContact($0) })
        var copy = rows
        let snapshot = ContactSnapshot(revision: 1, blocks: copy.makeBlocks())
        #expect(snapshot.groups == GroupSummary.all(of: contacts) && !snapshot.groups.isEmpty)
    }
}
