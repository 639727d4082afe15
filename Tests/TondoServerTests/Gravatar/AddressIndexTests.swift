import Testing
import TondoContacts

@testable import TondoServer

@Suite struct AddressIndexTests {
    @Test func `A hash leads to the first contact with the address, however it is spelled`() {
        var (ada, bo) = (Contact(id: "ada"), Contact(id: "bo"))
        ada.emails = [ContactPoint(" Ada@Example.org"), ContactPoint("shared@example.org"), ContactPoint("none")]
        bo.emails = [ContactPoint("shared@example.org"), ContactPoint("bo@example.org")]
        (ada.photo, bo.photo) = (.file(path: "a.jpg", crop: nil), .inline(.bytes([1]), crop: nil))
        let index = AddressIndex([bo, ada])
        func owner(_ hash: AddressHash) -> String? { index.find(hash, isBefore: <).owner }
        #expect(owner(.md5(of: "ada@example.org")) == "ada" && owner(.sha256(of: "ADA@example.org ")) == "ada")
        #expect(owner(.md5(of: "shared@example.org")) == "ada")
        #expect(owner(.sha256(of: "bo@example.org")) == "bo")
        #expect(owner(.md5(of: "none")) == nil && owner(.md5(of: "x@example.org")) == nil)
    }

    /// The digest was made by another program: `printf %s https://ada.example.org/me | sha256sum`.
    @Test func `A website is an OpenID, in all its spellings`() throws {
        var ada = Contact(id: "ada")
        ada.photo = .inline(.bytes([1]), crop: nil)
        ada.websites = [
            ContactPoint("HTTP://Ada.Example.org/me/"), ContactPoint("ada@example.org"), ContactPoint("https://"),
        ]
        var index = AddressIndex([ada])
        let hash = try #require(AddressHash("ed328ec6576bc267cb8a5ceaaec9e377e2857c8528e60e3ba256a2c96b9a245c"))
        #expect(index.find(hash, isBefore: <).owner == "ada")
        for text in ["http://ada.example.org/me", "http://ada.example.org/me/", "https://ada.example.org/me/"] {
            #expect(index.find(.sha256(ofText: text), isBefore: <).owner == "ada")
        }
        #expect(index.find(.sha256(ofText: "https://ada.example.org/Me"), isBefore: <).owner == nil)
        index.remove(ada)
        #expect(index.find(hash, isBefore: <).owner == nil)
    }

    @Test func `An address of a contact that left is the next one's`() {
        var (ada, bo) = (Contact(id: "ada"), Contact(id: "bo"))
        (ada.emails, ada.photo) = ([ContactPoint("shared@example.org")], .inline(.bytes([1]), crop: nil))
        (bo.emails, bo.photo) = (ada.emails, ada.photo)
        var index = AddressIndex([ada, bo])
        index.remove(ada)
        #expect(index.find(.md5(of: "shared@example.org"), isBefore: <).owner == "bo")
        index.remove(bo)
        #expect(index.find(.md5(of: "shared@example.org"), isBefore: <).owner == nil)
    }

    @Test(arguments: [nil, ContactPhoto.remote(url: "https://example.org/a.jpg")])
    func `A contact that can never show a photo does not hide another one's`(photo: ContactPhoto?) {
        var (ada, bo) = (Contact(id: "ada"), Contact(id: "bo"))
        ada.emails = [ContactPoint("shared@example.org"), ContactPoint("ada@example.org")]
        (bo.emails, bo.photo) = ([ContactPoint("shared@example.org")], .file(path: "b.jpg", crop: nil))
        ada.photo = photo
        let (index, hash) = (AddressIndex([ada, bo]), AddressHash.md5(of: "shared@example.org"))
        #expect(index.find(hash, isBefore: <) == .init(owner: "bo"))
        #expect(index.find(hash, isBefore: >) == .init(owner: "bo"))
        #expect(index.find(.md5(of: "ada@example.org"), isBefore: <) == .init())
    }

    @Test func `A photo that failed gives way to the next one, and is named while it stands before that`() {
        let contacts = ["a", "b", "c"].map { id in
            var contact = Contact(id: id)
            (contact.emails, contact.photo) = ([ContactPoint("s@example.org")], .inline(.bytes([1]), crop: nil))
            return contact
        }
        let (index, hash) = (AddressIndex(contacts), AddressHash.sha256(of: "s@example.org"))
        func found(_ failed: Set<String>) -> AddressIndex.Found {
            index.find(hash, hasFailed: failed.contains, isBefore: <)
        }
        #expect(found([]) == .init(owner: "a") && found(["b"]) == .init(owner: "a"))
        #expect(found(["a"]) == .init(owner: "b", failed: "a") && found(["a", "c"]) == .init(owner: "b", failed: "a"))
        #expect(found(["a", "b", "c"]) == .init(owner: nil, failed: "a"))
    }

    @Test func `A photo of a URL may be shown where photos are fetched`() {
        var ada = Contact(id: "ada")
        (ada.emails, ada.photo) = ([ContactPoint("ada@example.org")], .remote(url: "https://example.org/a.jpg"))
        let index = AddressIndex([ada], showsRemote: true)
        #expect(index.find(.md5(of: "ada@example.org"), isBefore: <).owner == "ada")
    }
}
