import Testing
import TondoTestSupport

@testable import TondoContacts
@testable import TondoServer

@Suite struct ServedIDTests {
    @Test(arguments: ["ada", "2~x", "~", "a~b", "10~2~x", ""], [0, 1, 9])
    func `Every id is found again in its own book, and no two books share one`(_ id: String, _ book: Int) {
        let served = AddressBookService.servedID(id, book)
        #expect(AddressBookService.ownID(served, book) == id)
        for other in 0..<12 where other != book {
            for stranger in ["x", "2~x", "10~2~x", id] {
                #expect(AddressBookService.servedID(stranger, other) != served)
            }
        }
    }

    @Test func `A contact of a served book is packed once`() {
        let packed = PackedContact(Contact(id: "ada"))
        let directory = ContactDirectory()
        for book in 0...1 { directory.put(AddressBookService.served(packed, book), at: 0, in: book) }
        let snapshot = directory.snapshot
        let served = directory.contacts.all + (0..<snapshot.count).map { snapshot[$0] }
        #expect(served.map(\.id) == ["ada", "2~ada", "ada", "2~ada"])
        #expect(Set(([packed] + served).map { $0.bytes.withUnsafeBytes(\.baseAddress) }).count == 1)
    }
}
