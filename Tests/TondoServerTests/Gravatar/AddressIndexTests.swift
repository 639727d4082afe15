import Testing
import TondoContacts
import TondoServer

@Suite struct AddressIndexTests {
    @Test func `A hash leads to the first contact with the address, however it is spelled`() {
        var (ada, bo) = (Contact(id: "ada"), Contact(id: "bo"))
        ada.emails = [ContactPoint(" Ada@Example.org"), ContactPoint("shared@example.org"), ContactPoint("none")]
        bo.emails = [ContactPoint("shared@example.org"), ContactPoint("bo@example.org")]
        (ada.photo, bo.photo) = (.file(path: "a.jpg", crop: nil), .inline(.bytes([1]), crop: nil))
        let index = AddressIndex([ada, bo])
        #expect(index[.md5(of: "ada@example.org")] == "ada" && index[.sha256(of: "ADA@example.org ")] == "ada")
        #expect(index[.md5(of: "shared@example.org")] == "ada")
        #expect(index[.sha256(of: "bo@example.org")] == "bo")
        #expect(index[.md5(of: "none")] == nil && index[.md5(of: "x@example.org")] == nil)
    }

    @Test(arguments: [nil, ContactPhoto.remote(url: "https://example.org/a.jpg")])
    func `An address whose contact can never show a photo is like an unknown one`(photo: ContactPhoto?) {
        var (ada, bo) = (Contact(id: "ada"), Contact(id: "bo"))
        ada.emails = [ContactPoint("shared@example.org")]
        (bo.emails, bo.photo) = (ada.emails, .file(path: "b.jpg", crop: nil))
        ada.photo = photo
        #expect(AddressIndex([ada, bo])[.md5(of: "shared@example.org")] == nil)
        #expect(AddressIndex([bo, ada])[.md5(of: "shared@example.org")] == "bo")
    }
}
