import Testing
import TondoContacts

@testable import TondoServer

@Suite struct DirectoryTests {
    private let directory = Directory()

    private func put(_ ids: String..., in book: Int = 0) {
        for id in ids { directory.put(Contact(id: id), in: book) }
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

    @Test func `A book begins behind the contacts of the books before it`() {
        put("ada", "bo", "cy")
        put("dan", in: 2)
        directory.remove("bo")
        #expect((0...3).map(directory.offset) == [0, 2, 2, 3])
    }

    @Test func `A new order is applied, and no contact is lost`() {
        put("ada", "bo", "cy", "dora")
        put("x", in: 1)
        directory.remove("bo")
        directory.reorder(0, ["dora", "nobody", "x", "ada"])
        #expect(ids == ["dora", "ada", "cy", "x"] && directory.contact("cy")?.id == "cy")
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
        directory.begin { $0 == 0 }
        #expect(ids == ["ada", "bo", "cy"])
        put("cy", "eve", "ada", "cy")
        #expect(Set(ids) == ["ada", "bo", "cy", "eve"])
        #expect(directory.finish(0) == ["bo"])
        #expect(ids == ["cy", "eve", "ada"])
        #expect(ids.allSatisfy { directory.contact($0)?.id == $0 } && directory.contact("bo") == nil)
    }

    @Test func `A book is finished once`() {
        put("ada")
        #expect(directory.finish(0) == [] && ids == ["ada"])
        directory.begin { _ in true }
        #expect(directory.finish(0) == ["ada"] && directory.finish(0) == [] && directory.finish(7) == [])
    }

    @Test func `Every change is another revision`() {
        var revisions = [directory.contacts.revision]
        for change in [{ put("ada") }, { directory.begin { _ in true } }, { _ = directory.finish(0) }, { put("bo") }] {
            change()
            revisions.append(directory.contacts.revision)
        }
        #expect(Set(revisions).count == revisions.count)
    }
}
