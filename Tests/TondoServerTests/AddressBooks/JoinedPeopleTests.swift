import Foundation
import Testing
import TondoContacts

@testable import TondoServer

@Suite struct JoinedPeopleTests {
    private let unusable = UnusablePhotos()
    private let directory: ContactDirectory

    init() { directory = ContactDirectory(showsRemote: false, unusable: unusable) }

    /// Puts a contact into a book, as it is served.
    private func put(
        _ id: String, _ name: String, mail: String? = nil, phone: String? = nil, hasPhoto: Bool = false,
        in book: Int = 0
    ) {
        var contact = Contact(id: AddressBookService.servedID(id, book))
        contact.name.formatted = name
        contact.emails = mail.map { [ContactPoint($0)] } ?? []
        contact.phones = phone.map { [ContactPoint($0)] } ?? []
        if hasPhoto { contact.photo = .inline(.bytes([1]), crop: nil) }
        directory.put(contact, in: book)
    }

    private func list(_ change: (inout ContactQuery.Choice) -> Void = { _ in }) -> ContactList {
        var choice = ContactQuery.Choice()
        choice.isJoined = true
        change(&choice)
        return ContactList(choice, of: directory.snapshot)
    }

    private func ids(_ list: ContactList) -> [String] { (0..<list.count).map { list[$0].id } }

    private func also(_ row: Int, of list: ContactList) -> [ContactDocument.Other]? { list.more(ofRow: row).also }

    @Test func `The first hundred contacts of a page say what a search matched`() throws {
        for number in 0..<103 { put("\(number)", "Ada \(number)") }
        var json = Array("[".utf8)
        list { $0.search = "ada" }.add(0..<103, to: &json)
        json.append(UInt8(ascii: "]"))
        let items = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [[String: Any]])
        #expect(items.map { $0["match"] != nil } == (0..<103).map { $0 < 100 })
    }

    @Test func `A person is listed once, and the others are named with their books`() {
        put("ada", "Ada", mail: "ada@example.org")
        put("bo", "Bo")
        put("ada", "ADA", mail: "Ada@Example.org", in: 1)
        let list = list()
        #expect(ids(list) == ["ada", "bo"])
        #expect(also(0, of: list) == [.init(id: "2~ada", book: 2, isFavourite: false)])
        #expect(also(1, of: list) == nil)
        #expect(list.sections(.init()).map(\.count) == [1, 1])
    }

    @Test func `The first contact with a usable photo is shown`() {
        put("a", "Ada", mail: "ada@example.org")
        put("b", "Ada", mail: "ada@example.org", hasPhoto: true)
        put("c", "Ada", mail: "ada@example.org", hasPhoto: true)
        #expect(ids(list()) == ["b"] && also(0, of: list())?.map(\.id) == ["a", "c"])
        let revision = directory.revision
        unusable.insert("b")
        directory.photoChanged(of: "b")
        #expect(ids(list()) == ["c"] && directory.revision > revision)
        unusable.insert("c")
        directory.photoChanged(of: "c")
        #expect(ids(list()) == ["a"])
    }

    @Test func `Photos change no revision where no list joins contacts, nor for a person alone`() {
        put("a", "Ada", mail: "ada@example.org", hasPhoto: true)
        put("b", "Ada", mail: "ada@example.org", hasPhoto: true)
        put("c", "Bo", hasPhoto: true)
        let revision = directory.revision
        _ = directory.snapshot
        directory.photoChanged(of: "a")
        #expect(directory.revision == revision)
        _ = list()
        directory.photoChanged(of: "c")
        #expect(directory.revision == revision)
    }

    // A contact vanished from the list and from the search: SimpleMobileTools/Simple-Contacts#1063.
    @Test func `A person is in the list if any of the contacts is found`() {
        put("a", "Ada", mail: "ada@example.org", hasPhoto: true)
        put("b", "Ada", mail: "ada@example.org", phone: "+46 8 111 22 33", in: 1)
        #expect(ids(list { $0.search = "1112233" }) == ["a"])
        #expect(ids(list { $0.filter = ContactFilter([.phone]) }) == ["a"])
        #expect(ids(list { $0.search = "nobody" }).isEmpty)
    }

    // Of two contacts with one number, one was not shown: FossifyOrg/Contacts#455.
    @Test func `Everyone with a name of their own stays in the list`() {
        put("a", "Ada Berg", phone: "+46 8 111 22 33")
        put("b", "Bo Berg", phone: "+46 8 111 22 33")
        #expect(ids(list()) == ["a", "b"])
    }

    @Test func `Places are those of the joined list`() {
        for number in 0..<300 { put("a\(number)", "Person \(number)", mail: "\(number)@example.org") }
        for number in 0..<300 { put("b\(number)", "person \(number)", mail: "\(number)@example.org", in: 1) }
        let list = list { $0.sort = ContactSort(.given) }
        #expect(list.count == 300)
        let row = list.row(of: "a77")
        #expect(row != nil && list.row(of: "2~b77") == row && list.row(of: "nobody") == nil)
        let cursor = ContactCursor(offset: 100, id: list[99].id)
        #expect(list.row(after: cursor) == 100)
        // The contact that ended the page is behind another one of the person by now.
        let other = ContactCursor(offset: 7, id: "2~b77")
        #expect(list.row(after: other) == row.map { $0 + 1 })
    }

    @Test func `A change of any contact is seen in the next list`() {
        put("a", "Ada", mail: "ada@example.org")
        put("b", "Ada", mail: "ada@example.org")
        #expect(ids(list()) == ["a"])
        put("b", "Ada", mail: "b@example.org")
        #expect(ids(list()) == ["a", "b"])
        put("b", "Ada", mail: "ada@example.org")
        directory.remove("a")
        #expect(ids(list()) == ["b"] && also(0, of: list()) == nil)
    }

    @Test func `One contact's others are those of the list`() {
        for id in ["a", "b", "c"] { put(id, "Ada", mail: "\(id == "c" ? "c" : "ada")@example.org") }
        let snapshot = directory.snapshot
        for (id, others) in [("a", [1]), ("b", [0]), ("c", [Int32]())] {
            #expect(directory.packed(id).map { snapshot.others(of: $0) } == others)
        }
        #expect(!snapshot.isJoined)
    }

    @Test(arguments: [nil, "info@example.org"])
    func `Ten thousand with one name cost little, and only some are named`(mail: String?) {
        for number in 0..<10_000 { put("\(number)", "Info", mail: mail ?? "\(number)@example.org") }
        let list = list()
        #expect(list.count == (mail == nil ? 10_000 : 1))
        #expect(also(0, of: list)?.count == (mail == nil ? nil : ContactDocument.Other.most))
        #expect(directory.packed("5000").map { directory.snapshot.others(of: $0).count } == (mail == nil ? 0 : 9_999))
    }

    @Test func `Contacts without a name are joined with none`() {
        for id in ["a", "b"] { put(id, "", in: id == "a" ? 0 : 1) }
        #expect(list().count == 2)
    }
}
