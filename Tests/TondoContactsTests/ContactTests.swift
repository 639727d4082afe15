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
}
