import Testing
import TondoContacts
import TondoServer

@Suite struct AddressIndexTests {
    @Test func `A hash leads to the first contact with the address, however it is spelled`() {
        var (ada, bo) = (Contact(id: "ada"), Contact(id: "bo"))
        ada.emails = [ContactPoint(" Ada@Example.org"), ContactPoint("shared@example.org"), ContactPoint("none")]
        bo.emails = [ContactPoint("shared@example.org"), ContactPoint("bo@example.org")]
        (ada.photo, bo.photo) = (.file(path: "a.jpg", crop: nil), .inline(.bytes([1]), crop: nil))
        let index = AddressIndex([bo, ada])
        func owner(_ hash: AddressHash) -> String? { index.owner(of: hash, isBefore: <) }
        #expect(owner(.md5(of: "ada@example.org")) == "ada" && owner(.sha256(of: "ADA@example.org ")) == "ada")
        #expect(owner(.md5(of: "shared@example.org")) == "ada")
        #expect(owner(.sha256(of: "bo@example.org")) == "bo")
        #expect(owner(.md5(of: "none")) == nil && owner(.md5(of: "x@example.org")) == nil)
    }

    @Test func `An address of a contact that left is the next one's`() {
        var (ada, bo) = (Contact(id: "ada"), Contact(id: "bo"))
        (ada.emails, ada.photo) = ([ContactPoint("shared@example.org")], .inline(.bytes([1]), crop: nil))
        (bo.emails, bo.photo) = (ada.emails, ada.photo)
        var index = AddressIndex([ada, bo])
        index.remove(ada)
        #expect(index.owner(of: .md5(of: "shared@example.org"), isBefore: <) == "bo")
        index.remove(bo)
        #expect(index.owner(of: .md5(of: "shared@example.org"), isBefore: <) == nil)
    }

    @Test(arguments: [nil, ContactPhoto.remote(url: "https://example.org/a.jpg")])
    func `An address whose contact can never show a photo is like an unknown one`(photo: ContactPhoto?) {
        var (ada, bo) = (Contact(id: "ada"), Contact(id: "bo"))
        ada.emails = [ContactPoint("shared@example.org")]
        (bo.emails, bo.photo) = (ada.emails, .file(path: "b.jpg", crop: nil))
        ada.photo = photo
        let (index, hash) = (AddressIndex([ada, bo]), AddressHash.md5(of: "shared@example.org"))
        #expect(index.owner(of: hash, isBefore: <) == nil)
        #expect(index.owner(of: hash, isBefore: >) == "bo")
    }

    @Test func `A photo of a URL may be shown where photos are fetched`() {
        var ada = Contact(id: "ada")
        (ada.emails, ada.photo) = ([ContactPoint("ada@example.org")], .remote(url: "https://example.org/a.jpg"))
        let index = AddressIndex([ada], showsRemote: true)
        #expect(index.owner(of: .md5(of: "ada@example.org"), isBefore: <) == "ada")
    }
}
