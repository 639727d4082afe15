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
            switch choice(step < 1_500 ? 3 : 5) {
            case 0:
                rows.put(packed(id))
                if !expected.contains(id) { expected.append(id) }
            case 1, 2:
                guard !expected.contains(id) else { continue }
                let index = choice(expected.count + 1)
                rows.insert(packed(id), at: index)
                expected.insert(id, at: index)
            default:
                #expect(rows.remove(id)?.id == (expected.contains(id) ? id : nil))
                expected.removeAll { $0 == id }
            }
            if step % 100 > 0 { continue }
            #expect(rows.contacts.map(\.id) == expected && rows.count == expected.count)
            #expect(rows.makeBlocks().flatMap { $0.contacts.map(\.id) } == expected)
            #expect(
                zip(expected, expected.dropFirst()).allSatisfy {
                    rows.isBefore($0, than: $1) && !rows.isBefore($1, than: $0)
                })
        }
    }

    @Test func `An insertion in the middle makes one block again`() {
        var rows = ContactRows((0..<1_000).map { packed("\($0)") })
        rows.remove("300")
        let before = rows.makeBlocks()
        rows.insert(packed("new"), at: 290)
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
                case 0: rows.put(contact(100 * round))
                case 1: rows.remove(id)
                default: rows.insert(contact(5_000 + round), at: 77 * round)
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
