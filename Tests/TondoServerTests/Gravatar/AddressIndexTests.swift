import Testing
import TondoContacts
import TondoServer

@Suite struct AddressIndexTests {
    @Test func `A hash leads to the first contact with the address, however it is spelled`() {
        var (ada, bo) = (Contact(id: "ada"), Contact(id: "bo"))
        ada.emails = [ContactPoint(" Ada@Example.org"), ContactPoint("shared@example.org"), ContactPoint("none")]
        bo.emails = [ContactPoint("shared@example.org"), ContactPoint("bo@example.org")]
        let index = AddressIndex([ada, bo])
        #expect(index[.md5(of: "ada@example.org")] == "ada" && index[.sha256(of: "ADA@example.org ")] == "ada")
        #expect(index[.md5(of: "shared@example.org")] == "ada")
        #expect(index[.sha256(of: "bo@example.org")] == "bo")
        #expect(index[.md5(of: "none")] == nil && index[.md5(of: "x@example.org")] == nil)
    }
}
