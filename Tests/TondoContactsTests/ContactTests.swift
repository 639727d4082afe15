import SystemPackage
import Testing

@testable import TondoContacts

@Suite struct ContactTests {
    @Test func `A contact that only moved in its book is equal to what it was`() {
        var one = Contact(id: "a")
        one.name.formatted = "Ada Example"
        one.place = ContactLocation(file: "book.vcf", line: 1, bytes: 0..<50)
        var other = one
        other.place = ContactLocation(file: "book.vcf", line: 9, bytes: 200..<250)
        #expect(one == other)
        other.isVIP = true
        #expect(one != other)
    }

    @Test(arguments: [
        ("ORG:;Sales", ["", "Sales"]), ("ORG: ;Sales;;", ["", "Sales"]), ("ORG:;", []), ("ORG:", []),
        ("ORG:null;Sales", ["", "Sales"]), (#"ORG:A\;B;C"#, ["A;B", "C"]), ("ORG:A;;C", ["A", "C"]), ("ORG:A", ["A"]),
    ]) func `A department without a company is no company`(line: String, units: [String]) throws {
        let contact = try Contact(lines: "TEL:1", line)
        #expect(contact.organisation == units)
        let visible = units.filter { !$0.isEmpty }
        #expect(
            contact.displayName == visible.first ?? "1"
                && contact.initials == visible.first.map { String($0.prefix(1)) })
        // As before departments had a place of their own: people and caches remember the id.
        var former = contact
        former.organisation = visible
        #expect(former.derivedID == contact.derivedID)
        let card = String(decoding: SharedCard(contact).file(), as: UTF8.self)
        #expect(card.contains("ORG:;Sales\r\n") == (units.first == ""))
        #expect(card.contains("ORG:") == !units.isEmpty)
    }
}
