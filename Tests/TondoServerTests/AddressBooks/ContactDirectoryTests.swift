import Testing
import TondoContacts

@testable import TondoServer

@Suite struct ContactDirectoryTests {
    private let directory = ContactDirectory()

    private func put(_ ids: String..., in book: Int = 0) {
        for id in ids { directory.put(Contact(id: id), in: book) }
    }

    private func arrive(_ id: String, at index: Int, in book: Int = 0) {
        directory.put(PackedContact(Contact(id: id)), at: index, in: book)
    }

    private var ids: [String] { directory.contacts.all.map(\.id) }

    @Test func `A contact that is put again keeps its place`() {
        put("ada", "bo")
        var ada = Contact(id: "ada")
        ada.title = "Countess"
        directory.put(ada, in: 0)
        #expect(ids == ["ada", "bo"] && directory.contact("ada")?.title == "Countess")
    }

    @Test func `The others move up when a contact is removed`() {
        put("ada", "bo", "cy")
        directory.remove("ada")
        #expect(ids == ["bo", "cy"] && directory.contact("cy")?.id == "cy" && directory.count == 2)
    }

    @Test func `A group is no contact in the count, as in lists`() {
        put("ada", "bo")
        var club = Contact(id: "club")
        let steps: [(Contact.Kind, Int)] = [(.group, 2), (.group, 2), (.individual, 3), (.group, 2)]
        for (kind, count) in steps {
            club.kind = kind
            directory.put(club, in: 0)
            #expect(directory.count == count && directory.snapshot.count == count)
        }
        directory.remove("club")
        #expect(directory.count == 2)
        directory.put(club, in: 1)
        directory.remove("ada")
        #expect(directory.count == 1 && directory.offset(of: 2) == 2)
    }

    @Test func `A book begins behind the contacts of the books before it`() {
        put("ada", "bo", "cy")
        put("dan", in: 2)
        directory.remove("bo")
        #expect((0...3).map(directory.offset) == [0, 2, 2, 3])
    }

    @Test func `Many may leave`() {
        for number in 0..<1000 { put("\(number)") }
        for number in 0..<1000 where number % 10 != 3 { directory.remove("\(number)") }
        let left = (0..<100).map { "\(10 * $0 + 3)" }
        #expect(ids == left && directory.count == 100)
        #expect(left.allSatisfy { directory.contact($0)?.id == $0 })
        put("13", "new")
        #expect(ids == left + ["new"])
    }

    @Test func `A book that is read anew keeps its people until its end`() {
        put("ada", "bo", "cy")
        put("dan", in: 1)
        put("fay")
        #expect(directory.begin { $0 == 0 }.map(\.id) == ["dan"])
        #expect(ids == ["ada", "bo", "cy", "fay"])
        for (index, id) in ["cy", "eve", "ada"].enumerated() { arrive(id, at: index) }
        #expect(ids == ["cy", "eve", "ada", "bo", "fay"])
        #expect(directory.finish(0).map(\.id) == ["fay", "bo"])
        #expect(ids == ["cy", "eve", "ada"])
        #expect(ids.allSatisfy { directory.contact($0)?.id == $0 } && directory.contact("bo") == nil)
    }

    @Test func `A book is finished once`() {
        put("ada")
        #expect(directory.finish(0).isEmpty && ids == ["ada"])
        directory.begin { _ in true }
        #expect(directory.finish(0).map(\.id) == ["ada"] && directory.finish(0).isEmpty && directory.finish(7).isEmpty)
    }

    @Test func `A shared address is the first contact's, whatever happened before`() {
        // The same choices in every run (a linear congruential generator).
        var state: UInt64 = 5
        func choice(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let hash = AddressHash.md5(of: "shared@example.org")
        for _ in 0..<2_000 {
            let (id, book) = ("\(choice(9))", choice(2))
            switch choice(9) {
            case 0...3:
                var contact = Contact(id: "\(book)-\(id)")
                if choice(2) == 0 { contact.emails = [ContactPoint("shared@example.org")] }
                if choice(2) == 0 { contact.photo = .inline(.bytes([1]), crop: nil) }
                directory.put(contact, in: book)
            case 4, 5: directory.remove("\(book)-\(id)")
            case 6:
                guard let known = directory.contact("\(book)-\(id)") else { continue }
                directory.put(PackedContact(known), at: choice(5), in: book)
            case 7: directory.begin { $0 == book }
            default: _ = directory.finish(book)
            }
            let all = directory.contacts.all.map(\.contact)
            let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })
            let expected = AddressIndex(all).find(hash) { places[$0, default: 0] < places[$1, default: 0] }.owner
            // The second answer is the kept one.
            #expect(directory.id(of: hash) == expected && directory.id(of: hash) == expected)
        }
    }

    @Test func `The owner of a shared address follows what is known of photos`() {
        let unusable = UnusablePhotos()
        let directory = ContactDirectory(showsRemote: false, unusable: unusable)
        for id in ["a", "b"] {
            var contact = Contact(id: id)
            contact.emails = [ContactPoint("shared@example.org")]
            contact.photo = .inline(.bytes([1]), crop: nil)
            directory.put(contact, in: 0)
        }
        let hash = AddressHash.md5(of: "shared@example.org")
        #expect(directory.id(of: hash) == "a")
        unusable.insert("a")
        directory.photoChanged(of: "none")
        #expect(directory.find(hash) == .init(owner: "b", failed: "a"))
        unusable.remove("a")
        directory.photoChanged(of: "none")
        #expect(directory.find(hash) == .init(owner: "a"))
    }

    @Test func `Every change is another revision`() {
        var revisions = [directory.contacts.revision]
        let reload = {
            directory.begin { _ in true }
            _ = directory.finish(0)
        }
        for change in [{ put("ada") }, reload, { put("bo") }] {
            change()
            revisions.append(directory.contacts.revision)
        }
        #expect(Set(revisions).count == revisions.count)
    }
}
