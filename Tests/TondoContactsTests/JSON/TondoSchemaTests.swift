import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoContacts

@Suite struct TondoSchemaTests {
    @Test func `Writing contacts and reading them back loses nothing`() throws {
        var numbers = SplitMix64(7)
        for _ in 0..<200 {
            let contacts = (0..<Int.random(in: 0...8, using: &numbers)).map { _ in randomContact(&numbers) }
            let groups = contacts.flatMap(\.groups)
            let file = try text(contacts, groups: groups)
            let read = try BookFormat.json(.tondo).read(file, name: "book.json")
            #expect(read.failures == [])
            #expect(read.groups == groups)
            #expect(try read.contacts.map { try holdingPhoto($0, file) } == contacts)
        }
    }

    @Test func `Photos that lie in the file are written from their bytes`() throws {
        var contact = Contact(id: "a")
        contact.photo = .inline(.bytes(Array(0...255)), crop: PhotoCrop(x: 1, y: 2, width: 3, height: 4))
        let file = try text([contact])
        let read = try BookFormat.json(.tondo).read(file, name: "book.json")
        let again = try text(read.contacts) { try photo($0, file) }
        #expect(again == file)
        let without = try text(read.contacts)
        #expect(try BookFormat.json(.tondo).read(without, name: "book.json").contacts.first?.photo == nil)
    }

    @Test func `A newer version is refused and says which`() {
        let file = Array(#"{"contacts":[],"tondo":12}"#.utf8)
        #expect(throws: ContactsError.newerVersion(12)) { try BookFormat.json(.tondo).read(file, name: "book.json") }
    }

    /// A whole file. `photo`: the bytes of a photo whose text lies in another file.
    private func text(
        _ contacts: [Contact], groups: [ContactGroup] = [], photo: (Contact) throws -> [UInt8]? = { _ in nil }
    ) rethrows -> [UInt8] {
        let lines = try contacts.map { contact in
            guard case .inline(.bytes(let bytes), _) = contact.photo else {
                return TondoSchema.line(contact, photo: try photo(contact))
            }
            return TondoSchema.line(contact, photo: bytes)
        }
        return Array(TondoSchema.head(groups: groups).utf8) + lines.joined(separator: Array(",\n".utf8))
            + Array(TondoSchema.tail.utf8)
    }

    private func holdingPhoto(_ contact: Contact, _ file: [UInt8]) throws -> Contact {
        var contact = contact
        if case .inline(_, let crop) = contact.photo, let bytes = try photo(contact, file) {
            contact.photo = .inline(.bytes(bytes), crop: crop)
        }
        return contact
    }
}
